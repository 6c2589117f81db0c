"""French: its function words and its stems."""

from __future__ import annotations

from functools import lru_cache

from veritas.text.languages.language import Language, plain_number, snowball
from veritas.text.stems import fold
from veritas.text.wordlist import words

_STOP = words(
    """
    à afin ai ainsi ait alors après as au aucun aucune aujourd auquel aussi autre autres aux auxquelles auxquels avaient
    avait avant avec avez avons ayant beaucoup c ça car ce ceci cela celle celles celui cependant ces cet cette ceux
    chaque chez ci combien comme comment d dans de dehors depuis des desquelles desquels donc dont du duquel durant elle
    elles en encore entre es est et étaient était étant été être eu eux faut fois furent fut hors hui il ils j jamais je
    jusqu jusque l la là laquelle le lequel les lesquelles lesquels leur leurs lors lorsqu lorsque lui m ma mais malgré
    me même mêmes mes mien moi moins mon n ne ni non nos notre nôtre nous on ont or ou où par parce parmi pas pendant
    peu peut peuvent pour pourquoi pourrait puis puisqu puisque qu quand quant que quel quelle quelles quels quelque
    quelques qui quoi quoique rien s sa sans se selon sera serait seront ses si sien soi soient sois soit sommes son
    sont sous suis sur t ta tandis tant te tel telle telles tels tes toi ton tous tout toute toutes très trop tu un une
    va vers via voici voilà vos votre vôtre vous y doit doivent dois devoir doivent peux pouvez pouvons veut veux faire
    fait font fais avoir ont
    """
)
_GENERIC = words(
    """
    but cas cause causes choses chose concerne connu définir définit différence différences exemple exemples
    explique expliquer facteur fonction fonctionne fonctionner genre importance important indiquer indique manière
    mieux montre montrer moyen nomme nommer obtenir permet permettent permettre possible pris raison raisons rôle sens
    sert servent servir signifie signifier sorte sortes type types utile utilise utiliser utilisé utilisée valeur
    valeurs façon
    """
)
"""Words that name a kind of question rather than its subject."""


@lru_cache(maxsize=1 << 17)
def stemmed(word: str) -> str:
    """Return the Snowball stem of a lower-case word without its accents; a number in the form of a program."""
    if word[:1].isdigit():
        return plain_number(word)
    return fold(snowball("French")(word))


FRENCH = Language("French", _STOP, _GENERIC, stemmed)
