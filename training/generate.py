"""Generated pairs: real sentences, restated or altered by rule, against real passages.

    python training/generate.py --data FOLDER --out pairs.jsonl.gz

`FOLDER` holds `pairs.jsonl.gz`, `extra.jsonl.gz` and `questions.jsonl.gz`, whose passages are the texts. Kinds:

- `y_clause`, `y_free`: true clauses and restatements against a whole text, with false twins and the text less the
  sentence that says it;
- `y_bind`: figures bound to another thing of the same sentence; `y_strong`: a hedge or a quantifier overstated;
- `y_planned`: planned, attempted or failed, against done; `y_looks`, `y_case`: identifiers, options, versions, labels;
- `y_near`: another sentence of the same text; `y_long`: labelled pairs with their passage made longer;
- `x_cross`: claims against the nearest passage of another text, without a label (for the teacher).
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from random import Random

from words import AIMS, DIRECTIONS, DONE, FAILED, HEDGES, OPENERS, SAME, SMALL, VERBS

from data import Row, read_rows, sentences

WORD = re.compile(r"[A-Za-z][A-Za-z-]+")
AUX = r"(?:was|were|is|are|has|have|had|can|will|did|does|do)"
FINITE = re.compile(
    rf"\b(?:{AUX}|may|could|would|should|must|showed|shows|remain(?:s|ed)?|became|becomes|"
    r"increased|decreased|improved|reduced|provides?|contains?|includes?|allows?|uses?|causes?|makes?|needs?|occurs?|"
    r"received|reported|developed|affects?|requires?|began|took|won|played|moved|died|lived|worked|served)\b"
)
NUMBER = re.compile(r"(?<![\w.,/$\[-])(\d+(?:,\d{3})*(?:\.\d+)?)(%?)(?![\w/]|[.,]\d|-\d|-[a-z])")
PROBABILITY = re.compile(r"\b[pP]\s*[<=>≤]|\bCI\b|confidence interval")
OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]+|\b\w+_\w+\b|\b[a-z]+(?:\.[a-z]+){1,3}\b(?!\.)|\b[A-Z]{2,}(?:_[A-Z]+)+\b")
VERSION = re.compile(r"\b(\d{1,2})\.(\d{1,3})((?:\.\d{1,3})?)\b(?!%)")
LABELLED = re.compile(
    r"\b([Gg]roup|[Tt]ype|[Hh]epatitis|[Vv]itamin|[Ss]tage|[Gg]rade|[Pp]hase|[Cc]lass|[Ll]evel|[Aa]rm|[Cc]ohort|[Ff]actor|"
    r"[Mm]odel|[Vv]ersion|[Ss]tep|[Ss]ection|[Pp]art|[Cc]hapter|[Ss]eason) ([A-Z]|\d|I{1,3}|IV)\b"
)
NO_EVENT = rf"^(?:by|that|to|whether|in|from|at|for|on|with|as|of|early|when|if|no|not|significant)\b|\b{AUX}\b|\bmay\b"
PASSAGES = ("own_docs", "own_med", "own_sci", "own_wiki", "x_topic", "fever", "wice_train", "evinf")
ITEM = r"[\w'-]+(?: [\w'-]+){0,2}"
MEASURED = re.compile(
    r"\b[Tt]he ((?:[a-z-]{4,12} ){1,2}(?:rate|level|score|group|dose|risk|time|size|cost|count|index|length|weight|"
    r"area|server|test|class))\b"
)
LETTERS = "ABCDEFGHK"


@dataclass(frozen=True)
class Text:
    source: str
    units: tuple[str, ...]
    valid: bool


def words_of(text: str) -> set[str]:
    return {word.lower() for word in WORD.findall(text)}


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def good(sentence: str) -> bool:
    size = len(sentence.split())
    return (
        6 <= size <= 45
        and sentence[0].isupper()
        and sentence.endswith(".")
        and sentence.count("(") == sentence.count(")")
        and sentence.count('"') % 2 == 0
        and ":" not in sentence
        and "http" not in sentence
    )


def read_texts(folder: Path) -> list[Text]:
    """Texts of the passages: pieces that belong to one question are joined; doubles are left out."""
    groups: dict[tuple[str, str], dict[str, bool]] = defaultdict(dict)
    for row in read_rows(folder / "questions.jsonl.gz"):
        key = row["question"] if row["source"] in ("pubmedqa", "xquad", "qnli") else row["passage"]
        groups[row["source"], key][row["passage"]] = row["part"] == "valid"
    for name in ("pairs", "extra"):
        for row in read_rows(folder / f"{name}.jsonl.gz"):
            source = row["source"]
            least = 25 if source.startswith("own") else 40
            if source in PASSAGES and len(row["passage"].split()) >= least:
                own = groups[source, row["passage"]]
                own[row["passage"]] = own.get(row["passage"], False) or row["part"] == "valid"
    common = Counter(unit for passages in groups.values() for passage in passages for unit in set(sentences(passage)))
    out, seen = [], set()
    for (source, _), passages in groups.items():
        units = [unit for passage in passages for unit in sentences(passage)]
        units = list(dict.fromkeys(unit for unit in units if 3 <= len(unit.split()) <= 60 and common[unit] < 5))
        key = "".join(units)[:120]
        if sum(map(good, units)) < 1 or key in seen:
            continue
        seen.add(key)
        share = int.from_bytes(blake2b(key.encode(), digest_size=4).digest(), "big") / 2**32
        out.append(Text(source, tuple(units), any(passages.values()) or share < 0.02))
    return out


class Maker:
    def __init__(self, texts: list[Text], random: Random) -> None:
        self.texts, self.random = texts, random
        self.rows: list[Row] = []
        self.seen: set[tuple[str, str]] = set()
        self.lower: Counter[str] = Counter()
        self.upper: Counter[str] = Counter()
        self.posts: dict[str, list[int]] = defaultdict(list)
        for number, text in enumerate(texts):
            for unit in text.units:
                for word in unit.split()[1:]:
                    word = word.strip(".,;()")
                    (self.lower if word == word.lower() else self.upper)[word.lower()] += 1
            for word in words_of(" ".join(text.units)):
                self.posts[word].append(number)
        self.rarity = {word: math.log(len(texts) / len(found)) for word, found in self.posts.items()}

    # ------------------------------------------------------------------ texts around a sentence

    def nearest(self, sentence: str, own: int, most: int = 400) -> int | None:
        """The text that has most of the sentence's rare words, the sentence's own left out."""
        score: Counter[int] = Counter()
        for word in words_of(sentence):
            found = self.posts.get(word, [])
            if len(found) <= most:
                for number in found:
                    score[number] += self.rarity[word]
        score.pop(own, None)
        valid = own >= 0 and self.texts[own].valid
        best = [number for number, _ in score.most_common(6) if self.texts[number].valid == valid]
        return self.random.choice(best[:3]) if best else None

    def around(self, number: int, at: int, replaced: str | None = None, without: bool = False) -> str:
        """A passage that holds sentence `at` of the text (or `replaced` in its place; or neither, `without`)."""
        units = list(self.texts[number].units)
        if without:
            units[at] = ""
        elif replaced is not None:
            units[at] = replaced
        reach = self.random.choice([0, 1, 2, 9, 9, 9, 9]) if not without else 9
        kept = units[max(0, at - reach) : at + reach + 1]
        place = at - max(0, at - reach)
        while sum(len(unit.split()) for unit in kept) > 150 and len(kept) > 1:
            drop = len(kept) - 1 if place < len(kept) / 2 else 0
            if drop == place:
                drop = 0 if drop else len(kept) - 1
            kept.pop(drop)
            place -= drop == 0
        if reach == 9 and sum(len(unit.split()) for unit in kept) < 90 and self.random.random() < 0.5:
            other = self.nearest(units[at] or self.texts[number].units[at], number)
            if other is not None:
                own = words_of(self.texts[number].units[at])
                far = [u for u in self.texts[other].units if len(words_of(u) & own) < 0.5 * len(own)][:4]
                kept = kept + far if self.random.random() < 0.5 else far + kept
        return " ".join(unit for unit in kept if unit)

    def add(self, source: str, claim: str, passage: str, label: str, number: int) -> None:
        claim = capital(" ".join(claim.split()).replace(" ,", ",").replace("..", "."))
        if (claim, passage) in self.seen or not passage or len(claim.split()) < 3:
            return
        self.seen.add((claim, passage))
        part = "valid" if number >= 0 and self.texts[number].valid else "train"
        self.rows.append({"source": source, "part": part, "claim": claim, "passage": passage, "label": label})

    def picked(self, wanted: Callable[[str], bool] = good) -> Iterator[tuple[int, int, str]]:
        """Sentences in random order: text, place, sentence."""
        all_of = [
            (number, at, unit)
            for number, text in enumerate(self.texts)
            for at, unit in enumerate(text.units)
            if good(unit) and wanted(unit)
        ]
        self.random.shuffle(all_of)
        yield from all_of

    # ------------------------------------------------------------------ what a sentence entails

    def lowered(self, text: str) -> str:
        """The text with a small first letter, unless its first word is a name."""
        first = text.split()[0].strip(",.;") if text.split() else ""
        plain = first[:1].lower() + first[1:]
        if plain.lower() == plain and self.lower[plain] > 2 * self.upper[plain] and first != "I":
            return text[:1].lower() + text[1:]
        return text

    def cuts(self, sentence: str) -> list[str]:
        """Clauses that the sentence asserts."""
        out = []
        body = sentence.rstrip(".")
        bare = re.sub(r"\s*[(\[][^()\[\]]*[)\]]", "", body)
        opened = re.sub(OPENERS, "", bare)
        told = re.match(
            r"(?:We|The authors|Th(?:e|is) study|(?:Our|The|These) (?:results|findings|data)|It was|Researchers|This) "
            r"(?:have |has |also |clearly )?(?:found|showed|shown|shows?|demonstrated?|demonstrates|observed|"
            r"confirm(?:ed)?|reveal(?:ed)?) that (.+)$",
            opened,
        )
        main = capital(told.group(1)) if told else capital(opened)
        if main != body and len(main.split()) >= 5:
            out.append(main)
        risky = re.search(
            r"\b(?:[Ii]f|[Uu]nless|[Nn]either|[Nn]ot only|[Ee]ither|[Oo]nly|[Ee]xcept|[Ww]hether|[Ww]ould)\b", main
        )
        if not risky:
            tail = re.match(
                r"(.+?)(?:, (?:which|who|including|such as|although|whereas|while|suggesting|indicating|making|where|"
                r"resulting in|leading to|especially|particularly|but)|;) [^,;]+$",
                main,
            )
            if tail and "," not in tail.group(1) and FINITE.search(tail.group(1)) and len(tail.group(1).split()) >= 5:
                out.append(tail.group(1))
            clause = re.match(r"([^,;]+), (?:and|but|whereas|while|although) ([^,;]+)$", main)
            if clause:
                for part in clause.groups():
                    first = part.split()[0].lower()
                    subject = first in SMALL or self.upper[first] > self.lower[first] or part == clause.group(1)
                    if (
                        subject
                        and first not in ("it", "they", "this", "he", "she")
                        and FINITE.search(" ".join(part.split()[1:]))
                        and len(part.split()) >= 5
                        and not re.match(r"(?:Although|While|When|After|Because|In|For|To)\b", part)
                    ):
                        out.append(part)
            verbs = re.match(rf"([^,;]+?) ({AUX}) ([^,;]+?) and (\2) ([^,;]+)$", main)
            if verbs:
                out += [f"{verbs[1]} {verbs[2]} {verbs[3]}", f"{verbs[1]} {verbs[2]} {verbs[5]}"]
            apposed = re.match(rf"([A-Z][\w. -]{{2,40}}), ((?:an?|the) [^,]{{5,60}}), ({AUX}) (.+)$", main)
            if apposed and not re.search(r"\b(?:In|At|For|By|On|To|After|During)\b", apposed[1]):
                out.append(f"{apposed[1]} {apposed[3]} {apposed[4]}")
                out.append(f"{apposed[1]} {'was' if apposed[3] in ('was', 'had', 'did') else 'is'} {apposed[2]}")
            listed = re.match(
                r"(.+ (?:includes?|included|contains?|contained|supports|provides|are|were|such as)) "
                rf"({ITEM}), ((?:{ITEM}, )*)({ITEM}),? and ({ITEM})$",
                main,
            )
            if listed and "," not in listed[1] and "such as" not in listed[1]:
                items = [listed[2], *[item for item in listed[3].split(", ") if item], listed[4], listed[5]]
                if not re.search(r" (?:are|were)$", listed[1]):
                    out.append(f"{listed[1]} {self.random.choice(items)}")
                turned = items[1:] + items[:1]
                out.append(f"{listed[1]} {', '.join(turned[:-1])} and {turned[-1]}")
        return [f"{capital(text.strip())}." for text in dict.fromkeys(out) if len(text.split()) <= 40]

    def restated(self, sentence: str) -> list[str]:
        """The whole sentence in other words."""
        out = []
        body = sentence.rstrip(".")
        front = re.match(
            r"(Although|Though|While|When|If|After|Before|Because|Once|Until|As soon as) ([^,;]+), ([^;]+)$", body
        )
        if front and front[3].split()[0] not in ("then", "and", "or") and front[3].count(",") < 2:
            out.append(f"{capital(front[3])} {front[1].lower()} {front[2]}")
        back = re.match(r"([^,;]+?),? (although|when|if|after|before|because|until) ((?:\S+ ){3,}\S+)$", body)
        if back and FINITE.search(back[1]) and FINITE.search(back[3]) and "," not in back[3]:
            out.append(f"{capital(back[2])} {back[3]}, {self.lowered(back[1])}")
        lead = re.match(r"((?:In|During|At|Among|By|On|From|Within|Under|Throughout) [^,;]{3,60}), ((?:[^,;]+))$", body)
        if lead and FINITE.search(lead[2]) and not re.match(r"In (?:contrast|addition|fact|general|summary)", lead[1]):
            out.append(f"{capital(lead[2])} {lead[1][0].lower()}{lead[1][1:]}")
        there = re.match(r"There (was|were|is|are) (.+?) (in|between|among|for|at) ([^,;]+)$", body)
        if there and "," not in there[2] and len(there[2].split()) < 12:
            out.append(f"{capital(there[3])} {there[4]} there {there[1]} {there[2]}")
        active = re.match(
            r"(?:We|The authors) (\w+) ([^,;]+?)( (?:in|from|using|by|with|at|for|of patients) [^,;]+)?$", body
        )
        if (
            active
            and active[1] in PARTICIPLE
            and not re.search(r"\b(?:that|and|whether|to|how|our|ourselves)\b", active[2])
        ):
            last = active[2].split()[-1]
            be = "were" if last.endswith("s") and not last.endswith(("ss", "is", "us")) else "was"
            out.append(f"{capital(active[2])} {be} {PARTICIPLE[active[1]]}{active[3] or ''}")
            who = self.random.choice(["The researchers", "The authors", "The team"])
            out.append(f"{who} {active[1]} {active[2]}{active[3] or ''}")
        more = re.match(
            r"(.+?) (was|were|is|are) (\w*er|more \w+|less \w+) ((?:in|for|among|with) )(.+?) "
            r"than (?:in |for |among |with )(.+)$",
            body,
        )
        if more and more[3] in OPPOSITE and "," not in more[5] + more[6]:
            out.append(f"{more[1]} {more[2]} {OPPOSITE[more[3]]} {more[4]}{more[6]} than {more[4]}{more[5]}")
        words = self.reworded(body)
        if words:
            out.append(words)
        out += [again for text in list(out) if (again := self.reworded(text)) and self.random.random() < 0.5]
        return [f"{capital(text.strip())}." for text in dict.fromkeys(out)]

    def reworded(self, text: str) -> str | None:
        """One to three words or spellings replaced by ones of the same sense."""
        found = [(old, new) for old, new in SAME if re.search(old, text)]
        self.random.shuffle(found)
        out = text
        for old, new in found[: self.random.choice([1, 2, 3])]:
            out = re.sub(old, new, out, count=1)
        return out if out != text else None

    # ------------------------------------------------------------------ what it excludes or leaves open

    def denied(self, sentence: str) -> str | None:
        if re.search(
            r"\b(?:not|no|never|none|neither|nor|without|cannot|few|little|rarely|hardly|any)\b|n't", sentence, re.I
        ):
            plain = re.sub(r"\b(was|were|is|are|has|have|had|can|will) not\b", r"\1", sentence, count=1)
            plain = re.sub(r"\bThere (was|were) no\b", r"There \1 a", plain, count=1) if plain == sentence else plain
            return plain if plain != sentence and "any" not in plain else None
        if re.match(
            r"(?:All|Every|Each|Most|Some|Both|Many|Several|Although|If|When|While|Because|After|Since)\b", sentence
        ):
            return None
        if re.search(r",|;", sentence) and self.random.random() < 0.5:
            return None
        found = re.search(rf"\b{AUX}\b", sentence)
        if found:
            return f"{sentence[: found.end()]} not{sentence[found.end() :]}"
        for verb in re.finditer(r"\b[a-z]+\b", sentence):
            if verb.group() in BASE and verb.start() > 2:
                return f"{sentence[: verb.start()]}did not {BASE[verb.group()]}{sentence[verb.end() :]}"
        return None

    def renumbered(self, sentence: str) -> str | None:
        if PROBABILITY.search(sentence):
            return None
        found = list(NUMBER.finditer(sentence))
        if not found:
            return None
        one = self.random.choice(found)
        old = one.group(1)
        value = float(old.replace(",", ""))
        if "." in old:
            digits = len(old.split(".")[1])
            new = f"{value * self.random.choice([0.5, 0.7, 1.3, 1.6, 2.1]):.{digits}f}"
        elif 1700 <= value <= 2030 and "," not in old:
            new = str(int(value) + self.random.choice([-30, -11, -4, -2, -1, 1, 2, 3, 7, 12]))
        else:
            change = [0.5, 0.75, 1.2, 1.5, 2, 3]
            new = str(max(1, round(value * self.random.choice(change)) + self.random.choice([-1, 0, 1, 2])))
            new = f"{int(new):,}" if "," in old else new
        if float(new.replace(",", "")) == value or (one.group(2) and float(new.replace(",", "")) > 100):
            return None
        return sentence[: one.start(1)] + new + sentence[one.end(1) :]

    def turned(self, sentence: str) -> str | None:
        """A word of direction replaced by its opposite."""
        found = [(old, new) for old, new in DIRECTIONS if re.search(rf"\b{old}\b", sentence)]
        if not found:
            return None
        old, new = self.random.choice(found)
        return re.sub(rf"\b{old}\b", new, sentence, count=1)

    def exchanged(self, sentence: str) -> str | None:
        """The sides of a comparison exchanged."""
        found = re.match(
            r"(.*\b(?:higher|lower|greater|more|less|better|worse|longer|shorter|larger|smaller|faster|slower)\b"
            r"[^,]*?) "
            r"(in|for|among|with) ([^,]{3,50}?) (than|compared (?:with|to)) (?:\2 )?([^,]{3,50}?)\.$",
            sentence,
        )
        if not found or found[3].strip().lower() == found[5].strip().lower():
            return None
        return f"{found[1]} {found[2]} {found[5]} {found[4]} {found[2]} {found[3]}."

    def rebound(self, sentence: str) -> str | None:
        """Two figures of the same kind exchanged."""
        if PROBABILITY.search(sentence):
            return None
        found = list(NUMBER.finditer(sentence))
        pairs = [
            (a, b)
            for number, a in enumerate(found)
            for b in found[number + 1 :]
            if a.group(2) == b.group(2)
            and a.group(1) != b.group(1)
            and ("." in a.group(1)) == ("." in b.group(1))
            and len(a.group(1)) - len(b.group(1)) in (-1, 0, 1)
            and re.search(r"[a-z]", re.sub(r"\b(?:to|and|or|vs)\b", "", sentence[a.end() : b.start()]))
            and not re.search(r"\b(?:of|from|between)\s*$", sentence[: a.start()])
        ]
        if not pairs:
            return None
        a, b = self.random.choice(pairs)
        return sentence[: a.start(1)] + b.group(1) + sentence[a.end(1) : b.start(1)] + a.group(1) + sentence[b.end(1) :]

    def falsified(self, claim: str) -> str | None:
        ways = [self.denied, self.renumbered, self.turned, self.turned, self.exchanged, self.rebound, self.renumbered]
        self.random.shuffle(ways)
        return next((out for way in ways if (out := way(claim)) and out != claim), None)

    # ------------------------------------------------------------------ the kinds

    def told(self, source: str, makers: Callable[[str], list[str]], count: int) -> None:
        """True claims made from a sentence, against passages that hold it; false twins; and the text without it."""
        start = len(self.rows)
        for number, at, sentence in self.picked():
            if len(self.rows) - start >= count:
                return
            claims = makers(sentence)
            if not claims:
                continue
            claim = self.random.choice(claims)
            self.add(source, claim, self.around(number, at), "supports", number)
            chance = self.random.random()
            if chance < 0.75 and (wrong := self.falsified(claim)):
                self.add(source, wrong, self.around(number, at), "refutes", number)
            elif chance < 0.9 and (wrong := self.falsified(sentence)) and FINITE.search(claim):
                # the passage is what is altered; the claim stays as it was
                same_figures = set(NUMBER.findall(sentence)) == set(NUMBER.findall(wrong))
                others = makers(wrong) if same_figures or NUMBER.search(claim) else []
                if others and claim not in others and claim != wrong:
                    self.add(source, claim, self.around(number, at, replaced=wrong), "refutes", number)
            if chance > 0.6 and len(self.texts[number].units) >= 3 and self.alone(number, at):
                self.add(source, claim, self.around(number, at, without=True), "silent", number)

    def alone(self, number: int, at: int) -> bool:
        """Whether no other sentence of the text has half of this one's words."""
        own = words_of(self.texts[number].units[at])
        rest = (unit for place, unit in enumerate(self.texts[number].units) if place != at)
        return all(len(own & words_of(unit)) < 0.45 * len(own) for unit in rest)

    def near(self, count: int) -> None:
        start = len(self.rows)
        for number, at, sentence in self.picked():
            if len(self.rows) - start >= count:
                return
            units = self.texts[number].units
            if len(units) < 2 or not self.alone(number, at):
                continue
            other = (at + 1) % len(units)
            claim = self.random.choice([sentence, *self.cuts(sentence), *self.restated(sentence)])
            if self.random.random() < 0.55 and len(units[other].split()) > 6:
                self.add("y_near", claim, units[other], "silent", number)
            else:
                passage = self.around(number, at)
                self.add("y_near", claim, passage, "supports", number)
                if len(units) > 2:
                    self.add("y_near", claim, self.around(number, at, without=True), "silent", number)

    def bound(self, count: int) -> None:
        start = len(self.rows)
        for number, at, sentence in self.picked(lambda unit: len(NUMBER.findall(unit)) >= 2):
            if len(self.rows) - start >= count:
                return
            wrong = self.rebound(sentence)
            if not wrong:
                continue
            passage = self.around(number, at)
            self.add("y_bind", wrong, passage, "refutes", number)
            right = self.restated(sentence) + self.cuts(sentence)
            claim = self.random.choice(right or [sentence])
            if len(NUMBER.findall(claim)) >= 1:
                self.add("y_bind", claim, passage, "supports", number)
                if (wrong := self.rebound(claim)) and self.random.random() < 0.5:
                    self.add("y_bind", wrong, passage, "refutes", number)
        names = sorted({name for text in self.texts for unit in text.units for name in MEASURED.findall(unit)})
        while len(self.rows) - start < count:
            a, b = self.random.sample(names, 2)
            x, y = (
                self.random.choice([self.random.randint(2, 99), round(self.random.uniform(0.5, 60), 1)]) for _ in "ab"
            )
            unit = self.random.choice(["%", "%", " points", " days", " mg", " km", ""])
            form = self.random.choice(FIGURES)
            host = self.random.randrange(len(self.texts))
            core = capital(form[0].format(a=a, b=b, x=x, y=y, u=unit))
            units = list(self.texts[host].units[:4])
            units.insert(self.random.randint(0, len(units)), core)
            passage = " ".join(units) if self.random.random() < 0.7 else core
            right, wrong = self.random.choice(form[1]), self.random.choice(form[1])
            first = {"a": a, "b": b, "x": x, "y": y, "u": unit}
            self.add("y_bind", right.format(**first), passage, "supports", host)
            if x != y:
                self.add("y_bind", wrong.format(**first | {"x": y, "y": x}), passage, "refutes", host)

    def strengthened(self, count: int) -> None:
        start = len(self.rows)
        for number, at, sentence in self.picked(
            lambda unit: " not " not in unit and any(re.search(old, unit) for old, _ in HEDGES)
        ):
            if len(self.rows) - start >= count:
                return
            old, new = self.random.choice([pair for pair in HEDGES if re.search(pair[0], sentence)])
            strong = re.sub(old, new, sentence, count=1)
            passage = self.around(number, at)
            self.add("y_strong", strong, passage, "silent" if "all" not in new else "not_supports", number)
            claims = self.restated(sentence) + self.cuts(sentence)
            if claims:
                self.add("y_strong", self.random.choice(claims), passage, "supports", number)

    def planned(self, count: int) -> None:
        """Events of real sentences, told as an aim, as done, or as failed."""
        start = len(self.rows)
        pattern = re.compile(
            r"(We|The (?:[a-z-]+ ){0,2}[a-z]+|(?!The\b|An?\b|It\b|To\b|No\b|In\b)[A-Z][\w.]+(?: [A-Z][\w.]+){0,2}) "
            r"(?:also |later |then )?("
            + "|".join(sorted(PAST, key=len, reverse=True)) + r") ((?:[^\s,;]+ ){1,14}[^\s,;]+)\.$"
        )  # fmt: skip
        events = []
        for number, at, sentence in self.picked():
            found = pattern.match(re.sub(OPENERS, "", sentence))
            if (
                not found
                or re.search(NO_EVENT, found[3])
                or re.search(rf"\b(?:{AUX}|to|be|may|that|further|not|no)\b", found[1])
            ):
                continue
            first = found[1].split()[0].lower()
            if found[1] == "We" or first == "the" or self.upper[first] > 2 * self.lower[first]:
                who = self.random.choice(WHO) if found[1] == "We" else found[1]
                events.append((number, at, who, PAST[found[2]], found[3]))
        tries = 0
        while len(self.rows) - start < count and tries < 4 * count:
            tries += 1
            number, at, who, (base, past, participle, gerund), what = self.random.choice(events)
            form = {"b": base, "t": past, "p": participle, "g": gerund, "o": what, "S": who, "s": self.lowered(who)}
            many = who.startswith("The ") and who.endswith("s") and not who.endswith(("ss", "us", "is", "ics"))
            form["w"], form["h"], form["i"] = ("were", "have", "are") if many else ("was", "has", "is")
            form["y"] = self.random.randint(2026, 2038)
            form["q"] = self.random.randint(1950, 2024)
            done = [f"{who} {past} {what}.", f"{who} {form['h']} {participle} {what}.", f"{who} did {base} {what}."]
            not_done = [f"{who} did not {base} {what}.", f"{who} {form['h']} not {participle} {what}."]
            aims = [f"{who} planned to {base} {what}.", f"{who} intended to {base} {what}."]
            failures = [f"{who} failed to {base} {what}.", f"{who} {form['w']} unable to {base} {what}."]
            kind = self.random.random()
            frames = DONE if kind < 0.45 else AIMS if kind < 0.75 else FAILED
            frame = capital(self.random.choice(frames).format(**form))
            rest = [unit for place, unit in enumerate(self.texts[number].units) if place != at]
            rest = rest if self.alone(number, at) else []
            here = self.random.randint(0, min(2, len(rest)))
            passage = " ".join([*rest[:here], frame, *rest[here : here + self.random.choice([0, 0, 1, 2])]])
            choose = self.random.choice

            def add(claim: str, label: str, passage: str = passage, number: int = number) -> None:
                self.add("y_planned", claim, passage, label, number)

            if frames is DONE:
                add(choose(done[:2] * 3 + done), "supports")
                if self.random.random() < 0.45:
                    add(choose(not_done + failures), "refutes")
            elif frames is AIMS:
                add(choose(done[:2] * 3 + done), "silent")
                if self.random.random() < 0.7 and not frame.startswith(("Nobody", "It was proposed", "Critics")):
                    add(choose(aims) if "plan" in frame or "inten" in frame else frame, "supports")
                if self.random.random() < 0.2:
                    add(choose(not_done), "silent")
            else:
                add(choose(done[:2] * 3 + done), "refutes")
                if self.random.random() < 0.75:
                    add(choose(not_done + failures), "supports")

    def looks(self, count: int) -> None:
        """Identifiers, versions and labels exchanged for near ones; the same ones kept."""
        start = len(self.rows)
        known: dict[str, set[str]] = defaultdict(set)
        for text in self.texts:
            for unit in text.units:
                for name in OPTION.findall(unit):
                    known[name[:2]].add(name)
        pool = {key: sorted(names) for key, names in known.items()}

        def wanted(unit: str) -> bool:
            return bool(OPTION.search(unit) or VERSION.search(unit) or LABELLED.search(unit))

        found = list(self.picked(wanted))
        while len(self.rows) - start < count:
            number, at, sentence = self.random.choice(found)
            passage = self.around(number, at)
            source, wrong, label = "y_looks", None, "not_supports"
            if (name := OPTION.search(sentence)) and self.random.random() < 0.6:
                old = name.group()
                new = self.random.choice(pool[old[:2]])
                if self.random.random() < 0.3:
                    new = old.replace("_", "-") if "_" in old else old + "s"
                if self.random.random() < 0.2:
                    new, source = old.upper() if old != old.upper() else old.lower(), "y_case"
                wrong = sentence.replace(old, new)
            elif one := LABELLED.search(sentence):
                old = one.group(2)
                choice = LETTERS if old in LETTERS else "123456" if old.isdigit() else ["I", "II", "III", "IV"]
                new = self.random.choice([item for item in choice if item != old])
                if one.group(0)[: -len(old)] + new in sentence:
                    continue
                wrong = sentence[: one.start(2)] + new + sentence[one.end(2) :]
            elif one := VERSION.search(sentence):
                minor = int(one.group(2)) + self.random.choice([-1, 1, 2, 3])
                new = f"{one.group(1)}.{abs(minor)}{one.group(3)}"
                wrong = sentence[: one.start()] + new + sentence[one.end() :]
                label = "refutes" if not re.search(r"or (?:later|newer|higher|above)|at least", sentence) else label
            if wrong and wrong != sentence:
                self.add(source, wrong, passage, label, number)
            claims = [sentence, *self.restated(sentence), *self.cuts(sentence)]
            self.add(source, self.random.choice(claims), passage, "supports", number)

    def lengthened(self, rows: Iterable[Row], count: int) -> None:
        """Labelled pairs with sentences of another text before and after their passage."""
        start = len(self.rows)
        for row in rows:
            if len(self.rows) - start >= count:
                return
            if row["part"] == "valid" or len(row["passage"].split()) > 70 or "\t" in row["passage"]:
                continue
            other = self.nearest(row["claim"], -1)
            if other is None or (row["label"] == "silent" and self.random.random() < 0.6):
                other = self.random.randrange(len(self.texts))
            if self.texts[other].valid:
                continue
            own = words_of(row["claim"])
            far = [unit for unit in self.texts[other].units if len(words_of(unit) & own) < 0.4 * len(own)]
            far = [
                unit
                for unit in far
                if not set(re.findall(r"[A-Z]\w+", unit)) & set(re.findall(r"[A-Z]\w+", row["claim"]))
            ][:5]
            if not far:
                continue
            passage = row["passage"] if row["passage"].rstrip().endswith((".", "!", "?")) else row["passage"] + "."
            here = self.random.randint(0, len(far))
            self.add("y_long", row["claim"], " ".join([*far[:here], passage, *far[here:]]), row["label"], -1)

    def crossed(self, rows: Iterable[Row], count: int) -> None:
        """Claims against the nearest passage of another text, to be labelled by the teacher."""
        start = len(self.rows)
        for number, _, sentence in self.picked():
            if len(self.rows) - start >= count // 2:
                break
            other = self.nearest(sentence, number)
            if other is None or self.texts[number].valid:
                continue
            claim = self.random.choice([sentence, *self.cuts(sentence), *self.restated(sentence)])
            self.add(
                "x_cross",
                claim,
                self.around(other, self.random.randrange(len(self.texts[other].units))),
                "unlabelled",
                number,
            )
        for row in rows:
            if len(self.rows) - start >= count:
                return
            other = self.nearest(row["claim"], -1)
            if other is not None and row["part"] == "train" and not self.texts[other].valid:
                place = self.random.randrange(len(self.texts[other].units))
                self.add("x_cross", row["claim"], self.around(other, place), "unlabelled", -1)


