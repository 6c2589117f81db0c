"""Pages that are no sources although the server answered with 200: soft 404s, walls, captchas, empty shells.

The same words may occur in an article about captchas, so they count only on a page with little other text; the weaker
the sign, the less text is allowed.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

SHORT = 1500
"""Characters of main text below which a page may be nothing but a notice."""
LONG = 20_000
"""Characters from which a page is read despite its headings."""
OPENING = 500
"""Characters at the beginning of a longer page in which a notice explains itself."""
TINY = 500
"""Characters below which a single such sentence decides."""
SHELL = 250
"""Characters below which a page built by scripts counts as not built."""
EMPTY = 60
"""Characters below which a page has nothing to cite."""


def _any(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


# Headings of such pages, from their first word on.
_MISSING = _any(
    r"(?:http )?(?:error )?(?:status )?(?:code )?(?:40[34]|410|50[0234])\b",
    r"(?:web ?page|page|file|document|article|item|content|resource|doi|record|url)s?"
    r"(?: you (?:have )?(?:requested|are looking for|were looking for))?"
    r"(?: was| is| were| could| can| does| cannot)?(?: not|n['’]t)?(?: be)? (?:found|available|exist|missing)\b",
    r"not found\b", r"nothing (?:was )?found\b", r"no longer (?:available|exists)", r"does(?: not|n['’]t) exist",
    r"(?:has|have) been (?:removed|deleted|withdrawn from this site)", r"we (?:can|could)(?:not|n['’]t) find",
    r"seite nicht gefunden", r"page (?:introuvable|non trouvée)", r"página no encontrada", r"pagina non trovata",
    r"(?:temporarily )?(?:down for |under )?maintenance\b", r"internal server error", r"bad gateway",
    r"service (?:temporarily )?unavailable", r"temporarily unavailable",
)  # fmt: skip
_DENIED = _any(
    r"access (?:to this (?:page|site|resource) )?(?:has been |is )?(?:denied|blocked|forbidden|restricted)",
    r"forbidden$", r"(?:you have been |request )blocked", r"unauthori[sz]ed",
    r"unavailable (?:for legal reasons|in your)",
    r"you (?:do not|don['’]t) have (?:permission|access)",
)  # fmt: skip
_CHECK = _any(
    r"just a moment", r"attention required", r"pardon our interruption", r"security (?:check|verification)",
    r"are you (?:a )?(?:human|robot)", r"verify(?:ing)? (?:that )?you(?:['’]re| are)?", r"human verification",
    r"robot check",
    r"checking your browser", r"captcha", r"ddos protection", r"request unsuccessful", r"one more step",
)  # fmt: skip
# Sentences of such pages, in any place.
_CHECK_SENTENCE = _any(
    r"(?:verify|confirm|prove) (?:that )?you(?:['’]re| are) (?:a |not a )?(?:human|robot)",
    r"i(?:['’]| a)m not a robot",
    r"checking (?:if the site connection is secure|your browser before)", r"unusual (?:traffic|activity) from your",
    r"enable javascript and cookies to continue", r"incapsula incident", r"press (?:&|and) hold to confirm",
    r"automated (?:access|queries|requests) (?:from|to|has|have)", r"complete the (?:captcha|security check)",
    r"needs to review the security of your connection", r"solve (?:this|the) (?:captcha|puzzle)",
)  # fmt: skip
_DENIED_SENTENCE = _any(
    r"you (?:do not|don['’]t) have (?:permission|access|authori[sz]ation) to", r"access (?:has been |is )?denied",
    r"(?:not |un)available in your (?:country|region|location)", r"your (?:ip|ip address) (?:has been|is) blocked",
)  # fmt: skip
_MISSING_SENTENCE = _any(
    r"page (?:you (?:requested|are looking for|were looking for) )?(?:could not|was not|cannot|can['’]t)(?: be)? found",
    r"page (?:does not|doesn['’]t|no longer) exists?", r"(?:may|might) have (?:been )?(?:moved|removed|deleted)",
)  # fmt: skip
_MISSING_OPENING = _any(
    r"(?:can(?:no|['’])t|could(?: not|n['’]t)) (?:find|locate) (?:the|that|this|what|your)", _MISSING_SENTENCE.pattern,
    r"(?:page|article|document|content)(?: you \w+(?: \w+){0,3})? (?:is|was) (?:not|no longer) (?:found|available)",
)
_LOGIN_HEADING = _any(r"(?:log|sign)[ -]?in\b", r"login(?: required)?\b", r"members only\b")
_CONSENT = _any(
    r"before you continue to", r"(?:we|our partners)(?: \w+){0,6} (?:value|respect|care about) your privacy",
    r"(?:accept|manage|reject|allow|decline) (?:all |optional |your )?cookies",
    r"cookie (?:consent|settings|preferences)",
    r"consent to (?:the use|cookies|our)", r"(?:we|site) uses? cookies", r"(?:accept|reject|agree to) all\b",
    r"store and/or access information on a device", r"alle akzeptieren", r"tout accepter",
    r"aceptar (?:todas )?las cookies",
)  # fmt: skip
_LOGIN = _any(
    r"(?:log|sign)[ -]?in to (?:continue|view|read|access|your)", r"you must (?:be logged|log|sign|register)",
    r"create (?:a free |an )?account to", r"login required", r"session (?:has )?(?:expired|timed out)",
)  # fmt: skip
_PARKED = _any(r"domain (?:name )?(?:is|may be) for sale", r"buy this domain", r"domain (?:is )?parked")
_NEEDS_SCRIPTS = _any(
    r"(?:enable|requires?|need|turn on|activate)[^.]{0,40}javascript",
    r"javascript[^.]{0,40}(?:disabled|required|enabled|not available|switched off)",
)
_CHALLENGE = (
    "cf-chl-", "challenge-platform", "_incapsula_resource", "px-captcha", "captcha-delivery.com", "g-recaptcha",
    "h-captcha", "hcaptcha.com", "awswafcookiedomainlist", "cf-turnstile", "/_sec/cp_challenge", "arkoselabs",
)  # fmt: skip
_WALL_HOSTS = re.compile(
    r"consent\.(?:google|youtube|yahoo)\.\w+(?:\.\w+)?|(?:guce|consent|cookieconsent|idp|login|accounts|sso|auth|signin)"
    r"\.[\w.-]+"
)
_PRELUDE = re.compile(r"^(?:\W+|(?:sorry|oops|whoops|uh[ -]?oh)\b|(?:the|this|that|your) )+", re.IGNORECASE)
_ROOTS = ("root", "app", "__next", "__nuxt", "svelte", "q-app", "react-root")


def fault_of_address(asked: str, landed: str) -> str | None:
    """Return what the addresses show: a redirect to a consent, login or front page; None if nothing."""
    there, wanted = urlsplit(landed), urlsplit(asked)
    if there.hostname != wanted.hostname and _WALL_HOSTS.fullmatch(there.hostname or ""):
        return "leads to a page that asks for consent or a login"
    # A deep page redirected to the front page is gone, unless the redirect's query says what to show there.
    deep = len([part for part in wanted.path.split("/") if part]) >= 2
    if deep and there.path in ("", "/") and not there.query and _site(there.hostname) == _site(wanted.hostname):
        return "is gone: the address leads to the site's front page (a soft 404)"
    return None


def fault_of_page(root: Any, text: str, title: str | None) -> str | None:
    """Return why a page is no source, from its parsed markup (an lxml element), its main text and its title; None if it
    is one. The surest signs come first."""
    size = len(text)
    if size >= LONG:
        return None
    heads = [_bare(part) for part in _headings(root, title)]
    flat = " ".join(text.split())
    if size >= SHORT:
        return _fault_of_padded(root, flat, heads)
    tiny = size < TINY

    def says(headings: re.Pattern[str], sentences: re.Pattern[str]) -> bool:
        return any(headings.match(head) for head in heads) or (
            tiny and bool(headings.match(_bare(flat)) or sentences.search(flat))
        )

    if says(_CHECK, _CHECK_SENTENCE) or _CHECK_SENTENCE.search(flat) or (tiny and _challenges(root)):
        return "is a captcha or bot check, not the page"
    if says(_DENIED, _DENIED_SENTENCE):
        return "is a notice that access is denied"
    if says(_MISSING, _MISSING_SENTENCE):
        return "is a notice that there is no such page (a soft 404)"
    if _PARKED.search(flat):
        return "is a parked domain"
    consents = len(_CONSENT.findall(flat))
    if consents >= 3 or (tiny and consents):
        return "is a wall that asks for consent to cookies"
    if tiny and (_LOGIN.search(flat) or root.xpath("//input[@type='password']")):
        return "asks for a login"
    if size < SHELL and _is_shell(root):
        return "is an empty shell that only scripts would fill"
    return "has no text to speak of" if size < EMPTY else None


def _fault_of_padded(root: Any, flat: str, heads: list[str]) -> str | None:
    """Return the fault of a notice among other text: lists of other articles, texts on privacy; None if it has none.

    A heading must be that notice and nothing more, and the beginning of the text must repeat it.
    """
    opening = flat[:OPENING]

    def says(headings: re.Pattern[str], sentences: re.Pattern[str]) -> bool:
        whole = any((found := headings.match(head)) and len(head) - found.end() <= 20 for head in heads)
        return whole and bool(sentences.search(opening))

    if says(_CHECK, _CHECK_SENTENCE):
        return "is a captcha or bot check, not the page"
    if says(_DENIED, _DENIED_SENTENCE):
        return "is a notice that access is denied"
    if says(_MISSING, _MISSING_OPENING):
        return "is a notice that there is no such page (a soft 404)"
    if says(_LOGIN_HEADING, _LOGIN) and root.xpath("//input[@type='password']"):
        return "asks for a login"
    if _CONSENT.search(flat[:200]) and len(_CONSENT.findall(flat)) >= len(flat) / 400:
        return "is a wall that asks for consent to cookies"
    return None


def _headings(root: Any, title: str | None) -> list[str]:
    """Return the headings and the parts of the title, which sites separate from their own name."""
    parts = re.split(r"\s+[|–—·»:/-]+\s+", title or "")
    return [*parts, *(_said(heading) for heading in root.xpath("//h1 | //h2")[:4])]


def _is_shell(root: Any) -> bool:
    scripts = len(root.xpath("//script"))
    hollow = any(not _visible(element) for name in _ROOTS for element in root.xpath("//*[@id=$name]", name=name))
    said = " ".join(_said(element) for element in root.xpath("//noscript")[:5])
    return bool(scripts) and (hollow or bool(_NEEDS_SCRIPTS.search(f"{said} {_said(root)}")) or scripts >= 3)


def _visible(element: Any) -> str:
    return "".join(element.xpath(".//text()[not(ancestor::script) and not(ancestor::style)]")).strip()


def _challenges(root: Any) -> bool:
    """Return whether names, sources or beginnings of scripts belong to a known bot check."""
    for element in islice(root.iter("script", "iframe", "form", "div", "input"), 1000):
        marks = [str(element.get(name) or "")[:300] for name in ("src", "id", "class", "action")]
        if element.tag == "script":
            marks.append((element.text or "")[:5000])
        said = "\n".join(marks).lower()
        if any(mark in said for mark in _CHALLENGE):
            return True
    return False


def _said(element: Any) -> str:
    return " ".join(element.text_content().split())[:2000]


def _bare(text: str) -> str:
    """Return a heading without apologies and articles before its first telling word."""
    return _PRELUDE.sub("", text.strip())


def _site(host: str | None) -> str:
    return (host or "").removeprefix("www.")
