-- The claim graph as rows, for questions in SQL. The same tables stand in a run's file and in the catalogue.
-- Times are UTC. `position` keeps the order of the claim graph. No keys: the rows of a run are written once, together.

CREATE TABLE runs (
    run_id VARCHAR NOT NULL,
    parent_run_id VARCHAR,
    replayed_from VARCHAR,
    status VARCHAR NOT NULL,              -- running | finished
    question VARCHAR NOT NULL,
    tier VARCHAR NOT NULL,
    seed BIGINT NOT NULL,
    started_at TIMESTAMP NOT NULL,
    finished_at TIMESTAMP,
    version VARCHAR NOT NULL,
    policy_hash VARCHAR NOT NULL,
    settings VARCHAR NOT NULL,            -- JSON
    degraded VARCHAR[] NOT NULL,
    answer_status VARCHAR,                -- answered | insufficient_evidence; NULL until finished
    answer_reason VARCHAR,
    written_by VARCHAR,
    content_hash VARCHAR                  -- of the claim graph without run and calls; NULL until finished
);

CREATE TABLE stages (
    run_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    stage VARCHAR NOT NULL,
    input_hash VARCHAR NOT NULL,
    output_hash VARCHAR NOT NULL,
    output_bytes BIGINT NOT NULL,         -- of the JSON document, uncompressed
    seconds DOUBLE NOT NULL,
    from_store BOOLEAN NOT NULL,
    saved_at TIMESTAMP NOT NULL
);

CREATE TABLE members (
    run_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    family VARCHAR NOT NULL,
    model VARCHAR,
    description VARCHAR NOT NULL
);

CREATE TABLE sub_queries (
    run_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    sub_query_id VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    facet VARCHAR NOT NULL
);

CREATE TABLE schedule (
    run_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    member VARCHAR NOT NULL,
    sub_query_id VARCHAR NOT NULL,
    slot INTEGER NOT NULL,
    provider VARCHAR NOT NULL
);

CREATE TABLE searches (
    run_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    search_id VARCHAR NOT NULL,
    member VARCHAR NOT NULL,
    sub_query_id VARCHAR NOT NULL,
    provider VARCHAR NOT NULL,
    query VARCHAR NOT NULL,
    unavailable VARCHAR                   -- why there was no answer
);

CREATE TABLE hits (
    run_id VARCHAR NOT NULL,
    search_id VARCHAR NOT NULL,
    rank INTEGER NOT NULL,
    url VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    source_id VARCHAR NOT NULL
);

CREATE TABLE sources (
    run_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    source_id VARCHAR NOT NULL,
    url VARCHAR NOT NULL,
    status VARCHAR NOT NULL,              -- read | rejected | orientation | unavailable
    tier VARCHAR NOT NULL,                -- 1 | 2 | 3 | 4 | wikipedia
    paywalled BOOLEAN NOT NULL,
    admitted BOOLEAN NOT NULL,
    justification VARCHAR NOT NULL,
    rule VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    authors VARCHAR[] NOT NULL,
    published_at DATE,
    doi VARCHAR,
    arxiv_id VARCHAR,
    fetched DATE,
    document_id VARCHAR,
    publisher VARCHAR NOT NULL,
    note VARCHAR,
    problem VARCHAR
);

CREATE TABLE passages (
    run_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    passage_id VARCHAR NOT NULL,
    document_id VARCHAR NOT NULL,
    span_start BIGINT NOT NULL,           -- [span_start, span_end) in characters of the document
    span_end BIGINT NOT NULL,
    text VARCHAR NOT NULL,
    page INTEGER,
    text_before VARCHAR NOT NULL,
    text_after VARCHAR NOT NULL
);

