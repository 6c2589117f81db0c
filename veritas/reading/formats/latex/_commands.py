"""Tables of the text that LaTeX's commands print, to be read and extended."""

from __future__ import annotations

from veritas.text.markup import ACCENTS as ACCENTS
from veritas.text.markup import LETTERS
from veritas.text.wordlist import words

HEADINGS = words("part chapter section subsection subsubsection paragraph subparagraph title frametitle")

# Commands that print nothing, by the number of braced arguments dropped with them. Brackets are always dropped.
DROPPED: dict[str, int] = {
    **dict.fromkeys(
        words(
            """
            index includegraphics usepackage RequirePackage documentclass vspace hspace input include bibliography
            bibliographystyle pagestyle thispagestyle graphicspath includepdf nocite thanks inst affiliation email
            pagenumbering addbibresource hypersetup usetikzlibrary captionsetup pgfplotsset tikzset newcounter
            stepcounter refstepcounter vphantom hphantom phantom hyphenation selectlanguage geometry linespread cline
            rowcolor cellcolor columncolor color bibitem tag theoremstyle pdfinfo lstset sisetup institute orcid
            subfile todo marginpar hskip vskip ccsdesc received acmConference date author affil address
            tnote arrayrulecolor noalign
            """
        ),
        1,
    ),
    **dict.fromkeys(
        words("setlength addtolength newtheorem newenvironment fontsize rule definecolorset"), 2
    ),
    **dict.fromkeys(
        words("definecolor addcontentsline renewenvironment DeclareMathOperator specialrule crefname Crefname"), 3
    ),
    "cmidrule": 1,
}

# Commands that print their last argument, by the number of arguments before it.
LAST: dict[str, int] = {
    **dict.fromkeys(
        words("textcolor colorbox href raisebox parbox scalebox rotatebox hypertarget hyperlink foreignlanguage"), 1
    ),
    **dict.fromkeys(words("multicolumn multirow resizebox fcolorbox"), 2),
}

CITATIONS = words(
    """
    cite citep citet citealp citealt citeauthor citeyear citeyearpar citenum citetitle onlinecite shortcite parencite
    textcite autocite smartcite footcite footfullcite footcitetext fullcite supercite Cite Citet Citep Citealp Citealt
    Citeauthor Parencite Textcite Autocite Smartcite
    """
)
MANY_CITATIONS = words("cites parencites textcites autocites footcites smartcites supercites Parencites Textcites")
"""Citations that take any number of arguments, each with brackets of its own."""
COUNTING = words("label appendix setcounter addtocounter counterwithin numberwithin")
"""Commands that set counters and labels, and print nothing."""
REFERENCES = words("ref eqref autoref cref Cref pageref nameref vref subref")
NOTES = words("footnote footnotetext endnote")
VERBATIM = words("verbatim Verbatim lstlisting minted alltt verbatimtab")
FORMULAS = words("equation align gather multline eqnarray displaymath math flalign alignat subequations dmath")
UNSEEN = words("comment tikzpicture pgfpicture thebibliography filecontents picture CCSXML")
TABLES: dict[str, int] = {"tabular": 1, "tabularx": 2, "tabulary": 2, "longtable": 1, "array": 1, "supertabular": 1}
"""Environments of rows and cells, by the number of arguments before their content."""
SIZED: dict[str, int] = {
    **dict.fromkeys(words("minipage multicols subfigure subtable adjustbox"), 1),
    **dict.fromkeys(words("wrapfigure wraptable adjustwidth"), 2),
}
"""Environments whose content prints, by the number of arguments before it."""
FLOATS: dict[str, str] = {
    **dict.fromkeys(
        words("figure wrapfigure sidewaysfigure SCfigure marginfigure floatingfigure teaserfigure"), "figure"
    ),
    **dict.fromkeys(words("table wraptable sidewaystable SCtable margintable longtable supertabular"), "table"),
    **dict.fromkeys(words("subfigure subtable"), "part"),
    "algorithm": "algorithm",
    "listing": "listing",
}
"""Environments that a caption numbers, with their counter; `part` is a part of another, `(a)`."""
UNCOUNTED = words("center flushleft flushright minipage landscape multicols small footnotesize appendices singlespace")
"""Environments in which a label stands for the same as outside."""
THANKS = "Acknowledgements"
HEADED = {
    **dict.fromkeys(words("abstract Abstract"), "Abstract"),
    **dict.fromkeys(words("keywords keyword Keywords IEEEkeywords"), "Keywords"),
    **dict.fromkeys(words("acknowledgments acknowledgements acknowledgment acknowledgement ack acks"), THANKS),
}
"""Environments that print a heading of their own."""

SYMBOLS = {
    **LETTERS,
    "textellipsis": "…", "LaTeX": "LaTeX", "TeX": "TeX", "BibTeX": "BibTeX", "S": "§", "P": "¶", "copyright": "©",
    "textcopyright": "©", "dag": "†", "ddag": "‡", "pounds": "£", "textsterling": "£", "euro": "€", "texteuro": "€",
    "textdegree": "°", "degree": "°", "textmu": "µ", "textpm": "±", "textbackslash": "\\", "textasciicircum": "^",
    "textunderscore": "_", "textless": "<", "textgreater": ">", "textbar": "|", "textquotedblleft": "“",
    "textquotedblright": "”", "textbullet": "•", "textperiodcentered": "·", "slash": "/", "quad": " ", "qquad": " ",
    "space": " ", "enspace": " ", "thinspace": " ", "newline": "\u2028", "today": "", "eg": "e.g.", "ie": "i.e.",
    "etal": "et al.", "percent": "%", "textpercent": "%", "sep": ", ", "lq": "‘", "rq": "’", "guillemotleft": "«",
    "guillemotright": "»", "and": ", ", "xspace": "", "arcdeg": "°", "degr": "°", "deg": "°", "degrees": "°",
    "arcmin": "′", "arcminute": "′", "arcsec": "″", "arcsecond": "″", "fdg": "°.", "farcm": "′.", "farcs": "″.",
    "celsius": "°C", "degC": "°C", "degreeCelsius": "°C", "textcelsius": "°C", "micron": "µm", "um": "µm", "micro": "µ",
    "angstrom": "Å", "ohm": "Ω", "textohm": "Ω", "perthousand": "‰", "textperthousand": "‰", "permil": "‰", "sun": "☉",
    "earth": "⊕", "Sun": "☉", "Earth": "⊕", "msun": "M☉", "Msun": "M☉", "lsun": "L☉", "Lsun": "L☉", "rsun": "R☉",
    "Rsun": "R☉", "texttimes": "×", "textdiv": "÷", "textminus": "−",
}  # fmt: skip

SHAPES = words(
    """
    textbf textit textrm textsf texttt textsc textmd textup textsl textnormal emph text mbox hbox makebox underline
    uline sout textlf hl mathrm mathbf bf it em rm tt sc sf bfseries itshape mdseries upshape normalfont
    """
)
"""Commands that change how letters look: the text beside them belongs to the same word."""
