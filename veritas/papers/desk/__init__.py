"""The reviewer's desk: a paper's checklists, its openness, and a person's decisions on what was found in it."""