PAST = {past: (base, past, participle, gerund) for base, past, participle, gerund in VERBS}
PARTICIPLE = {past: participle for _, past, participle, _ in VERBS}
BASE = {past: base for base, past, _, _ in VERBS}
OPPOSITE = {"higher": "lower", "lower": "higher", "greater": "smaller", "smaller": "greater", "larger": "smaller",
            "longer": "shorter", "shorter": "longer", "faster": "slower", "slower": "faster", "older": "younger",
            "younger": "older", "more frequent": "less frequent", "more common": "less common"}  # fmt: skip
WHO = ("The authors", "The researchers", "The team", "The company", "The committee", "The investigators", "The council",
       "The ministry", "The university", "The firm", "The developers", "The agency", "The museum")  # fmt: skip
FIGURES = (
    (
        "the {a} was {x}{u} and the {b} was {y}{u}.",
        ("The {a} was {x}{u}.", "The {b} was {y}{u}.", "The {b} was {y}{u} and the {a} was {x}{u}."),
    ),
    (
        "the {a} and the {b} were {x}{u} and {y}{u}, respectively.",
        ("The {a} was {x}{u}.", "The {b} was {y}{u}.", "For the {b}, the figure was {y}{u}."),
    ),
    (
        "the {a} rose by {x}{u}, while the {b} fell by {y}{u}.",
        ("The {a} rose by {x}{u}.", "The {b} fell by {y}{u}.", "There was a fall of {y}{u} in the {b}."),
    ),
    (
        "a value of {x}{u} was found for the {a}, against {y}{u} for the {b}.",
        ("For the {b}, the value was {y}{u}.", "The {a} had a value of {x}{u}."),
    ),
    ("with a {a} of {x}{u}, the {b} came to {y}{u}.", ("The {b} came to {y}{u}.", "The {a} was {x}{u}.")),
    ("the {b} is set to {y}{u}; the {a} is set to {x}{u}.", ("The {a} is set to {x}{u}.", "The {b} is {y}{u}.")),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--scale", type=float, default=1.0)
    options = parser.parse_args()
    random = Random(20)
    texts = read_texts(options.data)
    maker = Maker(texts, random)
    print(len(texts), "texts", dict(Counter(text.source for text in texts)))

    def size(count: int) -> int:
        return int(count * options.scale)

    labelled = list(read_rows(options.data / "pairs.jsonl.gz"))
    sources = ("evinf", "fever", "fm2", "creak", "own_sci", "own_wiki", "own_med", "own_docs", "mnli", "summedits")
    longer = [row for row in labelled if row["source"] in sources and row["label"] != "not_supports"]
    random.shuffle(longer)
    claims = [row for row in labelled if row["source"] in ("fever", "creak", "fm2", "evinf", "conjnli", "wice_train")]
    random.shuffle(claims)
    maker.told("y_clause", maker.cuts, size(18_000))
    maker.told("y_free", maker.restated, size(16_000))
    maker.near(size(7_000))
    maker.bound(size(8_000))
    maker.strengthened(size(4_000))
    maker.planned(size(12_000))
    maker.looks(size(7_000))
    maker.lengthened(longer, size(12_000))
    maker.crossed(claims, size(30_000))
    with gzip.open(options.out, "wt", encoding="utf-8") as out:
        for row in maker.rows:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    for (source, label), count in sorted(Counter((row["source"], row["label"]) for row in maker.rows).items()):
        print(source, label, count)


if __name__ == "__main__":
    main()
