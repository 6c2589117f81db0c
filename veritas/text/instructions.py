"""Instructions hidden in prose: sentences of a source addressed to a language model. They are text, never orders."""

from __future__ import annotations

import re
from functools import lru_cache

from veritas.text.sentences import split_sentences

_REST = r"[^.!?\n]"
_PATTERNS = (
    # "Ignore all previous instructions", "disregard your system prompt"
    rf"\b(?:ignore|disregard|forget|override|bypass)\b{_REST}{{0,40}}\b(?:previous|prior|above|earlier|preceding|all|any|"
    rf"your|these|system)\b{_REST}{{0,30}}\b(?:instruction|prompt|rule|direction|message|guideline|context|command|polic)",
    # "As an AI language model, you …"
    r"\bas\s+an?\s+(?:ai|artificial\s+intelligence|(?:large\s+)?language\s+model|llm|assistant|chat\s?bot)\b"
    rf"(?={_REST}{{0,40}}\b(?:you|i|please|must)\b)",
    # "You are now a helpful assistant", "pretend to be"
    rf"\b(?:you\s+are|act\s+as|pretend\s+to\s+be|you're)\s+(?:now\s+)?an?\s{_REST}{{0,20}}\b(?:ai|language\s+model|llm|chatgpt|gpt-?\d?|"
    r"assistant|chat\s?bot)\b",
    # "You must answer", "the assistant should say", "any AI must treat"
    r"\byou\s+(?:must|should|shall|have\s+to|need\s+to|are\s+to)\s+(?:now\s+|always\s+|only\s+)?"
    r"(?:(?:answer|respond|reply|say)\s+(?:only|with|that|[\"'“])|(?:state|report|claim|conclude|assert)\s+that|approve|rate|judge)\b",
    r"\b(?:ai|assistant|llm|reviewer|language\s+model)s?\s+(?:must|should|shall|will|have\s+to|need\s+to|are\s+to)\s+"
    r"(?:now\s+|always\s+|only\s+)?(?:answer|respond|reply|say|(?:state|report)\s+that|claim|cite|rate|recommend|conclude|assert|"
    r"reveal|approve|treat|mark|judge)\b",
    # "New instruction:", "system prompt:"
    r"\b(?:new|updated|important|urgent|system|secret|hidden)\s+(?:instruction|prompt|directive)s?\s*(?::|to\b|for\b)",
    # chat markup
    r"<\|?/?(?:system|im_start|im_end|endoftext|assistant|inst)\b",
    r"\[/?INST\]",
    # "Do not mention … to the user"
    rf"\bdo\s+not\s+(?:mention|reveal|disclose|tell|cite)\b{_REST}{{0,60}}\b(?:user|reader|instruction|prompt|anyone|"
    r"other\s+source)",
    # "Respond only with the word …"
    r"(?:^|[.!?:;,\n]\s*|\b(?:please|then|and|only)\s+)(?:respond|reply|answer|output)\s+(?:only\s+)?with\s+(?:only\s+)?"
    r"(?:the\s+(?:word|following|text|label|phrase|verdict)|[\"'“])",
    # "Label this claim as supports"
    r"\b(?:label|judge|mark|rate|classify)\s+(?:this|the|every|all|any)\s+(?:claim|passage|source|document|answer)s?\s+"
    r"(?:as\s+)?[\"'“]?(?:support|true|verified|tier|trust|correct|accept)",
    # "LLM: please note", "AI models, ignore"
    r"(?<!\ban )(?<!\ba )(?<!\bthe )\b(?:llm|language\s+models?|ai\s+(?:model|assistant|agent|reviewer)s?)\s*[,:]\s*"
    r"(?:please\s+)?(?:you\b|ignore|note|treat|respond|answer)",
)
_SUSPECT = (
    r"(?:^|\n)\s*(?:#+\s*)?(?:system|assistant|user|human)\s*:\s",  # also a key of YAML
    rf"\b(?:you\s+are|act\s+as|pretend\s+to\s+be|you're)\b{_REST}{{0,20}}\b(?:ai|language\s+model|llm|chatgpt|gpt-?\d?|"
    r"assistant|chat\s?bot)\b",
    r"\byou\s+(?:must|should|shall|have\s+to|need\s+to|are\s+to)\s+(?:now\s+|always\s+|only\s+)?(?:answer|respond|reply|cite)\b",
    r"\b(?:respond|reply|answer|output)\s+(?:only\s+)?with\b",
)
"""Wordings that ordinary pages have as well: such a sentence becomes no claim, and no page is accused of it."""
_WORDED = re.compile("(?i)" + "|".join(_PATTERNS))
_ADDRESSED = re.compile("(?i)" + "|".join((*_PATTERNS, *_SUSPECT)))
_QUOTED = re.compile(
    r"“[^“”]*”|\"[^\"\n]*\"|‘[^‘’]*’(?!\w)|(?<!\w)'[^'\n]*'(?!\w)|``[^`]*?''|`[^`\n]*`|«[^«»]*»|„[^„“”]*[“”]"
)
_OF_SOME_MACHINE = re.compile(
    r"(?i)\b(?:the|an?|each|every|our|their|its|these|those|such|whether|human|two|three|most|many|some)\s+(?:[\w-]+\s+){0,2}?"
    r"(?:ai|assistant|llm|reviewer|language\s+model)s?\s+(?:must|should|shall|will|have\s+to|need\s+to|are\s+to)\b"
)
_STRETCH, _OVERLAP = 50_000, 2_000
"""Characters that are searched at once, and those that the next search sees again, more than a passage has: no other
thread runs during a search."""


def is_instruction(sentence: str) -> bool:
    """Return whether a sentence addresses a language model that reads it. Such a sentence never becomes a claim."""
    return bool(_ADDRESSED.search(sentence))


def is_quoted(text: str, start: int, end: int) -> bool:
    """Return whether the sentence `text[start:end]`, which addresses a language model, only quotes or reports it: apart
    from what its paragraph has in quotation marks or as code, and from what it says of machines in general ("the LLM
    must answer"), it addresses none. It is text all the same, and never an order."""
    first = text.rfind("\n\n", 0, start) + 1
    last = text.find("\n\n", end)
    paragraph = text[first : last if last >= 0 else len(text)]
    bare = _QUOTED.sub(lambda match: " " * len(match[0]), paragraph)[start - first : end - first]
    return not is_instruction(_OF_SOME_MACHINE.sub(" ", " ".join(bare.split())))


def gives_orders(text: str) -> bool:
    """Return whether a sentence of a text is surely worded as an order to a language model: a page may be told so."""
    return any(_WORDED.search(text[start:end]) for start, end in find_instructions(text))


def find_instructions(text: str) -> list[tuple[int, int]]:
    """Return the offsets `[start, end)` of the sentences of `text` that address a language model."""
    if not any(_ADDRESSED.search(text, at, at + _STRETCH + _OVERLAP) for at in range(0, len(text), _STRETCH)):
        return []
    return [(start, end) for start, end in split_sentences(text) if is_instruction(text[start:end])]


@lru_cache(maxsize=512)
def without_orders(text: str) -> str:
    """Return a text without the sentences that are surely orders to a language model: a judge reads none of them."""
    kept, last = [], 0
    for start, end in split_sentences(text) if _WORDED.search(text) else ():
        if _WORDED.search(text[start:end]):
            kept.append(text[last:start])
            last = end
    return "".join([*kept, text[last:]])
