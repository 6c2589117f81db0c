"""The guard's verdict, in words and in the form in which each coding agent takes a hook's answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from veritas.text.visible import printable
from veritas.use_cases.writing import Brought

MOST = 20
"""Most faults that are told."""
_LONGEST = 400


class Agent(StrEnum):
    """A coding agent whose hooks the guard answers."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    CURSOR = "cursor"
    GEMINI_CLI = "gemini-cli"
    COPILOT = "copilot"


def exit_code(found: Sequence[Brought], *, strict: bool = False) -> int:
    """Return 1 if an edit brings in a wrong citation, 3 if one of which nothing is known (1 if `strict`), else 0."""
    if any(each.blocks for each in found):
        return 1
    unknown = any(each.unknown for each in found)
    return (1 if strict else 3) if unknown else 0


def told(found: Sequence[Brought], code: int) -> str:
    """Return the faults that decide, a line each; nothing where there are none."""
    listed = [each for each in found if each.blocks or (each.unknown and code != 0)]
    lines = [
        printable(f"{each.path}:{each.line}: {_said(each)} [{each.diagnostic.code}]")[:_LONGEST]
        for each in sorted(listed, key=lambda each: not each.blocks)
    ]
    more = len(lines) - MOST
    return "\n".join([*lines[:MOST], *([f"and {more} more"] if more > 0 else [])])


def _said(brought: Brought) -> str:
    """Return a fault's message, with the key of the entry or the citation that it is about."""
    found = brought.diagnostic
    named = not found.key or found.key in found.message
    return found.message if named else f"@{found.key}: {found.message}"


def answer_unread(agent: Agent, event: str, why: str) -> str:
    """Return the JSON document of a hook that could not read an edit: it asks the user where the agent can ask, and
    else says so. The edit may be made all the same, and nobody has checked its citations."""
    said = printable(f"veritas guard: this edit was not checked: {why}")[:_LONGEST]
    given: dict[str, Any] = {"systemMessage": said}
    if agent is Agent.CURSOR:
        given = {"permission": "ask", "user_message": said, "agent_message": said}
    elif agent is Agent.COPILOT:
        given = {"permissionDecision": "ask", "permissionDecisionReason": said}
    elif agent is Agent.CLAUDE_CODE and event.lower() != "posttooluse":
        given = {"hookSpecificOutput": _decided("ask", said)}
    return json.dumps(given, ensure_ascii=False)


def answer(agent: Agent, event: str, code: int, said: str) -> str:
    """Return the JSON document that an agent reads from its hook's standard output."""
    return json.dumps(_answer(agent, event, code, said), ensure_ascii=False)


def _answer(agent: Agent, event: str, code: int, said: str) -> dict[str, Any]:
    lacks = bool(said) and all(line.endswith("[no-artifact]") for line in said.splitlines())
    what = "a citation that has no artifact" if lacks else "a citation that does not hold"
    wrong = f"veritas guard: this edit brings in {what}.\n{said}"
    note = f"veritas guard: nothing here tells whether these citations hold.\n{said}"
    if agent is Agent.CURSOR:
        if code == 1:
            return {"permission": "deny", "user_message": wrong, "agent_message": wrong}
        return {"permission": "allow"} | ({"agent_message": note} if code == 3 else {})
    if agent is Agent.GEMINI_CLI:
        if code == 1:
            return {"decision": "deny", "reason": wrong}
        return {"systemMessage": note} if code == 3 else {}
    if agent is Agent.COPILOT:
        return {"permissionDecision": "deny", "permissionDecisionReason": wrong} if code == 1 else {}
    if code == 1 and event.lower() == "posttooluse":
        return {"decision": "block", "reason": wrong}
    if code == 1:
        return {"hookSpecificOutput": _decided("deny", wrong)}
    return {"systemMessage": note} if code == 3 else {}


def _decided(decision: str, reason: str) -> dict[str, str]:
    return {"hookEventName": "PreToolUse", "permissionDecision": decision, "permissionDecisionReason": reason}


def brought_json(each: Brought) -> dict[str, str | int]:
    """Return one fault of `veritas guard --json`."""
    return {
        "path": each.path,
        "line": each.line,
        "code": each.diagnostic.code,
        "level": each.diagnostic.level,
        "message": each.diagnostic.message,
    }
