"""What kind of sentence a sentence is: a statement that can be checked, or one that is set aside, and as what."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from veritas.factcheck.shapes import Kind, Quotation, TextFormat
from veritas.text.instructions import is_instruction
from veritas.text.markup import plain_text

_TAG = re.compile(r"</?[A-Za-z][\w-]{0,20}(?:\s[^<>\n]{0,400})?/?>")
_EMPHASIS = re.compile(
    r"(?<![\w*])[*]{1,3}(?=\S)|(?<=\S)[*]{1,3}(?![\w*])|\*\*|(?<![^\s(\[“\"'*—–])_{1,3}(?=\w)|(?<=\w|[.!?)])_{1,3}(?!\w)|~~|(?<!\\)`+"
)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_EMPTY = re.compile(
    r"[(\[（]\s*(?:(?:see|source|sources|via|cf\.?|siehe|quellen?|vgl\.?|e\.g\.|voir|and|und|also)[\s:,;]*)*[,;·&\s|]*[)\]）]",
    re.IGNORECASE,
)
_QUOTE = re.compile(r"(?m)^[ \t]*>[ \t]?")
_SOURCE_TAIL = re.compile(r"(?i)[\s(—–-]*\b(?:sources?|quellen?|via|see|siehe|ref(?:erence)?s?)\s*:?\s*$")
_BEFORE_STOP = re.compile(r"(?<![,;: ])[,;: ]* (?=[)\]）])|\s+(?=\.(?!\w)|[,;:!?…”’»])")
"""What a cut leaves behind: a comma, colon or semicolon and a space before a closing bracket, a space before a stop."""
_TWICE = re.compile(r"([,;:])(?:\s*(?:[,;:]|\.(?!\w)))+")
_DANGLING = re.compile(r"^(?!-{1,2}\w)[\s,;:.·|\]+–—-]+(?=\S)")
_QUOTED = re.compile(
    r"“([^“”\n]{3,600})”|„([^„“\n]{3,600})“|«\s?([^«»\n]{3,600}?)\s?»|(?<![\w\"])\"(?=\S)([^\"\n]{3,600})(?<=\S)\"(?!\w)"
)
_COMMANDS_KEPT = re.compile(r"\\(?:textbf|textit|emph|text|textsc|underline|textrm|texttt)\b")


def wording(text: str, start: int, end: int, gone: Iterable[tuple[int, int]], form: TextFormat) -> str:
    """Return the words of `text[start:end]` on one line, without the stretches `gone` and without markup."""
    pieces, at = [], start
    for first, last in gone:
        if first >= end or last <= at:
            continue
        pieces.append(text[at : max(at, first)])
        at = min(end, last)
    said = " ".join((*pieces, text[at:end])) if pieces else text[at:end]
    if form == "latex":
        said = plain_text(_COMMANDS_KEPT.sub("", said).replace("\\item", " "))
    else:
        said = _ESCAPE.sub(r"\1", _EMPHASIS.sub("", _TAG.sub(" ", _QUOTE.sub("", said))))
    said = _EMPTY.sub(" ", html.unescape(said))
    said = _BEFORE_STOP.sub("", " ".join(said.split()))
    said = _DANGLING.sub("", _TWICE.sub(r"\1", said))
    return _SOURCE_TAIL.sub("", said).strip() if pieces else said.strip()


def quotations(text: str, start: int, end: int) -> tuple[Quotation, ...]:
    """Return what stands in quotation marks in a stretch of a text."""
    found = []
    for match in _QUOTED.finditer(text, start, end):
        group = match.lastindex or 1
        found.append(Quotation(quoted=match[group], start=match.start(group), end=match.end(group)))
    return tuple(found)


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_OFFER = _any(
    r"\b(?:let me know|feel free to|just let me|just ask|don't hesitate|do not hesitate|happy to (?:help"
    r"|assist|provide|expand|dig|explain|go))\b",
    r"^(?:would|do) you (?:like|want|prefer)\b", r"^(?:shall|should|can|may) i\b", r"^want me to\b",
    r"^(?:if you(?:'d| would)? (?:like|want|wish|need|prefer|have (?:any|more|further|other))|if (?:it's"
    r"|that's|this is|it would be) helpful|if needed|if useful)\b.*\b(?:i|me|ask)\b",
    r"^(?:i|we) (?:can|could) (?:also |then |now )?(?:help|provide|prepare|create|write|expand|go|dig|look"
    r"|draft|summari[sz]e|make|show|give|add|turn|build|pull|compare)\b",
)  # fmt: skip
_CHATTER = _any(
    r"^(?:sure|certainly|of course|absolutely|great question|good question|excellent question|thanks?"
    r"|thank you|you're welcome|got it|okay|ok|alright|hello|hi|hey|no problem|understood"
    r"|interesting question)(?:\b[^.]{0,60})?[!,.:]",
    r"^(?:sure|certainly|of course|absolutely|thank you|thanks|hello|hi|got it|okay|ok|alright"
    r"|great)\b[^.]{0,80}\b(?:here|below|question|there|let's|i'll|for asking)\b",
    r"^(?:sure|certainly|absolutely|of course|okay|ok|alright|understood)[.!]*$",
    r"^(?:here(?:'s| is| are|’s)|below (?:is|are|you)|the following (?:is|are) (?:a|an|some|the) (?:summary"
    r"|overview|list|report|breakdown|answer))\b(?!.*\b(?:because|why)\b)[^.]{0,200}[:.!]?$",
    r"^(?:i(?:'ve| have|’ve)?|we(?:'ve| have|’ve)?) (?:just )?(?:searched|looked|found|checked|compiled"
    r"|gathered|reviewed|browsed|researched|did some|conducted|put together|collected|prepared|summari[sz]ed"
    r"|drafted|written|created|included|listed|used|cross-checked)\b",
    r"^(?:i|we)(?:'ll| will|’ll|'m going to| am going to)\b", r"^let(?:'s|’s| us| me)\b",
    r"^(?:this|that|these|below|above|it) (?:is|are) (?:the|a|an|some|my|our)"
    r" [\w -]{2,40} (?:i|we) (?:used|wrote|ran|made|built)\b",
    r"^(?:i )?hope (?:this|that|it)\b",
    r"^(?:in )?this (?:report|answer|overview|summary|response|article|section|document|guide) (?:i|we|will"
    r"|summari[sz]es|gives|provides|covers|outlines|examines|explores|presents|describes|looks|aims"
    r"|is based on|was (?:compiled|generated|prepared))\b",
    r"^(?:as (?:you )?requested|as an ai|based on (?:my|the) (?:search|research|results|sources|information)"
    r"|according to my (?:search|research)|to (?:summari[sz]e|sum up|recap)[:,]?$|in (?:summary|short"
    r"|conclusion)[:,]?$)",
    r"^(?:my|these|the) (?:search|sources?|results?) (?:did|do|does|were|show|returned|found|cover)\b",
    r"^(?:good luck|enjoy|cheers|best regards|stay safe|have a (?:great|nice|good))\b",
    r"^(?:sources?|references?|note|summary|overview|answer|tl;?dr|key (?:facts|points|takeaways|findings)"
    r"|quellen?|fazit|überblick|zusammenfassung)\W*$",
    r"^(?:i (?:cannot|can't|could not|couldn't|was unable|am unable|don't have|do not have)|i'm (?:sorry"
    r"|unable|not able)|i apologi[sz]e|sorry)\b",
)  # fmt: skip
_OPINION = _any(
    r"^(?:well, |honestly, |so, |and |but |personally,? )?(?:i|we) (?:personally |really |also |do |strongly "
    r"|firmly )?(?:think|believe|feel|find|suspect|guess|suppose|prefer|recommend|suggest|love|like"
    r"|would (?:say|argue|recommend|suggest|choose|pick|go)|doubt|hope|consider|admire|expect)\b",
    r"\b(?:in my (?:opinion|view|experience|judg?ment|eyes)|in our (?:opinion|view)|to my mind|if you ask me"
    r"|my (?:take|view|opinion|recommendation|favou?rite|impression|guess)|imo|imho|personally)\b",
    r"^(?:arguably|hopefully|ideally|sadly|luckily|frankly|honestly|admittedly|perhaps most (?:interesting"
    r"|exciting|important)ly)\b",
    r"^(?:it|this|that|these|they|he|she|the [\w -]{2,50}|[A-Z][\w-]+(?: [\w-]+){0,3}) (?:is|are|was|were"
    r"|remains?|seems?|feels?|looks?|makes?)(?: truly| really| quite| very| such| simply| so| just| certainly"
    r"| clearly| undoubtedly| arguably| for me| by far| also| perhaps)* (?:an? |the |one of the )?(?:truly "
    r"|really |very |most |absolutely |quite |rather )*(?:fascinating|amazing|wonderful|beautiful|awful"
    r"|terrible|great|impressive|remarkable|exciting|charming|stunning|lovely|delightful|disappointing"
    r"|overrated|underrated|boring|awesome|incredible|inspiring|perfect|magical|elegant|ugly|nicest|loveliest"
    r"|prettiest|worst|best|shame|pity|must-see|breathtaking|worthwhile|worth (?:a visit|visiting|seeing"
    r"|reading|it)|sensible|foolish|wise|unfair|pleasant|enjoyable|good idea|bad idea|interesting|admirable"
    r"|regrettable|disgrace|mistake)\b",
    r"\b(?:we|governments?|policy ?makers|everyone|people|politicians|society|countries|researchers|companies"
    r"|schools|cities|nobody|one|they|it|planners|the \w+) (?:should|ought to|must not"
    r"|really should)\b(?! have\b)",
    r"\b(?:fascinates?|delights?|inspires?|thrills?|enchants?|charms?) (?:people|everyone|visitors|readers|us"
    r"|children|me)\b",
    r"^(?:what a|how (?:nice|sad|wonderful|beautiful)|no doubt)\b",
    r"\b(?:deserves? (?:more|credit|praise|attention|better)|is (?:well )?worth (?:a|the|your|every)"
    r"|seems to me|too bad)\b",
)  # fmt: skip
_DETERMINER = (
    r"(?:the|your|a|an|any|all|this|these|that|those|it|them|each|every|whether|if|sure|out|up|with|for|to|on"
    r"|in|at|by|from|at least|no|only|our|both|some|as|more|plenty|enough|about|one|two|three|\d+|what|how"
    r"|when|where|who|which|yourself)"
)
_INSTRUCTION = _any(
    rf"^(?:please |always |never |then |next,? |first,? |finally,? |also,? |just |simply |and |now |instead,? "
    rf"|for (?:best results|more|details),? )*(?:check|use|make|consult|see|visit|click|avoid|consider|take"
    rf"|keep|try|add|remove|install|open|download|contact|call|ask|read|follow|ensure|verify|compare|look|note"
    rf"|remember|be|go|start|stop|run|select|choose|pick|apply|mix|stir|bring|set|turn|press|write|save|store"
    rf"|replace|wash|pour|let|leave|buy|book|plan|drink|eat|wear|stay|talk|speak|seek|double-check|monitor"
    rf"|review|update|test|measure|cite|quote|treat|watch|search|find|get|give|send|submit|register|subscribe"
    rf"|learn|limit|reduce|include|prepare|pack|bookmark|refer|confirm|cross-check|place|put|cut|heat|rinse"
    rf"|schedule|track) {_DETERMINER}\b",
    r"^(?:please|always|never)\b (?!before|again|has|have|had|been|was|were|a\b|the\b)",
    r"^(?:do not|don't|make sure|be sure|be careful|keep in mind|bear in mind|see also|for more (?:information"
    r"|details)|read more|click here|remember to|remember that|note:? )\b",
    r"^(?:do not|don't) ",
    r"\byou (?:should|must|need to|ought to|may want to|might want to|will want to|can use|have to)\b",
)  # fmt: skip
_FIRST_PERSON = re.compile(
    r"(?i)^(?:i|we|ich|wir|je|nous)\b|\b(?:in my|imo|imho|meiner meinung|à mon avis|selon moi|personally)\b"
)
_LETTERS = re.compile(r"[^\W\d_]{2,}")


_OWN_RUN = re.compile(r"(?m)^- Run \d{8}-\d{6}-\w+, VERITAS \d")
_OWN_CHECKS = re.compile(r"(?m)^## How this was checked[ \t]*$")
_OWN_HEAD = re.compile(r"(?m)^\*(?:[^*\n]|\\\*)+\*[ \t]*$")


def words_of_veritas(text: str) -> tuple[tuple[int, int], ...]:
    """Return where an answer that VERITAS exported as Markdown speaks of how it was made, not of its matter."""
    run, checks = _OWN_RUN.search(text), _OWN_CHECKS.search(text)
    if run is None or checks is None:
        return ()
    first = re.search(r"(?m)^(?:\*\*|[^*#\s])", text)
    head = first.start() if first else 0
    return (*(m.span() for m in _OWN_HEAD.finditer(text, 0, head)), (checks.start(), len(text)))


def kind_of(words: str, *, cited: bool) -> Kind:
    """Return the kind of a sentence by its words. One that is `cited` by a mark of its own says something that its
    source can bear out, so it is set aside only if it speaks of its author."""
    said = words.strip(" \t\n*_>“”\"'–—-•")
    if not said:
        return "chatter"
    if _OFFER.search(said) and not (cited and not _FIRST_PERSON.search(said)):
        return "offer"
    if said.endswith(("?", "?”", '?"', "？")) and not cited:
        return "question"
    if cited:
        return "opinion" if _FIRST_PERSON.search(said) and _OPINION.search(said) else "statement"
    if _CHATTER.search(said):
        return "chatter"
    if _INSTRUCTION.search(said) or is_instruction(said):
        return "instruction"
    if _OPINION.search(said):
        return "opinion"
    return "statement" if _LETTERS.search(said) else "heading"
