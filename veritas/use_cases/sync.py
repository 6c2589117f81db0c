"""The coroutines of the face as plain functions, each with its own signature."""

from veritas import aio
from veritas.use_cases._blocking import blocking

add_to_corpus = blocking(aio.add_to_corpus)
audit_bibliography = blocking(aio.audit_bibliography)
audit_citations = blocking(aio.audit_citations)
audit_paper = blocking(aio.audit_paper)
check_registries = blocking(aio.check_registries)
cite = blocking(aio.cite)
judge = blocking(aio.judge)
read_paper = blocking(aio.read_paper)
replay = blocking(aio.replay)
replay_paper_audit = blocking(aio.replay_paper_audit)
replay_review = blocking(aio.replay_review)
research = blocking(aio.research)
resume = blocking(aio.resume)
resume_paper_audit = blocking(aio.resume_paper_audit)
resume_review = blocking(aio.resume_review)
verify = blocking(aio.verify)
write_review = blocking(aio.write_review)
