"""German: its function words, how its questions are worded, and what its answers look like."""

from __future__ import annotations

import re
from functools import lru_cache

from veritas.text.languages.language import Language, plain_number, rule, snowball
from veritas.text.wordlist import words

_STOP = words(
    """
    ab aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf aus bei
    beim bevor bis bist da dabei dadurch dafür dagegen daher damit danach dann daran darauf daraus darf darfst darin
    darüber das dass davon davor dazu dein deine deinem deinen deiner dem den denen denn der deren des deshalb dessen
    desto die dies diese dieselbe diesem diesen dieser dieses doch dort du durch dürfen dürft ebenso ein eine einem
    einen einer eines einige einigen einiger einmal entweder er es etwa etwas euch euer eure eurem euren eurer falls
    für gab gegen gewesen gibt hab habe haben habt hat hatte hatten hattest hier hin hinter ich ihm ihn ihnen ihr ihre
    ihrem ihren ihrer ihres im immer in indem ins irgendein ist ja je jede jedem jeden jeder jedes jedoch jene jenem
    jenen jener jenes jetzt kann kannst kein keine keinem keinen keiner könne können könnt könnte könnten lassen lässt
    man manche manchem manchen mancher mehr mein meine meinem meinen meiner mich mir mit müssen muss muß müsste musst
    müsst nach nachdem neben nein nicht nichts noch nun nur ob obwohl oder ohne per sehr sei seid sein seine seinem
    seinen seiner seit seitdem selbst sich sie sind so sobald sofern solch solche solchem solchen solcher soll sollen
    sollte sollten sondern sonst soweit sowie sowohl statt trotz trotzdem über um und uns unser unsere unserem unseren
    unserer unter viel viele vielen vom von vor wann war waren warst warum was weder weil weiter welche welchem welchen
    welcher welches wem wen wenn wer werde werden wessen weshalb weswegen wie wieder wieso will wir wird wirst wo wobei
    wodurch wofür woher wohin womit woran worauf woraus worin worüber wovon wozu wollen wollte worden würde würden
    wurde wurden während zu zum zur zwar zwischen
    """
)
_GENERIC = words(
    """
    art arten aufgabe bedeutet bedeuten bedeutung beispiel beispiele bekannt benötigt benutzen benutzt bestehen besteht
    bestimmt bewirkt brauche brauchen braucht einfluss erklären erkläre fall fälle funktion funktioniert funktionieren
    gehört geht genau genutzt gilt grund gründe hilft machen macht mache möglich möglichkeit möglichkeiten nenne nennen
    nutzen nutzt passiert richtig rolle sache sinn spielt tun tut typ typen unterschied unterschiede unterstützt
    verhält verwende verwenden verwendet verwendung wert werte wichtig wirkt zeigen zeigt zweck hauptsächlich
    """
)
"""Words that name a kind of question rather than its subject."""
_PREFIXES = (
    "ab|an|auf|aus|bei|dar|durch|ein|fest|fort|frei|herab|heraus|herunter|hervor|her|hinaus|hinein|hinzu|hin|hoch|los|"
    "mit|nach|um|vor|weg|weiter|wieder|zurück|zusammen|zu"
)
_PARTICIPLE = re.compile(r"(?:(?<=[td])e)?t$")
_WITHIN = re.compile(
    rf"(?!hinzu(?!ge|zu)|zuge)(?P<prefix>{_PREFIXES})(?:ge|zu)"
    r"(?P<verb>[a-zäöüß]{3,}(?:t|en))(?:e[mnrs]?)?$"
)
_APART = re.compile(
    r"(?i)^(?P<before>(?:(?:wie|warum|wann|wo\w*|was|wer|weshalb|wieso)\s+)?)(?P<verb>\w+)(?P<between>\s.*\S)\s+"
    rf"(?P<prefix>{_PREFIXES})\s*[?.]*$"
)
COMPOUND = 5
"""Letters from which on a word may be the beginning or the end of a compound."""
_OPEN = r"^(?:(?:und|aber|also|ab|auf|aus|bei|bis|für|in|mit|nach|seit|um|unter|von|vor|zu|über)\s+)*"
_MEASURE = (
    "viel|viele|vielen|lange|lang|oft|groß|gross|hoch|schnell|alt|weit|tief|breit|schwer|heiß|stark|häufig|teuer"
)
_WHICH = r"welche[nmrs]?"
_ME = r"(?:ich|man|wir|sie|du|jemand)"
_AUXILIARY = (
    "ist|sind|war|waren|wird|werden|wurde|wurden|hat|haben|hatte|hatten|kann|können|könnte|könnten|darf|dürfen|muss|"
    "müssen|musste|soll|sollen|sollte|sollten|will|wollen|gibt|geht|lässt|lassen"
)
_AMOUNTS = (
    r"\w*(?:standard|voreinstellung|grenze|grenzwert|limit|höchst|mindest|maximum|minimum|größe|grösse|anzahl|zahl|"
    r"wert|prozent|anteil|preis|kosten|port|dauer|länge|höhe|tiefe|temperatur|geschwindigkeit|alter|menge)\w*"
)
_NUMBER = (
    r"(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|fünfzig|hundert|tausend|halb)"
)


