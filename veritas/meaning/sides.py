"""What a source tells as the word of one side: "critics say", "supporters argue", "according to the company"."""

from __future__ import annotations

import re

_SIDE = (
    r"(?:(?:critics?|supporters?|opponents?|proponents?|advocates?|detractors?|sceptics?|skeptics?|defenders?|campaigners?|"
    r"activists?|lobbyists?|believers?|fans|theorists?|adherents?|allies|rivals|backers)"
    r"(?: (?:of|for) (?:(?:the|this|that|its|his|her|their) )?\w+(?: \w+)?)?"
    r"|(?:some|many|others|several|a few|most)(?: (?:people|experts?|researchers|scientists|scholars|historians|"
    r"observers|economists|commentators|analysts|authors|users|voters|residents|farmers|doctors|officials))?"
    r"|the (?:\w+ )?(?:company|firm|manufacturer|maker|vendor|producer|seller|party|opposition|union|industry|"
    r"defendants?|accused|plaintiffs?|prosecut(?:ors?|ion)|defen[cs]e|lobby|church|regime|rebels|lawyers?|"
    r"government|ministry|minister|campaign|landlord|owner)"
    r"|legend|rumou?r|tradition|folklore)"
)
_SAYS = (
    r"(?:says?|said|argue[sd]?|claim(?:s|ed)?|believe[sd]?|contend(?:s|ed)?|maintain(?:s|ed)?|insist(?:s|ed)?|"
    r"allege[sd]?|assert(?:s|ed)?|think|thinks|thought|suspect(?:s|ed)?|fear(?:s|ed)?|warn(?:s|ed)?|complain(?:s|ed)?|"
    r"suggest(?:s|ed)?|feel|feels|felt|state[sd]?|predict(?:s|ed)?|boast(?:s|ed)?|has it|say so)"
)
_DISPUTED = r"(?:argue[sd]?|contend(?:s|ed)?|insist(?:s|ed)?|allege[sd]?|assert(?:s|ed)?|boast(?:s|ed)?)"
_STUDY = r"(?:we|study|studies|paper|authors?|report|results|data|findings|trial|analysis|review|article|evidence)"
_BEFORE = re.compile(
    rf"(?i)(?:\b{_SIDE}(?: (?:who|which|that) [^,;.]{{1,60}}?)?(?: (?:also|have|had|has|still|now|often|then|\w+ly))? "
    rf"{_SAYS}(?: that)?|\b(?:according to|for|in the (?:view|opinion|eyes) of|to) {_SIDE},|"
    rf"(?<!\w)(?!(?:{_STUDY}) )[A-Za-z][\w'’]* {_DISPUTED} that)[\s\"'“‘:,]*\Z"
)
_BEHIND = re.compile(
    rf"(?i)\A[\"'”’]?,[\"'”’]? (?:(?:or )?(?:so )?(?:as )?{_SIDE} (?:\w+ly )?{_SAYS}|"
    rf"(?:according to|in the (?:view|opinion|eyes) of) {_SIDE})\b|\A,? {_SAYS} {_SIDE}\b"
)
_SAID = re.compile(
    rf"(?i)\b{_SAYS}\b|\baccording to\b|\b(?:view|opinion)s?\b|\b(?:critic|supporter|opponent|proponent|accus|alleg)\w*"
)
_WORD = re.compile(r"\w+")


def framed(before: str, behind: str) -> bool:
    """Return whether words are told as the word of one side, by what stands right before and behind them in their
    sentence."""
    return bool(_BEFORE.search(before) or _BEHIND.match(behind))


def one_sided(source: str, claim: str) -> str:
    """Return the words by which a sentence tells a claim as the word of one side, "" if it does not: "critics say".

    The sentence begins with these words, or ends with them behind a comma, and the claim has no word of saying.
    """
    if _SAID.search(claim):
        return ""
    text = " ".join(source.split())
    for found in _OPENING.finditer(text):
        # What follows the saying has the claim's words; what stands before it is nobody's word but the source's.
        said, *rest = _TURN.split(text[found.end() :], maxsplit=1)
        if _of(claim, said) > max(_of(claim, other) for other in (text[: found.start()], *rest)):
            return found["side"]
    closing = _CLOSING.search(text)
    if closing and _of(claim, text[: closing.start()]) > _of(claim, text[closing.end() :]):
        return closing["side"]
    return ""


_OPENING = re.compile(
    rf"(?i)(?:\A|(?<=[.;:,] )|(?<=\bbut )|(?<=\band )|(?<=\bwhile )|(?<=\balthough ))"
    rf"(?P<side>{_SIDE}(?: (?:also|have|had|has|still|now|often|\w+ly))? {_SAYS}|"
    rf"(?:according to|in the (?:view|opinion|eyes) of) {_SIDE})\b"
)
_CLOSING = re.compile(
    rf"(?i), (?P<side>{_SIDE} (?:\w+ly )?{_SAYS}|(?:according to|in the (?:view|opinion|eyes) of) {_SIDE})[.!]?\Z"
)


_TURN = re.compile(r"(?i)(?:;|,? but|,? whereas|,? yet|,? although|,? though) ")
"""Where what somebody says ends and the source goes on itself."""


def _of(claim: str, text: str) -> int:
    """Return how many words of a claim stand in a text."""
    return len({w.lower() for w in _WORD.findall(claim)} & {w.lower() for w in _WORD.findall(text)})
