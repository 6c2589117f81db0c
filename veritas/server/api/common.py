"""Common parts of the routes: names in paths, keys, starting work, rejecting file names in place of texts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from fastapi import Header, HTTPException, Path, Response

from veritas.errors import InputError
from veritas.server.context import Context
from veritas.server.tokens import Token
from veritas.use_cases import background
from veritas.use_cases.given import file_meant, means_file

RunName = Annotated[str, Path(max_length=80, description="The run's id, an unambiguous beginning of it, or `latest`.")]
Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key", min_length=1, max_length=200,
        description="The same request with the same key begins nothing new: the run of the first is returned.",
    ),
]  # fmt: skip
JSON_OBJECT: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/json": {"schema": {"type": "object"}}}}
}
"""The description of an answer that is handed on as it is stored."""


@contextmanager
def begun_once(key: str | None, asked: Any, who: Token, here: Context, prefix: str = "") -> Iterator[str]:
    """Yield the id of a new run, or of the earlier run of the same request under the same key. If the request is
    refused before its run exists, the key stays unused."""
    made = prefix + background.new_id()
    if key is None:
        yield made
        return
    run_id = background.same_as_before(who.token_id, key, asked, made, home=here.home)
    try:
        yield run_id
    finally:
        if run_id == made and run_id not in background.job_ids(home=here.home):
            background.forget_key(who.token_id, key, home=here.home)


def _left(who: Token, here: Context) -> float | None:
    """Return the remaining US dollars of a token's budget, None without one."""
    if who.budget_usd is None:
        return None
    return max(0.0, who.budget_usd - background.spent_by(who.token_id, home=here.home))


def _used_up(who: Token) -> HTTPException:
    return HTTPException(403, f"the token's budget of {who.budget_usd:g} US dollars is used up or reserved")


def _allowance(who: Token, asked: float | None, here: Context) -> float | None:
    """Return the budget of a run in US dollars: what is requested, or the rest of the token's budget if that is less.
    Raises 403 if nothing is left."""
    left = _left(who, here)
    if left is None:
        return asked
    if not left and who.budget_usd:
        raise _used_up(who)
    return left if asked is None else min(asked, left)


def gone_on(run: str, who: Token, here: Context, *, preflight: bool = True) -> background.Job:
    """Resume a run within the rest of its caller's budget, and return it.

    Raises 403 if the run's own limit, less its spending, exceeds that, and if a token with a budget would resume a run
    that others pay for.
    """
    own_alone(run, who, here)
    with here.beginning:
        budget = None
        if (left := _left(who, here)) is not None:
            job = background.find_job(run, home=here.home)
            if background.to_reserve(job, home=here.home) > left:
                raise HTTPException(
                    403, f"the run may cost more than is left of the token's budget ({left:g} US dollars)"
                )
            again = job.ended is not None and job.ended.status == "unavailable"
            if not left and who.budget_usd and (again or job.state in ("failed", "cancelled")):
                raise _used_up(who)
            limit = background.limit_of(job)
            budget = {"usd": left if limit is None else min(limit, left)}
        return background.go_on(
            run, preflight=preflight, budget=budget, owner=who.token_id, at_once=here.settings.at_once, home=here.home
        )


def limited(budget: dict[str, Any] | None, who: Token, here: Context, run_id: str) -> dict[str, Any] | None:
    """Return the limits of a run within the rest of its caller's budget. A run that began earlier keeps its own."""
    if who.budget_usd is None or run_id in background.job_ids(home=here.home):
        return budget
    return {**(budget or {}), "usd": _allowance(who, (budget or {}).get("usd"), here)}


def own_alone(run: str, who: Token, here: Context) -> None:
    """Raise 403 if a token with a budget would stop or resume a run of others."""
    if who.budget_usd is not None:
        owned = run in background.job_ids(home=here.home) and background.find_job(run, home=here.home).wanted.owner
        if owned != who.token_id:
            raise HTTPException(403, "a token with a budget stops its own runs and lets them go on, and no others")


def unlimited(who: Token, what: str) -> None:
    """Raise 403 if a token with a budget requests something whose cost cannot be limited."""
    if who.budget_usd is not None:
        raise HTTPException(403, f"a token with a budget {what}")


def text_response(text: str, media_type: str, file: str) -> Response:
    """Return an external text as a download, so that a browser does not display it."""
    return Response(text, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{file}"'})


def words(text: str, what: str) -> str:
    """Return a text. Raises `InputError` if it can only be a file name: the file is never read."""
    if file_meant(text) is not None:
        raise InputError(f"{what} looks like the name of a file: give its words")
    return text


def name_of_paper(text: str) -> str:
    """Return the name of a paper on the web. Raises `InputError` for a possible file name."""
    if means_file(text):
        raise InputError("asked looks like the name of a file: give words, an id or an address, or name a document")
    return text