@lru_cache(maxsize=1 << 17)
def stemmed(word: str) -> str:
    """Return the Snowball stem of a lower-case word, of a participle or an infinitive with "zu" that of its verb, if
    that is a separable one ("hochgeladen", "hochzuladen"); a number in the form of a program."""
    if word[:1].isdigit():
        return plain_number(word)
    if within := _WITHIN.match(word):
        word = within["prefix"] + _PARTICIPLE.sub("en", within["verb"])
    return snowball("German")(word)


def kin(stem: str, other: str) -> bool:
    """Return whether one of two stems is the beginning or the end of the other, as a part of a compound is, or its
    participle ("laden", "geladen")."""
    short, long = sorted((stem, other), key=len)
    if len(short) >= COMPOUND and (long.startswith(short) or long.endswith(short)):
        return True
    return len(short) > 2 and long in (f"ge{short}", f"ge{short}t")


def whole(question: str) -> str:
    """Return a question with the verb and its prefix together that stand apart in it: "Wie lade ich es hoch?" asks how
    to "hochladen"."""
    apart = _APART.match(question)
    if apart is None or apart["verb"].casefold() in _STOP:
        return question
    return f"{apart['before']}{apart['prefix']}{apart['verb'].casefold()}{apart['between']}?"


GERMAN = Language(
    name="German",
    stop_words=_STOP,
    generic=_GENERIC,
    stem=stemmed,
    kinds=(
        ("difference", rule(
            r"\bunterschied\w*|\bunterscheide\w*|\bvergleich\w*|\bversus\b|\bvs\b|\bgegenüber\b")),
        ("why", rule(
            _OPEN + r"(?:warum|weshalb|wieso|weswegen|wozu|wofür|aus welche[mn] gr[uü]nd\w*|"
            r"was (?:ist|sind|war) (?:der|die|das) (?:grund|gründe|ursache\w*|zweck|sinn))\b")),
        ("value", rule(
            _OPEN + rf"(?:wie (?:{_MEASURE})\b|(?:{_WHICH}|was (?:ist|sind) (?:der|die|das)) (?:\S+ ){{0,3}}?"
            rf"{_AMOUNTS})")),
        ("when", rule(
            _OPEN + rf"(?:wann\b|{_WHICH} (?:jahr\w*|tag\w*|datum|monat\w*|jahrhundert\w*|version\w*)\b)")),
        ("who", rule(
            _OPEN + rf"(?:wer|wem|wen|wessen)\b|{_OPEN}{_WHICH} (?:person|firma|organisation|autor\w*)\b")),
        ("where", rule(
            _OPEN + rf"(?:wo|wohin|woher|{_WHICH} (?:stadt|land|ort|verzeichnis|ordner|datei))\b")),
        ("how-to", rule(
            _OPEN + rf"(?:wie (?:(?:{_AUXILIARY}) )?{_ME}\b|wie \w+ {_ME}\b|was (?:muss|kann|soll|sollte|darf) {_ME}\b|"
            rf"wie (?:lässt|lassen) sich\b|wie (?:wird|werden|kann|können)\b|womit\b|mit {_WHICH}\b|"
            rf"{_WHICH} (?:befehl|funktion|methode|option|einstellung|parameter|klasse)\b)")),
        ("how", rule(_OPEN + r"wie\b")),
        ("definition", rule(
            r"^was (?:(?:ist|sind|war|waren|bedeutet|heißt|bezeichnet|versteht man unter)\b) "
            r"(?:(?:ein|eine|einen|einem|einer|der|die|das|den|dem) )?(?:\S+ ){0,2}?\S+$|^was \S+ (?:bedeutet|heißt)"
            r"\b")),
        ("list", rule(
            r"^(?:bitte )?(?:nenne|nennen|liste|zähle|zählen)\b|"
            rf"{_OPEN}{_WHICH}\b.*?\b(?:sind|waren|werden|wurden|gibt es|haben|können|stehen|dürfen|müssen)\b")),
        ("which", rule(_OPEN + rf"{_WHICH}\b")),
        ("yes/no", rule(rf"^(?:und |aber |ob )?(?:{_AUXILIARY})\b|^\w+t (?:der|die|das|ein|eine|es|man)\b")),
    ),
    evidence={
        "value": re.compile(rf"(?i)\d|\b{_NUMBER}(?:\b|mal\b|\w*ig\b)"),
        "when": re.compile(
            r"(?i)\b(?:1[0-9]{3}|20[0-9]{2})\b|\bversion \d|\b\d+\.\d+\b|\b\d{1,2}\. (?:jahrhundert|[a-zä]+)\b|"
            r"\b(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)\b|"
            r"\b(?:wenn|sobald|nachdem|bevor|während|jedes ?mal|täglich|wöchentlich|jährlich)\b"),
        "who": re.compile(r"\b[A-ZÄÖÜ][\wäöüß-]+ (?:von |van |de )?[A-ZÄÖÜ][\wäöüß-]+\b|\b[A-Z]{2,}\b"),
        "where": re.compile(
            r"\b(?:[Ii]n|[Ii]m|[Aa]n|[Aa]m|[Aa]uf|[Bb]ei|[Aa]us|[Nn]ach|[Uu]nter|[Vv]on) (?:de[rmn] )?[A-ZÄÖÜ/~.`]"),
        "why": re.compile(
            r"(?i)\b(?:weil|da|denn|damit|deshalb|daher|deswegen|darum|dadurch|somit|aufgrund|wegen|um .{3,60} zu|"
            r"grund|ursache|führt dazu|sodass|so dass|sonst|andernfalls|ermöglicht|verhindert|vermeidet)\b"),
        "difference": re.compile(
            r"(?i)\b(?:während|hingegen|dagegen|anders als|im gegensatz|statt|anstatt|unterschie\w+|unterscheide\w+|"
            r"jedoch|aber|sondern|als|nur|beide|im vergleich)\b"),
        "how-to": re.compile(
            r"(?i)\b(?:sie (?:können|müssen|sollten)|(?:kann|können|muss|müssen) .{0,80}\w+en\b|verwende\w*|nutz\w+|"
            r"benutz\w+|mit (?:de[rm]|hilfe|einem|einer)|mittels|durch|füg\w+|setz\w+|ruf\w+|führ\w+ .{0,60}\baus\b|"
            r"ausführ\w*|installier\w+|konfigurier\w+|(?:de)?aktivier\w+|leg\w+ .{0,40}\bfest\b|um .{3,80} zu)\b"),
        "how": re.compile(
            r"(?i)\b(?:indem|durch|mittels|mit|über|weil|wenn|dann|zuerst|zunächst|anschließend|danach|wird|werden|"
            r"ruft|sendet|speichert|erzeugt|erstellt)\b"),
        "list": re.compile(r"(?:[^,;]{2,40}[,;]\s+){1,}[^,;]{2,40}\s+(?:und|oder|sowie)\b"),
        "definition": re.compile(
            r"(?i)\b(?:ist|sind|war|waren) (?:ein|eine|einer|eines|der|die|das|es)\b|\b(?:bezeichnet|bedeutet|heißt|"
            r"steht für|beschreibt|versteht man|genannt|nennt man|handelt es sich|bestimmt|stellt)\b"),
        "yes/no": re.compile(
            r"(?i)\b(?:kann|können|nicht|kein\w*|unterstützt|möglich|muss|müssen|erforderlich|nur|nie|niemals|immer|"
            r"standardmäßig|darf|dürfen|wird|werden|ist|sind|hat|haben)\b"),
    },
    defines=re.compile(
        r"(?i)^was (?:ist|sind|war|waren|bedeutet|heißt|bezeichnet|versteht man unter) "
        r"(?:(?:ein|eine|einen|einem|einer|der|die|das|den|dem) )?(?P<topic>\S+(?: \S+){0,2}?)\s*\??$"),
    focus=re.compile(rf"(?i)\b(?:{_WHICH}|wie viele)\s+(?P<focus>[\w-]+)"),
    joint=re.compile(
        r"(?i)\s*[;?]\s*|\s*,?\s+(?:und|aber|oder)\s+(?:auch\s+)?(?=(?:(?:ab|auf|aus|bei|bis|für|in|mit|nach|seit|von|"
        rf"zu)\s+)?(?:was|welche[nmrs]?|wer|wem|wen|wessen|wann|wo\w*|warum|weshalb|wieso|wie|ob|{_AUXILIARY})\b\s+\S)"),
    points=re.compile(r"(?:Er|Sie|Es|Dies(?:e[rsmn]?)?|Das|Ihr(?:e[rsmn]?)?|Sein(?:e[rsmn]?)?|Solche|Dabei|Dazu)\b"),
    kin=kin,
    whole=whole,
    capital_nouns=True,
)  # fmt: skip
