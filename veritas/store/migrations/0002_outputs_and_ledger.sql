-- What replay and resumption read. Stands in a run's file alone: the catalogue is for questions, not for documents.

-- A JSON document, zlib-compressed: `run` as it was begun, `stage:<name>` for a stage's whole output (I6), `graph`.
CREATE TABLE outputs (
    name VARCHAR PRIMARY KEY,
    document BLOB NOT NULL
);

-- Every model call that was answered, under a hash of what was asked (I9).
CREATE TABLE ledger (
    request_hash VARCHAR PRIMARY KEY,
    model VARCHAR NOT NULL,
    prompt VARCHAR NOT NULL,              -- name and version
    request VARCHAR NOT NULL,             -- JSON
    answer VARCHAR NOT NULL,
    answer_bytes BLOB,                    -- set only where the answer holds a lone surrogate, which no VARCHAR can
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cost_usd DOUBLE,
    seconds DOUBLE NOT NULL,
    answered_at TIMESTAMP NOT NULL
);
