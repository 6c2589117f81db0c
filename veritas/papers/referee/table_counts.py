"""Whole tables of one paper against each other, against their own odds ratios, and against the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from veritas.documents.paper_parts import Figure
from veritas.papers.referee._draft import Draft
from veritas.papers.referee.finding import Check
from veritas.papers.referee.printed import printed
from veritas.papers.referee.whole_tables import Pair, Row, WholeTable
from veritas.text.sentences import sentences

AGREE = 6
"""Rows that must agree before another row is odd."""
_WORD = re.compile(r"[^\W_]+")


def across_tables(tables: Sequence[WholeTable]) -> Iterator[Draft | Check]:
    """Yield rows whose groups in one table are more than all of the same row in another, where those of the other rows
    make up just all."""
    for whole in tables:
        for parts in tables:
            if whole is not parts and len(whole.sizes) == 1 and len(parts.sizes) >= 2:
                yield from _parts_of(whole, parts)


def _parts_of(whole: WholeTable, parts: WholeTable) -> Iterator[Draft | Check]:
    alls, groups = _by_label(whole), _by_label(parts)
    held, odd = 0, []
    for key in alls.keys() & groups.keys():
        pair, told = alls[key].pairs[0], [each for each in groups[key].pairs if each is not None]
        if pair is None or len(told) != len(parts.sizes):
            continue
        made = sum(each.count for each in told)
        held += made == pair.count
        if made > pair.count:
            odd.append((groups[key], told, pair, made))
    if held < AGREE or len(odd) > 2:
        return
    yield from ["table-sum"] * held  # type: ignore[misc]
    for row, told, pair, made in odd:
        yield Draft(
            "table-sum", "error", told[0].start, told[-1].end,
            f"{parts.name}, {row.label}: {' and '.join(str(each.count) for each in told)}; {whole.name}: {pair.count}",
            f"{made} in {parts.name}", f"{' + '.join(str(each.count) for each in told)} = {made}, not {pair.count}",
            f"none: these are counts, and {held} other rows of both tables agree",
            f"the row of {whole.name} were a misprint, or the tables counted other people",
            (("all", pair.start, pair.end), *((f"group {i}", e.start, e.end) for i, e in enumerate(told, 1))),
        )  # fmt: skip


def _by_label(table: WholeTable) -> dict[tuple[str, ...], Row]:
    """Return the rows whose label names just one row of the table, by the words of the label; "yes" and "no" need the
    words of their heading too, and no other table may have told them in other words."""
    seen = Counter(_words(row.label) for row in table.rows)
    found = {}
    for row in table.rows:
        words = _words(row.label)
        found[words if seen[words] == 1 else (*_words(row.heading), "/", *words)] = row
    return found


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))


_REFERENCE = re.compile(r"^(?:1(?:[.·]0{1,3})?|(?:1(?:\.0+)?\s?)?\(?ref(?:erence|\.)?\)?)$", re.IGNORECASE)
_CRUDE = re.compile(r"\b(?:COR|crude|unadjusted|univaria\w+|bivaria\w+)\b", re.IGNORECASE)
_RATIO = re.compile(r"^(?P<value>\d{1,3}[.·]\d{1,3})\b(?:\s?[\[(*].*)?[*∗†‡a-d]{0,3}$")
_ODDS = re.compile(r"\bO\.?R\b|\bCOR\b|\bodds\b", re.IGNORECASE)


def odds_ratios(tables: Sequence[WholeTable]) -> Iterator[Draft | Check]:
    """Yield crude odds ratios that are not those of the counts beside them and of the row of reference. If all of a
    table are the reciprocals, that is one note: the other outcome may have been meant."""
    for table in tables:
        yield from _odds(table)


def _odds(table: WholeTable) -> Iterator[Draft | Check]:
    column = _crude_column(table)
    if column is None or len(table.sizes) < 2:
        return
    best: tuple[int, int] | None = None
    results: dict[tuple[int, int], list[tuple[str, Row, float, tuple[str, int, int], str]]] = {}
    for pick in ((0, 1), (1, 2)) if len(table.sizes) > 2 else ((0, 1),):
        told = list(_compared(table, column, pick))
        results[pick] = told
        fit = sum(kind != "odd" for kind, *_ in told)
        if best is None or fit > sum(kind != "odd" for kind, *_ in results[best]):
            best = pick
    told = results[best] if best else []
    kinds = Counter(kind for kind, *_ in told)
    for _ in told:
        yield "two-by-two"
    right, turned, odd = kinds["right"], kinds["turned"], kinds["odd"]
    if turned >= AGREE and turned >= 0.8 * len(told) and not right:
        _, row, made, cell, calculation = next(each for each in told if each[0] == "turned")
        yield Draft(
            "two-by-two", "note", cell[1], cell[2], f"{table.name}, {row.label}: {cell[0]}",
            f"{made:.3f}; so too {turned - 1} other crude odds ratios of this table",
            f"{calculation}; {cell[0]} is its reciprocal", "half a unit of the last digits",
            "the odds were those of the second group, or the other row was the reference",
            (("odds ratio", cell[1], cell[2]),),
        )  # fmt: skip
    elif right >= AGREE and odd + turned <= 2 and right >= 4 * (odd + turned):
        for kind, row, made, cell, calculation in told:
            if kind == "right":
                continue
            yield Draft(
                "two-by-two", "error", cell[1], cell[2], f"{table.name}, {row.label}: {cell[0]}", f"{made:.3f}",
                calculation + ("; the table has its reciprocal" if kind == "turned" else ""),
                f"half a unit of the last digits; {right} other crude odds ratios of this table agree",
                "the ratio was adjusted, or its counts are misprints", (("odds ratio", cell[1], cell[2]),),
            )  # fmt: skip


def _crude_column(table: WholeTable) -> int | None:
    """Return the column behind the label that the head calls crude odds ratios."""
    for cells in reversed(table.head):
        for i, (name, _, _) in enumerate(cells):
            if _CRUDE.search(name) and _ODDS.search(name + " " + table.caption):
                width = max(len(row.cells) for row in table.rows)
                return i - 1 if len(cells) > width or not cells[0][0] else i if len(cells) == width else i - 1
    return None


def _compared(
    table: WholeTable, column: int, pick: tuple[int, int]
) -> Iterator[tuple[str, Row, float, tuple[str, int, int], str]]:
    for rows in table.blocks():
        base = [row for row in rows if column < len(row.cells) and _REFERENCE.match(row.cells[column][0])]
        if len(base) != 1 or any(row.pairs[i] is None for row in rows for i in pick):
            continue
        c, d = (_count(base[0], i) for i in pick)
        for row in rows:
            match = _RATIO.match(row.cells[column][0]) if column < len(row.cells) else None
            a, b = (_count(row, i) for i in pick)
            said = printed(match["value"]) if match else None
            if row is base[0] or said is None or min(a, b, c, d) < 1 or not said.value:
                continue
            made = a * d / (b * c)
            near, inverse = abs(made - said.value), abs(1 / made - said.value)
            allowed = 1.2 * said.half + 0.02 * said.value
            if 0.85 < made < 1.18:
                continue  # it is about its own reciprocal
            kind = "right" if near <= allowed else "turned" if inverse <= allowed else "odd"
            yield kind, row, made, row.cells[column], f"({a} × {d}) / ({b} × {c}) = {made:.3f}"


def _count(row: Row, i: int) -> int:
    pair = row.pairs[i]
    return pair.count if pair is not None else 0


_TOLD = re.compile(
    r"(?<![\d.,/=–−-])(?P<count>\d{1,3}(?:,\d{3})+|\d{2,7})(?P<noun>(?:\s[a-z][\w-]*){0,3})\s?[(\[]\s?"
    r"(?P<share>\d{1,3}(?:\.\d{1,2})?)\s?(?:wt\s?)?%\s?[)\]]"
)
_WHOLE = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+|(?<![\d.,])\d{2,7}(?![\d.,]*\d)")
_HAVING = re.compile(
    r"^\s(?:who |that )?(?:had|has|have|having|with|reported|suffered from|were diagnosed with)\s", re.IGNORECASE
)
_WITHOUT = re.compile(
    r"\b(?:no|not|without|non|free|absence|lack\w*|never|neither|none)\b|n[’']t\b|\bun\w+", re.IGNORECASE
)


def text_against_tables(text: str, tables: Sequence[WholeTable]) -> Iterator[Draft | Check]:
    """Yield counts with percentages of the text that a table has otherwise: the same count of the row that the sentence
    names with another percentage, and people who "had" what the table's row "No" counts."""
    if not tables:
        return
    by_count: dict[int, list[tuple[WholeTable, Row, Pair]]] = {}
    for table in tables:
        for row in table.rows:
            for pair in row.pairs:
                if pair is not None:
                    by_count.setdefault(pair.count, []).append((table, row, pair))
    numbers = {int(match[0].replace(",", "")) for match in _WHOLE.finditer(text)}
    for span in sentences(text):
        sentence = text[span.start : span.end]
        if "\t" in sentence or "%" not in sentence:
            continue
        for match in _TOLD.finditer(sentence):
            count, share = int(match["count"].replace(",", "")), printed(match["share"])
            cells = by_count.get(count, [])
            if share is None or len(cells) != 1:
                continue
            yield "table-cell"
            yield from _against(sentence, span.start, match, cells[0], share.value, share.places, numbers)


