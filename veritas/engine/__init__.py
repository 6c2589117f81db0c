"""The run engine: stages stored whole, resumed, replayed, journalled and cancelled; units of work; budget; progress.

Research, audits of papers and reviews are `StagedRun`s: a `Kind` names its runs and stages.
"""
