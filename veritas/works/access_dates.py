"""The access note of a printed reference: when a page was read, and that it is available."""

from __future__ import annotations

import re
from functools import lru_cache

_READ = (
    r"(?:last |zuletzt |page |último )?(?:accessed|retrieved|visited|viewed|consulted|acesso|acessad[oa]|consultad[oa]"
    r"|consulta|recuperado|accedido|fecha de (?:consulta|acceso)|acceso|consultée?|visitée?|abgerufen|aufgerufen"
    r"|zugriff|zugegriffen|abruf|eingesehen|consultat[oa]|accesso|visitato|geraadpleegd|bezocht|hämta[dt]|åtkomst|besøgt|hentet"
    r"|viitattu|data dostępu|dostęp|дата (?:обращения|звернення)|erişim(?: tarihi)?|访问日期|引用日期|參照|参照)"
    r"|(?<=\[)(?:cited|cit\.)"
)
_SMALL = r"(?:on|the|of|em|no dia|el|día|del?|le|la|am|vom|den|d|il|op|dnia)"
_MONTH = r"[^\W\d_]{3,11}"
_DAY = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th|er|º|ª)?\W{{1,3}}(?:{_SMALL} )?(?:{_MONTH}|\d{{1,2}})"
    rf"|{_MONTH}(?:\W{{1,2}}\d{{1,2}}(?:st|nd|rd|th)?)?)"
)
_WHEN = re.compile(
    rf"(?<![^\W_])(?:{_READ})(?![^\W\d_])\W{{0,3}}(?:{_SMALL}\W{{1,2}}){{0,2}}"
    rf"(?:{_DAY}\W{{1,3}}(?:{_SMALL} )?)?(?:19|20)\d\d(?!\d)"
    r"(?:[-–/]\d\d?){0,2}(?: [A-Z][a-z]{2,8}\.? \d{1,2}(?!\d))?"
    r"(?:\W{1,2}(?:from|de|em|at|von)(?=\W{1,2}(?:https?:|doi\b)))?"
    r"|\[(?:19|20)\d\d-\d\d?-\d\d?\]",
    re.IGNORECASE,
)
"""`Accessed: 3 May 2024`, `Acesso em: 3 mai. 2024`, `consulté le 3 mai 2024`, `[2024-05-03]`."""
_WHERE = re.compile(
    r"\b(?:available|retrieved|accessible|disponível|disponible|recuperado|verfügbar|abrufbar|disponibile|beschikbaar)[^\w<]{0,2}"
    r"(?:(?:online|on-line|at|from|em|en|de|unter|under|in|sur|à l['’]adresse|a|su|op)\b[^\w<]{0,3}){0,2}"
    r"(?=<?(?:https?://|doi\b|10\.\d{4}))",
    re.IGNORECASE,
)
"""`Available at: https://…`, `Disponível em: <https://…`."""
_TELLING = re.compile(
    r"accessed|ac+es+[ao]|acced|retriev|visit|viewed|consult|recuperad|rufen|abruf|zug[re]|gesehen|raadpleegd|bezocht"
    r"|hämta|åtkomst|besøgt|hentet|viitattu|dostęp|дата|erişim|日期|参照|參照|\[cit|\[20|available|accessible|dispon|verfügb"
    r"|beschikb"
)


@lru_cache(maxsize=2048)
def without_access(said: str) -> str:
    """Return a reference without its access note, because a year in the note is not the work's."""
    if not _TELLING.search(said.lower()):
        return said
    return _WHERE.sub(" ", _WHEN.sub(" ", said))
