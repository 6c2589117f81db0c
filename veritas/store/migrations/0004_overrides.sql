-- The claims that a run cites because a person let them in, with who answers for it and why.
CREATE TABLE overrides (
    run_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    claim_id VARCHAR NOT NULL,
    approval_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    decided_at TIMESTAMP NOT NULL
);
