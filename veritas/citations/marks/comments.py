"""The comments of source code in any language, as blocks of text with their place, told apart from strings."""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment of one or more lines; `start` is its offset in the source."""

    start: int
    text: str


_STRING = r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
_TICKS = r"|`(?:[^`\\]|\\.)*`"
_SYNTAX: dict[str, str] = {
    # name: strings first, so that the signs of a comment within a string count for nothing
    "slashes": rf"(?P<string>{_STRING}{_TICKS})|(?P<block>/\*.*?(?:\*/|\Z))|(?P<line>//[^\n]*)",
    "hash": rf"(?P<string>{_STRING})|(?P<block>(?!))|(?P<line>(?<![^\s;(){{}}\[\],])\#[^\n]*)",
    "both": rf"(?P<string>{_STRING})|(?P<block>/\*.*?(?:\*/|\Z))|(?P<line>//[^\n]*|(?<![^\s;(){{}}\[\],])\#[^\n]*)",
    "julia": rf"(?P<block>^[ \t]*(?:@doc\s+)?(?:raw|doc|md)?\"\"\".*?(?:\"\"\"|\Z)|\#=.*?(?:=\#|\Z))"
    rf"|(?P<string>\"\"\".*?(?:\"\"\"|\Z)|{_STRING})|(?P<line>(?<![^\s;(){{}}\[\],])\#[^\n]*)",
    "ruby": rf"(?P<string>{_STRING})|(?P<block>^=begin\b.*?(?:^=end\b|\Z))|(?P<line>(?<![^\s;(){{}}\[\],])\#[^\n]*)",
    "perl": rf"(?P<string>{_STRING})|(?P<block>^=[a-z]\w*\b.*?(?:^=cut\b|\Z))"
    r"|(?P<line>(?<![^\s;(){}\[\],])\#[^\n]*|^[ \t]*%[^\n]*)",  # or Prolog
    "powershell": rf"(?P<string>{_STRING})|(?P<block><\#.*?(?:\#>|\Z))|(?P<line>(?<![^\s;(){{}}\[\],])\#[^\n]*)",
    "elixir": rf"(?P<block>(?<=doc )~?[sS]?\"\"\".*?(?:\"\"\"|\Z))|(?P<string>{_STRING})"
    r"|(?P<line>(?<![^\s;(){}\[\],])\#[^\n]*)",
    "matlab": rf"(?P<string>{_STRING})|(?P<block>/\*.*?(?:\*/|\Z)|^[ \t]*%\{{\n.*?(?:^[ \t]*%\}}|\Z))"
    r"|(?P<line>//[^\n]*|%[^\n]*)",
    "dlang": rf"(?P<string>{_STRING}{_TICKS})|(?P<block>/\*.*?(?:\*/|\Z)|/\+.*?(?:\+/|\Z))|(?P<line>//[^\n]*)",
    "dashes": r"(?P<string>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\n]|'')*')"
    r"|(?P<block>--\[(=*)\[.*?(?:\]\3\]|\Z)|\{-.*?(?:-\}|\Z)|/[*-].*?(?:[*-]/|\Z))|(?P<line>--[^\n]*)",
    "semicolon": r"(?P<string>\"(?:[^\"\\]|\\.)*\")|(?P<block>\#\|.*?(?:\|\#|\Z))|(?P<line>;[^\n]*)",
    "percent": r"%(?:(?P<block>\{\n.*?\n%\})|(?P<string>(?!))|(?P<line>(?<!\\%)[^\n]*))",
    "markup": r"(?P<string>(?!))|(?P<block><!--.*?(?:-->|\Z)|/\*.*?(?:\*/|\Z)|<%(?:--|\#).*?(?:%>|\Z)|@\*.*?(?:\*@|\Z)"
    r"|\{\#.*?(?:\#\}|\Z)|\{\{!.*?(?:\}\}|\Z)|\{\{/\*.*?(?:\}\}|\Z))|(?P<line>(?<![:/\w])//[^\n]*|^[ \t]*-\#[^\n]*)",
    "bang": rf"(?P<string>{_STRING})|(?P<block>(?!))|(?P<line>![^\n]*|^[cC*]\s[^\n]*)",
    "quote": r"(?P<string>\"(?:[^\"\n]|\"\")*\")|(?P<block>(?!))|(?P<line>'[^\n]*|\bREM\b[^\n]*)",
    "vim": r"(?P<string>(?!))|(?P<block>(?!))|(?P<line>^\s*\"[^\n]*)",
    "ml": r"(?P<string>\"(?:[^\"\\]|\\.)*\")|(?P<block>[(/]\*.*?(?:\*[)/]|\Z))|(?P<line>//[^\n]*)",
    "batch": r"(?P<string>(?!))|(?P<block>(?!))|(?P<line>(?mi:^\s*(?:@?rem\b|::)[^\n]*))",
    "rst": r"(?P<string>(?!))|(?P<block>(?!))|(?P<line>(?m:^\s*\.\.\s[^\n]*))",
    "pascal": r"(?P<string>'[^'\n]*')|(?P<block>\(\*.*?(?:\*\)|\Z)|\{.*?(?:\}|\Z))|(?P<line>//[^\n]*)",
    "class": r"(?P<string>(?!))|(?P<block>(?!))|(?P<line>(?<!\\)%[^\n]*|'[^\n]*)",  # of LaTeX, or of Visual Basic
    "assembly": r"(?P<string>\"(?:[^\"\\\n]|\\.)*\")|(?P<block>/\*.*?(?:\*/|\Z))"
    r"|(?P<line>(?:;|//|(?:^|(?<=\s))[\#@|])[^\n]*)",
    "any": r"(?P<string>(?!))|(?P<block>/[*+-].*?(?:[*+-]/|\Z)|<!--.*?(?:-->|\Z)|\(\*.*?(?:\*\)|\Z))"
    r"|(?P<line>(?m:(?:^|(?<=\s))(?:\#|//|--|;|%|!|\*|\\\*|⍝|dnl\b|REM\b)[^\n]*))",
}
_OF: dict[str, str] = {
    suffix: syntax
    for syntax, suffixes in {
        "slashes": "c h cc cpp cxx hpp hh hxx cu cuh java js jsx mjs cjs ts tsx mts cts go rs swift kt kts scala cs "
        "mm dart groovy gradle proto sol zig v sv svh glsl vert frag wgsl metal css scss sass less jsonc json5 jsonnet "
        "stan typ adoc odin hlsl ino",
        "julia": "jl",
        "hash": "sh bash zsh fish r yml yaml toml cmake mk tcl nim cr coffee conf cfg ini env awk "
        "sed "
        "gitignore dockerignore properties gp gnuplot smk star bzl bazel",
        "both": "php tf hcl nix",
        "ruby": "rb rake gemspec",
        "perl": "pl pm pod t raku",
        "powershell": "ps1 psm1 psd1",
        "elixir": "ex exs",
        "matlab": "m",
        "dlang": "d di",
        "pascal": "pas dpr lpr",
        "class": "cls",
        "assembly": "asm s",
        "dashes": "sql lua hs lhs ada adb ads vhd vhdl elm agda idr purs lean",
        "semicolon": "lisp lsp el clj cljs cljc scm ss rkt",
        "percent": "tex ltx rnw snw rtex sty bib erl hrl pro mat",
        "markup": "html htm xml xhtml svg vue svelte astro xsl xsd jsp jspx asp "
        "aspx cshtml razor erb ejs hbs handlebars mustache jinja jinja2 j2 twig njk liquid tpl tmpl gohtml haml pug",
        "bang": "f f77 f90 f95 f03 f08 for ftn",
        "quote": "vb vbs bas frm",
        "vim": "vim",
        "ml": "ml mli fs fsi fsx sml v",
        "batch": "bat cmd",
        "rst": "rst",
    }.items()
    for suffix in suffixes.split()
}
_NAMES = dict.fromkeys(("makefile", "dockerfile", "justfile", "rakefile", "gemfile", "snakefile"), "hash")
_COMPILED: dict[str, re.Pattern[str]] = {}


def comments(source: str, name: str) -> list[Comment]:
    """Return the comments of a source file called `name`, in order; line comments on adjoining lines are one."""
    suffix = name[name.rfind(".") + 1 :].lower() if "." in name else ""
    if suffix in ("py", "pyi", "pyx"):
        found = _python(source)
        if found is not None:
            return found
        syntax = "hash"
    else:
        syntax = _OF.get(suffix) or _NAMES.get(name.lower()) or _shebang(source)
    pattern = _COMPILED.get(syntax)
    if pattern is None:
        pattern = _COMPILED[syntax] = re.compile(_SYNTAX[syntax], re.DOTALL | re.MULTILINE)
    pieces: list[tuple[int, int, Literal["line", "block"]]] = []
    for match in pattern.finditer(source):
        if match.lastgroup == "string" or match.end() == match.start():
            continue
        kind: Literal["line", "block"] = "line" if match["line"] is not None else "block"
        pieces.append((match.start(), match.end(), kind))
    return _joined(source, pieces)


def _shebang(source: str) -> str:
    return "hash" if source.startswith("#!") else "any"


def _joined(source: str, pieces: list[tuple[int, int, Literal["line", "block"]]]) -> list[Comment]:
    joined: list[tuple[int, int]] = []
    last = ""
    for start, end, kind in pieces:
        between = source[joined[-1][1] : start] if joined else "x"
        if kind == last == "line" and not between.strip() and between.count("\n") == 1:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
        last = kind
    return [Comment(start, source[start:end]) for start, end in joined]


_PYTHON = re.compile(
    r"(?P<long>\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?''')"
    r"|(?P<string>\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?)|(?P<line>\#[^\n]*)",
    re.DOTALL,
)
_BEGINS = re.compile(r"[\"'#]")
"""Signs that `_PYTHON` can begin with; searching for them first is many times faster."""
_TELLING = ("citations/", "research", "doi:", "DOI:", "doi.org/", "cite:", "\\cite", "cite{", "[@", "(@")


def _python(source: str) -> list[Comment] | None:
    """Return the comments of Python and its docstrings; None if the file cannot be read.

    Python's own tokenizer is slow and used only if a possible docstring contains one of `_TELLING`.
    """
    pieces: list[tuple[int, int, Literal["line", "block"]]] = []
    at = 0
    while (begun := _BEGINS.search(source, at)) is not None:
        match = _PYTHON.match(source, begun.start())
        if match is None:
            at = begun.end()
            continue
        at = max(match.end(), begun.end())
        if match["line"] is not None:
            pieces.append((match.start(), match.end(), "line"))
        elif any(word in match.group() for word in _TELLING):
            line = source.rfind("\n", 0, match.start()) + 1
            if not source[line : match.start()].strip(" \trRuUbB"):
                return _tokenized(source)
    return _joined(source, pieces)


def _tokenized(source: str) -> list[Comment] | None:
    """Return comments and docstrings by Python's own tokenizer; None if it cannot read the file."""
    starts = [0]
    for line in source.split("\n"):  # as the tokenizer does; splitlines knows other line ends too
        starts.append(starts[-1] + len(line) + 1)
    pieces: list[tuple[int, int, Literal["line", "block"]]] = []
    statement = True  # whether a string here would be a statement of its own: a docstring
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return None
    for at, token in enumerate(tokens):
        start = starts[token.start[0] - 1] + token.start[1] if token.start[0] <= len(starts) else len(source)
        if token.type == tokenize.COMMENT:
            pieces.append((start, start + len(token.string), "line"))
        elif token.type == tokenize.STRING:
            alone = tokens[at + 1].type in (tokenize.NEWLINE, tokenize.ENDMARKER, tokenize.COMMENT)
            if statement and alone:
                pieces.append((start, start + len(token.string), "block"))
        if token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING):
            statement = True
        elif token.type not in (tokenize.NL, tokenize.COMMENT):
            statement = False
    return _joined(source, pieces)