CREATE TABLE claims (
    run_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    claim_id VARCHAR NOT NULL,
    claim VARCHAR NOT NULL,
    claim_type VARCHAR NOT NULL,
    confidence DOUBLE NOT NULL,
    asserted_by VARCHAR NOT NULL,
    family VARCHAR NOT NULL,
    sub_query_id VARCHAR NOT NULL,
    stage VARCHAR NOT NULL,               -- extract | debate
    prompt VARCHAR,
    verifier_judgment VARCHAR,
    debate_status VARCHAR NOT NULL,
    refines VARCHAR,
    badges VARCHAR[] NOT NULL,
    best_tier INTEGER NOT NULL
);

-- `subject_id` is a claim for role `claim`, else a contestation.
CREATE TABLE citations (
    run_id VARCHAR NOT NULL,
    subject_id VARCHAR NOT NULL,
    role VARCHAR NOT NULL,                -- claim | counter | response
    position INTEGER NOT NULL,
    url VARCHAR NOT NULL,
    tier INTEGER NOT NULL,
    fetched DATE NOT NULL,
    document_id VARCHAR NOT NULL,
    paywalled BOOLEAN NOT NULL
);

-- The verbatim words a claim or contestation rests on, with where they stand (I1).
CREATE TABLE quotes (
    run_id VARCHAR NOT NULL,
    subject_id VARCHAR NOT NULL,
    role VARCHAR NOT NULL,                -- claim | counter | response
    position INTEGER NOT NULL,
    text VARCHAR,
    passage_id VARCHAR,
    document_id VARCHAR,
    span_start BIGINT,
    span_end BIGINT
);

CREATE TABLE judgments (
    run_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    subject_id VARCHAR NOT NULL,
    purpose VARCHAR NOT NULL,
    round INTEGER NOT NULL,
    label VARCHAR NOT NULL,               -- supports | refutes | silent | unavailable
    score DOUBLE NOT NULL,
    rationale VARCHAR NOT NULL,
    lens VARCHAR NOT NULL,
    family VARCHAR NOT NULL,
    passage_ids VARCHAR[] NOT NULL
);

CREATE TABLE contestations (
    run_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    contestation_id VARCHAR NOT NULL,
    claim_id VARCHAR NOT NULL,
    challenger VARCHAR NOT NULL,
    objection VARCHAR NOT NULL,
    counter_claim VARCHAR NOT NULL,
    resolution VARCHAR NOT NULL,
    ruling VARCHAR NOT NULL,
    response VARCHAR,
    successor_id VARCHAR
);

CREATE TABLE rounds (
    run_id VARCHAR NOT NULL,
    round INTEGER NOT NULL,
    live_claims INTEGER NOT NULL,
    clusters INTEGER NOT NULL,
    agreed INTEGER NOT NULL,
    agreement DOUBLE,
    open_contestations INTEGER NOT NULL
);

CREATE TABLE sentences (
    run_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    sentence_id VARCHAR NOT NULL,
    paragraph INTEGER NOT NULL,
    kind VARCHAR NOT NULL,                -- claim | gap | dissent | frame
    text VARCHAR NOT NULL,
    claim_ids VARCHAR[] NOT NULL,
    reference_numbers INTEGER[] NOT NULL,
    footnote VARCHAR,
    badges VARCHAR[] NOT NULL
);

CREATE TABLE bibliography (
    run_id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    source_id VARCHAR NOT NULL,
    url VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    tier VARCHAR NOT NULL,
    authors VARCHAR[] NOT NULL,
    year INTEGER,
    doi VARCHAR,
    paywalled BOOLEAN NOT NULL
);

CREATE TABLE events (
    run_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    stage VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    subject_id VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    member VARCHAR,
    planted BOOLEAN NOT NULL
);

CREATE TABLE calls (
    run_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    call_id VARCHAR NOT NULL,
    request_hash VARCHAR NOT NULL,
    stage VARCHAR NOT NULL,
    who VARCHAR NOT NULL,
    model VARCHAR,
    turn VARCHAR NOT NULL,
    questions INTEGER NOT NULL,           -- how many were put in this one call
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cost_usd DOUBLE,                      -- NULL where the price is unknown
    seconds DOUBLE NOT NULL,
    from_ledger BOOLEAN NOT NULL,
    error VARCHAR
);
