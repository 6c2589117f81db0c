"""Plain text escaped for LaTeX with pdfTeX's fonts."""

from __future__ import annotations

import unicodedata

from veritas.citations.record_exports import tex

_ESCAPES = {
    "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "\"": r"\textquotedbl{}", "`": r"\textasciigrave{}", "[": "{[}", "]": "{]}",
    "\u2013": "--", "\u2014": "---", "\u2018": "`", "\u2019": "'", "\u201c": "``", "\u201d": "''",
    "\u2026": r"\ldots{}",
    "\u00a0": "~", "\u2212": r"$-$", "\u00b1": r"$\pm$", "\u00d7": r"$\times$", "\u2264": r"$\le$", "\u2265": r"$\ge$",
    "\u2248": r"$\approx$", "\u2260": r"$\ne$", "\u2192": r"$\to$", "\u00b0": r"\textdegree{}", "\u00b7": r"$\cdot$",
    "\u2032": "$'$", "\u221e": r"$\infty$", "\u221a": r"$\surd$", "\u2022": r"\textbullet{}", "\u00ad": "",
    "\u2010": "-", "\u2011": "-", "\u2009": r"\,", "\u202f": r"\,", "\ufeff": "", "\u2122": r"\texttrademark{}",
    "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\u20ac": r"\texteuro{}",
}  # fmt: skip
_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξπρσςτυφχψω",
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma varsigma tau upsilon "
        "phi chi psi omega".split(),
        strict=True,
    )
)
_GREEK_TEX = {letter: rf"$\{name}$" for letter, name in _GREEK.items()} | {
    "ο": "o",
    "Γ": r"$\Gamma$", "Δ": r"$\Delta$", "Θ": r"$\Theta$", "Λ": r"$\Lambda$", "Ξ": r"$\Xi$", "Π": r"$\Pi$",
    "Σ": r"$\Sigma$", "Φ": r"$\Phi$", "Ψ": r"$\Psi$", "Ω": r"$\Omega$", "µ": r"$\mu$",
}  # fmt: skip
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋", "0123456789+-")


def latex_text(text: str) -> str:
    """Return plain text escaped for pdfTeX's fonts. A character that none has becomes its base letter, or a box."""
    made = []
    for sign in text:
        known = _ESCAPES.get(sign) or _GREEK_TEX.get(sign)
        if known is not None or sign in _ESCAPES:
            made.append(known or "")
        elif sign in "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻":
            made.append(f"$^{{{sign.translate(_RAISED)}}}$")
        elif sign in "₀₁₂₃₄₅₆₇₈₉₊₋":
            made.append(f"$_{{{sign.translate(_LOWERED)}}}$")
        elif sign.isascii():
            made.append(" " if sign.isspace() or not sign.isprintable() else tex(sign))
        elif "\u00c0" <= sign <= "\u017f":
            made.append(sign)
        else:
            plain = unicodedata.normalize("NFKD", sign)
            base = "".join(c for c in plain if c.isascii() and c.isprintable())
            made.append(latex_text(base) if base else r"\rule{0.6em}{0.6em}")
    return "".join(made)
