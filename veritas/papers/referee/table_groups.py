"""Counts and percentages of whole tables: against the N of their group, and within the variable that they split."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veritas.papers.referee.finding import Check, Draft
from veritas.papers.referee.whole_tables import Pair, Row, WholeTable

SURE = 4
"""Cells of a column that must agree with its N, or rows whose percentages make up 100, before others are odd."""


def group_shares(table: WholeTable) -> Iterator[Draft | Check]:
    """Yield variables of a table whose percentages make up 100 and are not those of their counts, in a column whose
    other cells are. Missing values accuse nobody: the counts of the variable itself are the total."""
    if table.weighted:
        return
    for column, size in enumerate(table.sizes):
        agree, odd = 0, []
        for rows in table.blocks():
            pairs = [row.pairs[column] for row in rows]
            told = [pair for pair in pairs if pair is not None]
            if len(told) < 2 or len(told) != len(pairs):
                continue
            total = sum(pair.count for pair in told)
            yield "share"
            if all(pair.fits(total) for pair in told) or (size and all(pair.fits(size) for pair in told)):
                agree += len(told)
            elif _whole(told) and (size is None or total <= size):
                odd.append((rows, told, total))
        sure = agree >= SURE and agree >= 2 * sum(len(told) for _, told, _ in odd)
        for rows, told, total in odd:
            if sure or (total == size and _swapped(told, total)):
                yield from _odd_block(table, rows, told, total, agree)


def _swapped(pairs: Sequence[Pair], total: int) -> bool:
    """Return whether the percentages are those of the counts in another order, to a decimal."""
    shares = sorted(pair.share for pair in pairs)
    made = sorted(100 * pair.count / total for pair in pairs)
    return all(pair.places for pair in pairs) and all(
        abs(said - share) <= 1.001 * pairs[0].unit for said, share in zip(shares, made, strict=True)
    )


def _whole(pairs: Sequence[Pair]) -> bool:
    """Return whether percentages make up 100."""
    return abs(sum(pair.share for pair in pairs) - 100) <= max(pair.unit for pair in pairs) * (1 + len(pairs) / 2)


def _odd_block(
    table: WholeTable, rows: Sequence[Row], pairs: Sequence[Pair], total: int, agree: int
) -> Iterator[Draft]:
    """Yield the cells of one variable that are not its counts' percentages, as one finding."""
    wrong = [(row, pair) for row, pair in zip(rows, pairs, strict=True) if not pair.fits(total)]
    if len(wrong) < 2 and any(pair.places == 0 for _, pair in wrong):
        return
    made = [100 * pair.count / total for _, pair in wrong]
    if max(abs(m - pair.share) for m, (_, pair) in zip(made, wrong, strict=True)) <= 3 * pairs[0].unit:
        return  # made to add up to 100
    swapped = len(wrong) == 2 and all(
        abs(m - pair.share) <= 1.001 * pair.unit for m, (_, pair) in zip(reversed(made), wrong, strict=True)
    )
    name = rows[0].heading or table.name
    yield Draft(
        "share", "error", wrong[0][1].start, wrong[0][1].end,
        f"{table.name}, {name}: " + ", ".join(f"{row.label} {pair.text}" for row, pair in wrong),
        ", ".join(f"{row.label} {m:.{max(1, pair.places)}f} %" for m, (row, pair) in zip(made, wrong, strict=True)),
        "; ".join(f"100 × {pair.count} / {total} = {m:.2f}" for m, (_, pair) in zip(made, wrong, strict=True)),
        "one unit of the last digit" + (f"; {agree} other cells of this column agree" if agree else ""),
        "the two counts, or the two percentages, were swapped" if swapped else
        "another count or percentage were printed, or the percentages were of another group",
        tuple((f"{row.label}", pair.start, pair.end) for row, pair in wrong),
    )  # fmt: skip


def block_sums(table: WholeTable) -> Iterator[Draft | Check]:
    """Yield variables whose percentages add up to more than 100 although their counts are no more people than those of
    the other variables, all of which make up 100. It holds for weighted percentages too."""
    for column in range(len(table.sizes)):
        fits, totals, over = 0, [], []
        for rows in table.blocks():
            pairs = [row.pairs[column] for row in rows]
            told = [pair for pair in pairs if pair is not None]
            if len(told) < 2 or len(told) != len(pairs):
                continue
            yield "table-sum"
            total, shares = sum(pair.count for pair in told), sum(pair.share for pair in told)
            if _whole(told):
                fits += 1
                totals.append(total)
            elif shares >= 105:
                over.append((rows, told, total, shares))
        if fits < SURE or len(over) != 1 or over[0][2] > max(totals, key=totals.count):
            continue
        rows, told, total, shares = over[0]
        among = round(100 * total / shares)
        if any(all(pair.fits(n) for pair in told) for n in range(int(0.97 * among), int(1.03 * among) + 2)):
            continue  # several answers of the same people
        yield Draft(
            "table-sum", "error", told[0].start, told[0].end,
            f"{table.name}, {rows[0].heading}: "
            + ", ".join(f"{row.label} {pair.text}" for row, pair in zip(rows, told, strict=True)),
            f"{shares:.1f} % in all, of {total:,} people",
            f"{' + '.join(f'{pair.share:g}' for pair in told)} = {shares:.1f} %; "
            f"{' + '.join(str(pair.count) for pair in told)} = {total}",
            f"the rounding of each; {fits} other variables of this column make up 100 %",
            "people were counted in several rows, which the number of people does not show",
            tuple((row.label, pair.start, pair.end) for row, pair in zip(rows, told, strict=True)),
        )  # fmt: skip


def row_shares(table: WholeTable) -> Iterator[Draft | Check]:
    """Yield rows whose percentages across the groups do not make up 100, in a table where those of the others do."""
    groups = len(table.sizes)
    for first in range(2):
        held, odd, made = 0, [], 0
        if groups - first < 2:
            continue
        for row in table.rows:
            told = [pair for pair in row.pairs[first:] if pair is not None]
            if len(told) != groups - first or sum(pair.count for pair in told) < 2:
                continue
            made += 1
            total = sum(pair.share for pair in told)
            if abs(total - 100) <= told[0].unit * (1 + len(told) / 2):
                held += 1
            else:
                odd.append((row, told, total))
        if held < 2 * SURE or len(odd) > 2 or held < 0.85 * made:
            continue
        for _ in range(made):
            yield "table-sum"
        for row, told, total in odd:
            if not table.weighted and all(pair.fits(sum(each.count for each in told)) for pair in told):
                continue
            yield Draft(
                "table-sum", "error" if abs(total - 100) >= 1 else "rounding", told[0].start, told[-1].end,
                f"{table.name}, {row.label}: " + ", ".join(pair.text for pair in told), f"{total:.1f} % in all",
                f"{' + '.join(f'{pair.share:g}' for pair in told)} = {total:.1f} %",
                f"the rounding of each; {held} other rows make up 100 %",
                "people of this row were in no group, or in several",
                tuple((f"group {i}", pair.start, pair.end) for i, pair in enumerate(told, 1)),
            )  # fmt: skip
        return