def _against(
    sentence: str, at: int, match: re.Match[str], cell: tuple[WholeTable, Row, Pair], share: float, places: int,
    numbers: set[int],
) -> Iterator[Draft]:  # fmt: skip
    table, row, pair = cell
    start, end = at + match.start(), at + match.end()
    inputs = (("text", start, end), (table.name, pair.start, pair.end))
    same = abs(pair.share - share) <= 0.51 * 10.0 ** -min(places, pair.places)
    rest = re.split(r"[;,.]\s", sentence[match.end() :])[0]
    if same and row.label.casefold() == "no":
        had, names = _HAVING.match(rest), _stems(row.heading)
        first = _stems(rest[had.end() :][:60]) if had else []
        if had and names and first[: len(names)] == names and not _WITHOUT.search(rest):
            yield Draft(
                "table-cell", "error", start, end + len(rest), f"{match[0]}{rest}",
                f"{table.name}, {row.heading}: {row.label} {pair.text}",
                f"{table.name} has these numbers in the row “{row.label}” of “{row.heading}”",
                "none", f"the rows of {table.name} were swapped", inputs,
            )  # fmt: skip
        return
    named = _stems(row.label)
    if same or pair.count < 30 or len(named) < 1 or len("".join(named)) < 6 or not row.pairs:
        return
    if not _contains(_stems(sentence[match.end() :][:120]), named) or len(row.pairs) != 1:
        return
    low, high = 100 * pair.count / (share + 10.0**-places), 100 * pair.count / max(share - 10.0**-places, 0.1)
    if any(low <= n <= high for n in numbers):
        return  # of another total
    yield Draft(
        "table-cell", "error", start, end, match[0], f"{table.name}, {row.label}: {pair.text}",
        f"{table.name} has {pair.share:g} % beside the same {pair.count}; {share:g} % would be of about "
        f"{100 * pair.count / share:.0f}, a number the paper does not have",
        "the rounding of both", "the text spoke of another total", inputs,
    )  # fmt: skip


