"""The links of a paper's statements on its openness, asked on the web: does the page exist?"""

from __future__ import annotations

import asyncio

from veritas.errors import Unavailable
from veritas.papers.desk.concern import Concern, Quoted, concern
from veritas.papers.desk.desk import Desk
from veritas.papers.desk.openness import Link, Statement
from veritas.reading.reader import Reader
from veritas.reading.web.readable import Gone

MOST = 40
"""Addresses that are asked for one paper, at most."""
AT_ONCE = 4


async def with_links_asked(desk: Desk, reader: Reader) -> Desk:
    """Return the desk with the state of each link. `dead` is a server's own word that there is no such page; whatever
    else goes wrong leaves a link `not-known`. Dead links become concerns."""
    urls = list(dict.fromkeys(link.url for each in desk.statements for link in each.links))
    limit = asyncio.Semaphore(AT_ONCE)

    async def one(url: str) -> Link:
        async with limit:
            return await _asked(url, reader)

    known = {link.url: link for link in await asyncio.gather(*(one(url) for url in urls[:MOST]))}
    statements = tuple(
        each.model_copy(update={"links": tuple(known.get(link.url, link) for link in each.links)})
        for each in desk.statements
    )
    dead = [concern_of(each, link) for each in statements for link in each.links if link.state == "dead"]
    unique = {each.id: each for each in dead}
    concerns = (*desk.concerns, *unique.values())
    over = len(urls) - MOST
    left = [f"{over} of {len(urls)} links were not asked: {MOST} are asked at most"] if over > 0 else []
    return desk.model_copy(
        update={"statements": statements, "concerns": concerns, "asked_web": True, "notes": (*desk.notes, *left)}
    )


def concern_of(statement: Statement, link: Link) -> Concern:
    """Return the concern about a dead link."""
    said = f"The page {link.url}, which the paper names for its {statement.subject}, does not exist: {link.why}."
    quotes = [Quoted(text=statement.quote, place=statement.place)]
    return concern("link", link.url, said, specific=True, quotes=quotes)


async def _asked(url: str, reader: Reader) -> Link:
    try:
        await reader.read(url)
    except Gone as error:
        return Link(url=url, state="dead", why=str(error))
    except Unavailable as error:
        return Link(url=url, state="not-known", why=str(error))
    return Link(url=url, state="live")
