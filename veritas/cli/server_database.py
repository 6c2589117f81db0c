"""The database of the Prefect server that `veritas up` starts: accepted URLs, and a check that it can be reached."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from veritas.errors import InputError, Unavailable

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

PATIENCE = 10.0
"""Seconds that the database may take to accept a connection."""


def asked_database(given: str | None) -> str | None:
    """Return the URL as the server wants it, with its asynchronous driver; None if none was given.

    `postgresql://`, `postgres://` and Prefect's own forms are accepted. Raises `InputError` for anything else, in words
    that hold no password.
    """
    if not given or not given.strip():
        return None
    url = _parsed(given.strip())
    if url.drivername in ("postgresql", "postgres", "postgresql+asyncpg"):
        if not url.database:
            raise InputError(f"no database is named on {_place(url)}: add its name, as in postgresql://HOST/NAME")
        return url.set(drivername="postgresql+asyncpg").render_as_string(hide_password=False)
    if url.drivername == "sqlite+aiosqlite":
        return given.strip()
    raise InputError(
        f"{url.drivername} is no database that a Prefect server can use: give postgresql://USER:PASSWORD@HOST/NAME, "
        "or nothing for SQLite"
    )


def server_settings(database: str) -> dict[str, str]:
    """Return settings for a server that uses this database on a busy machine; settings in the environment go before.

    All its connections are kept: by default each burst of work opens new ones, within 5 seconds or not at all.
    """
    if not database.startswith("postgresql"):
        return {}
    return {
        "PREFECT_SERVER_DATABASE_SQLALCHEMY_POOL_SIZE": "15",
        "PREFECT_SERVER_DATABASE_CONNECTION_TIMEOUT": "30",
        "PREFECT_SERVER_DATABASE_TIMEOUT": "60",
    }


def reached(database: str) -> None:
    """Return once the PostgreSQL database accepts a connection. Raises `Unavailable`, without any password."""
    url = _parsed(database)
    if not url.drivername.startswith("postgresql"):
        return
    problem = asyncio.run(_problem(url))
    if problem is not None:
        raise Unavailable(f"the database {_place(url)} cannot be used: {problem}")


def _parsed(text: str) -> URL:
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        if text.count("@") < 2:  # after a second one, the end of a password would be taken for the host
            return make_url(text)
    except (ArgumentError, ValueError):
        pass
    # Without its text: it may hold a password.
    raise InputError(
        "the database's URL cannot be read: it is postgresql://USER:PASSWORD@HOST/NAME, with a password's special "
        "characters percent-encoded"
    )


def _place(url: URL) -> str:
    """Return the place of the database, without user, password and options."""
    return f"{url.host or 'this machine'}{f':{url.port}' if url.port else ''}/{url.database or ''}"


async def _problem(url: URL) -> str | None:
    """Return why the database does not answer; None if it does."""
    from sqlalchemy import text
    from sqlalchemy.exc import SQLAlchemyError
    from sqlalchemy.ext.asyncio import create_async_engine

    engine = create_async_engine(url)
    try:
        async with asyncio.timeout(PATIENCE):
            async with engine.connect() as connection:
                await connection.execute(text("SELECT 1"))
        return None
    except TimeoutError:
        return f"no answer within {PATIENCE:g} seconds"
    except SQLAlchemyError as error:
        return str(getattr(error, "orig", None) or error).split("\n")[0]
    except Exception as error:  # noqa: BLE001 - asyncpg's own errors, the network's, a wrong option in the URL
        return str(error).split("\n")[0] or type(error).__name__
    finally:
        await engine.dispose()
