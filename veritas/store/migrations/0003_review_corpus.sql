-- A review's corpus: a file of its own, beside which no run's tables stand.

-- One row. `embedding_model` is null where BM25 alone retrieves; once set it stays, for vectors of two models are not
-- comparable.
CREATE TABLE corpus (
    name VARCHAR NOT NULL,
    created_at TIMESTAMP NOT NULL,
    embedding_model VARCHAR,
    dimensions INTEGER
);

-- Which key a work has, for as long as the corpus lives: a paper that is taken out and put back keeps it.
CREATE TABLE citation_keys (
    work VARCHAR NOT NULL,                -- doi:…, arxiv:… or title:…
    paper_key VARCHAR NOT NULL
);

-- One document a paper. No key is enforced here: every change is one transaction of the one process that holds the file.
CREATE TABLE papers (
    paper_key VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    authors VARCHAR[] NOT NULL,
    year INTEGER,
    doi VARCHAR,
    record VARCHAR NOT NULL,              -- JSON, a BibRecord
    item_type VARCHAR NOT NULL,
    tags VARCHAR[] NOT NULL,
    root VARCHAR NOT NULL,                -- what it was added from
    source VARCHAR NOT NULL,              -- and which part of that
    url VARCHAR NOT NULL,
    document_id VARCHAR NOT NULL,
    media_type VARCHAR NOT NULL,
    page_starts INTEGER[] NOT NULL,
    characters INTEGER NOT NULL,
    extractor VARCHAR NOT NULL,
    read_on DATE NOT NULL
);

CREATE TABLE documents (
    document_id VARCHAR NOT NULL,
    text BLOB NOT NULL                    -- zlib-compressed UTF-8
);

CREATE TABLE corpus_claims (
    claim_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,            -- within its document
    document_id VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    verbatim VARCHAR NOT NULL,
    section VARCHAR NOT NULL,
    page INTEGER,
    claim_type VARCHAR NOT NULL,
    evidence_type VARCHAR NOT NULL,
    span_start INTEGER NOT NULL,
    span_end INTEGER NOT NULL,
    extractor VARCHAR NOT NULL
);

CREATE TABLE embeddings (
    claim_id VARCHAR NOT NULL,
    vector FLOAT[] NOT NULL
);

-- What was left out or read with a doubt at the last addition of a root, and why (I7).
CREATE TABLE left_out (
    root VARCHAR NOT NULL,
    source VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    kept BOOLEAN NOT NULL,                -- read all the same
    claims INTEGER NOT NULL               -- how many claims it cost; 0 where it is about the whole document
);
