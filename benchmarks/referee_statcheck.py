"""The referee's reading of test statistics beside R's statcheck: extraction by extraction, verdict by verdict.

    python benchmarks/referee_statcheck.py [--tests FOLDER] [--papers FOLDER]

Needs R with the package statcheck (Debian: r-cran-statcheck); without it nothing is compared, and the script says so.
The strings are a built-in battery; with --tests those of statcheck's own tests (`tests/testthat` of its source) as
well, with --papers the text of every paper of a folder. What statcheck reads and the referee does not counts against
the referee; what only the referee reads ("t[28]", a semicolon) is counted apart. One-tailed tests and corrections are
left out of the comparison, because statcheck leaves them out by default.
"""

from __future__ import annotations

import argparse
import itertools
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from veritas.papers.reading.paper_text import read_file
from veritas.papers.referee.significance import Context, Reported, disagreement, reported_tests

PLAIN = Context(one_tailed=False, adjusted=(), level=0.05)
R = """
suppressMessages(library(statcheck))
files <- commandArgs(TRUE)
for (i in seq_along(files)) {
  text <- paste(readLines(files[i], encoding = "UTF-8", warn = FALSE), collapse = " ")
  found <- tryCatch({ capture.output(r <- statcheck(text, messages = FALSE)); r }, error = function(e) NULL)
  if (is.null(found) || is.null(nrow(found)) || length(found) == 0) next
  for (j in seq_len(nrow(found))) {
    row <- found[j, ]
    cells <- list(row$test_type, row$df1, row$df2, row$test_comp, row$test_value, row$p_comp, row$reported_p, row$error)
    said <- sapply(cells, function(x) if (length(x) == 0) "NA" else as.character(x))
    cat(i, said, gsub("[\t\n]", " ", row$raw), sep = "\t"); cat("\n")
  }
}
"""
_STRING = re.compile(r'(?<![\w])txt\d*\s*<-\s*"((?:[^"\\]|\\.)*)"')
_KINDS = {"Chi2": "chi2", "chisq": "chi2", "Z": "z", "Qw": "Q", "Qb": "Q", "cor": "r"}
Row = tuple[str, tuple[float, ...], str, float, str, float | None]


def battery() -> list[str]:
    """Return strings with every test, right and wrong, exact and bounded, in the spacings that papers use."""
    heads = ["t(28) = 2.20", "t(28) = -2.20", "F(2, 28) = 4.20", "F(1, 1,028) = 4.20", "r(28) = .42", "r(28) = -.42",
             "χ2(2) = 7.20", "χ2(2, N = 120) = 7.20", "z = 2.20", "Z = -2.20", "Q(12) = 22.20", "Qb(1) = 4.50",
             "t(28.4) = 1.2", "t(120) < 1.0", "t(120) > 3.3"]  # fmt: skip
    tails = ["p = .03", "p = .036", "p = 0.02", "p < .05", "p < .01", "p < .001", "p > .05", "p = .30", "ns", "n.s."]
    made = [f"The effect was tested, {head}, {tail}." for head, tail in itertools.product(heads, tails)]
    return [*made, *(text.replace(" = ", "=").replace(" < ", "<") for text in made[::3])]


def of_statcheck(texts: list[str]) -> dict[int, list[tuple[Row, bool, str]]]:
    """Return what statcheck reads in each text, with its verdict (True: an error) and the words."""
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for i, text in enumerate(texts):
            names.append(Path(folder, f"{i}.txt"))
            names[-1].write_text(text + "\n", encoding="utf-8")
        script = Path(folder, "run.R")
        script.write_text(R)
        out = []
        for at in range(0, len(names), 500):
            ran = subprocess.run(["Rscript", str(script), *map(str, names[at : at + 500])], capture_output=True,
                                 text=True, check=True, encoding="utf-8")  # fmt: skip
            out += [(at, line) for line in ran.stdout.splitlines()]
    found: dict[int, list[tuple[Row, bool, str]]] = {}
    for at, line in out:
        cells = line.split("\t")
        if len(cells) < 10:
            continue
        number, kind, df1, df2, sign, value, p_sign, p, error = cells[:9]
        df = tuple(float(each) for each in (df1, df2) if each != "NA")
        of = _KINDS.get(kind, kind)
        row = (of, df, sign, abs(float(value)), ">" if p_sign == "ns" else p_sign, None if p == "NA" else float(p))
        found.setdefault(at + int(number) - 1, []).append((row, error == "TRUE", cells[9]))
    return found


def row_of(test: Reported) -> Row:
    """Return a test that the referee read, in the same form."""
    df = tuple(each.value for each in test.df)
    p = None if test.p is None else test.p.value
    return (test.kind, df, test.sign, abs(test.value.value), test.p_sign, p)


def _same(one: Row, two: Row) -> bool:
    if one[0] != two[0] or one[2] != two[2] or one[4] != two[4] or len(one[1]) != len(two[1]):
        return False
    numbers = [*zip(one[1], two[1], strict=True), (one[3], two[3])]
    if one[5] is not None and two[5] is not None:
        numbers.append((one[5], two[5]))
    return (one[5] is None) == (two[5] is None) and all(abs(a - b) <= 1e-9 + 1e-9 * abs(a) for a, b in numbers)


def main() -> int:
    """Compare, and print every difference."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", type=Path, help="folder with statcheck's own tests (*.R)")
    parser.add_argument("--papers", type=Path, help="folder of papers")
    given = parser.parse_args()
    if shutil.which("Rscript") is None:
        print("skipped: there is no Rscript", file=sys.stderr)
        return 0
    if subprocess.run(["Rscript", "-e", "library(statcheck)"], capture_output=True).returncode:
        print("skipped: R has no package statcheck", file=sys.stderr)
        return 0
    texts = battery()
    if given.tests:
        strings = [s for file in sorted(given.tests.glob("*.R")) for s in _STRING.findall(file.read_text())]
        texts += [s.encode().decode("unicode_escape") if s.isascii() else s for s in strings]
    if given.papers:
        texts += [read_file(path).text for path in sorted(given.papers.iterdir()) if path.is_file()]
    theirs = of_statcheck(texts)
    read = missed = more = agreed = differ = 0
    for i, text in enumerate(texts):
        ours = list(reported_tests(text))
        for row, wrong, raw in theirs.get(i, []):
            read += 1
            match = next((test for test in ours if _same(row_of(test), row)), None)
            if match is None:
                missed += 1
                print(f"not read: {raw}  {row}")
                continue
            ours.remove(match)
            if (disagreement(match, PLAIN) is not None) == wrong:
                agreed += 1
            else:
                differ += 1
                print(f"verdict: {raw}: statcheck {'an error' if wrong else 'no error'}")
        more += len(ours)
        for test in ours:
            print(f"read by the referee alone: {text[test.start : test.end]}")
    print(f"statcheck read {read}; the referee read {read - missed} of them ({(read - missed) / max(1, read):.1%})")
    print(f"the same verdict on {agreed} of {agreed + differ} ({agreed / max(1, agreed + differ):.1%})")
    print(f"read by the referee alone: {more}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