def _stems(text: str) -> list[str]:
    words = _WORD.findall(text.casefold())
    return [word.removesuffix("s") for word in words if word not in ("the", "a", "of", "as", "an")]


def _contains(words: Sequence[str], named: Sequence[str]) -> bool:
    """Return whether words stand in a text in their order, side by side."""
    return any(list(words[i : i + len(named)]) == list(named) for i in range(len(words)))


_DECIMAL = r"\d{1,3}\.\d{2,4}"
_DASH = r"\s?(?:–|—|-|−|to|,)\s?"
_IN_TEXT = re.compile(
    rf"(?<![\w.·/–−-])(?P<value>{_DECIMAL})\s?[,;]?\s?[\[(]?\s?(?:9[05]\s?%\s?)?C\.?I\.?\s?[:=,]?\s?[\[(]?\s?"
    rf"(?P<low>{_DECIMAL}){_DASH}(?P<high>{_DECIMAL})(?![\d.]*\d)"
)
_IN_TABLE = re.compile(
    rf"(?<![\w.·/–−-])(?P<value>{_DECIMAL})(?:\s?[\[(]\s?|\t)(?P<low>{_DECIMAL}){_DASH}(?P<high>{_DECIMAL})(?![\d.]*\d)"
)
_ENDS = ("value", "low", "high")


def intervals_against_tables(text: str, figures: Sequence[Figure]) -> Iterator[Draft | Check]:
    """Yield intervals of sentences that refer to a table where one cell has the same estimate and one of the two ends,
    and another other end."""
    cells = [
        (figure.label, match)
        for figure in figures if figure.kind == "table" and figure.body is not None
        for match in _IN_TABLE.finditer(text, figure.body.start, figure.body.end)
    ]  # fmt: skip
    for span in sentences(text) if cells else ():
        if "\t" in text[span.start : span.end]:
            continue
        for match in _IN_TEXT.finditer(text, span.start, span.end):
            near = [(label, cell) for label, cell in cells if label in text[span.start : span.end] and label]
            if not near:
                continue
            yield "table-cell"
            alike = [[_same(match[name], cell[name]) for name in _ENDS] for _, cell in near]
            odd = [each for each, same in zip(near, alike, strict=True) if same[0] and sum(same) == 2]
            if any(all(same) for same in alike) or len(odd) != 1:
                continue
            label, cell = odd[0]
            yield Draft(
                "table-cell", "error", match.start(), match.end(),
                f"{match['value']}, {match['low']} to {match['high']}",
                f"{cell['value']}, {cell['low']} to {cell['high']} in {label}",
                f"{label} has {cell['low']} to {cell['high']} beside {cell['value']}", "half a unit of the last digit",
                f"the sentence spoke of another result than {label}",
                tuple((f"{label}, {name}", *cell.span(name)) for name in _ENDS),
            )  # fmt: skip


def _same(one: str, other: str) -> bool:
    """Return whether two prints may be of one number."""
    first, second = printed(one), printed(other)
    if first is None or second is None:
        return False
    return abs(first.value - second.value) <= 1.001 * max(first.half, second.half)
