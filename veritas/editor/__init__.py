"""The editor's door: a language server, and a guard for the edits of coding agents. No rule of the field is here."""
