"""German: its function words and its stems."""

from __future__ import annotations

from functools import lru_cache

from veritas.text.languages.language import Language, plain_number, snowball
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


@lru_cache(maxsize=1 << 17)
def stemmed(word: str) -> str:
    """Return the Snowball stem of a lower-case word; a number in the form of a program."""
    if word[:1].isdigit():
        return plain_number(word)
    return snowball("German")(word)


GERMAN = Language("German", _STOP, _GENERIC, stemmed, capital_nouns=True)
