"""French: its function words, how its questions are worded, and what its answers look like."""

from __future__ import annotations

import re
from functools import lru_cache

from veritas.text.languages.language import Language, plain_number, rule, snowball
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
_OPEN = r"^(?:(?:et|mais|alors|à|dans|de|depuis|jusqu['’]à|en|par|pour|avec|sur|sous|chez|vers)\s+)*"
_IS_IT = r"(?:est[- ]ce qu(?:e |['’]))?"
_WHICH = r"(?:quel(?:le)?s?|lequel|laquelle|lesquels|lesquelles)"
_ME = r"(?:je|on|nous|tu|vous)"
_AUXILIARY = (
    "est|sont|était|étaient|sera|seront|a|ont|avait|peut|peuvent|pourrait|doit|doivent|faut|va|vont|y a|existe"
)
_AMOUNTS = (
    r"(?:défaut|limite|maximum|maximale?|minimum|minimale?|taille|nombre|quantité|valeur|pourcentage|taux|prix|coût|"
    r"port|durée|délai|longueur|hauteur|profondeur|population|température|vitesse|âge|total|moyenne)"
)
_NUMBER = r"(?:deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|vingt|trente|cinquante|cent|mille|moitié)"


@lru_cache(maxsize=1 << 17)
def stemmed(word: str) -> str:
    """Return the Snowball stem of a lower-case word without its accents; a number in the form of a program."""
    if word[:1].isdigit():
        return plain_number(word)
    return fold(snowball("French")(word))


FRENCH = Language(
    name="French",
    stop_words=_STOP,
    generic=_GENERIC,
    stem=stemmed,
    kinds=(
        ("difference", rule(
            r"\bdifféren(?:ce|t)\w*\b|\bdiffèrent?\b|\bcompar\w+\b|\bversus\b|\bvs\b|\bdistingu\w+\b")),
        ("why", rule(
            _OPEN + rf"(?:pourquoi|à quoi sert|{_WHICH} (?:est|sont) (?:la|les|le) (?:raisons?|causes?|but))\b")),
        ("value", rule(
            _OPEN + rf"(?:combien\b|{_WHICH} (?:est |sont )?(?:l['’]|la |le |les )?(?:\S+ ){{0,3}}?{_AMOUNTS}\b)")),
        ("when", rule(
            _OPEN + rf"(?:quand\b|{_WHICH} (?:année|date|jour|mois|siècle|décennie|version|moment)\b)")),
        ("where", rule(
            _OPEN + rf"(?:d['’])?(?:où\b|{_WHICH} (?:ville|pays|lieu|endroit|région|répertoire|dossier|fichier)\b)")),
        ("how-to", rule(
            _OPEN + rf"(?:comment {_IS_IT}(?:{_ME}\b|\w+[- ](?:t[- ])?{_ME}\b|peut|puis|\w+(?:er|ir|re)\b)|"
            rf"que (?:dois|faut|peut|puis)\b|{_WHICH} (?:commande|fonction|méthode|option|paramètre|classe)\b)")),
        ("how", rule(_OPEN + r"comment\b")),
        ("definition", rule(
            r"^qu['’]est[- ]ce qu(?:e |['’])(?:(?:c['’]est )?qu(?:e |['’]))?(?:une? |l['’]|la |le |les )?(?:\S+ ){0,2}"
            r"?\S+$|"
            r"^que (?:signifie|veut dire|désigne)\b|^(?:définir|définis\w*)\b")),
        ("who", rule(
            _OPEN + rf"(?:qui\b|{_WHICH} (?:personne|auteur|société|entreprise|équipe)\b)")),
        ("list", rule(
            rf"^(?:liste[rz]?|énumère\w*|nomme[rz]?|cite[rz]?)\b|{_OPEN}(?:quels|quelles|lesquels|lesquelles)\b")),
        ("which", rule(_OPEN + rf"{_WHICH}\b")),
        ("yes/no", rule(
            rf"^(?:et |mais )?(?:est[- ]ce qu(?:e\b|['’])|(?:{_AUXILIARY})[- ](?:il|elle|ils|elles|t[- ]|on|ce)\b)|"
            r"\w[- ](?:t[- ])?(?:il|elle|ils|elles|on)\b[^?]*\?$")),
    ),
    evidence={
        "value": re.compile(rf"(?i)\d|\b{_NUMBER}\b"),
        "when": re.compile(
            r"(?i)\b(?:1[0-9]{3}|20[0-9]{2})\b|\bversion \d|\b\d+\.\d+\b|\b[xivl]+e siècle\b|\b(?:janvier|février|mars|"
            r"avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)\b|\b(?:quand|lorsqu|lorsque|dès que|"
            r"avant|après|pendant|chaque fois|chaque jour)\b"),
        "who": re.compile(r"\b[A-ZÀ-Ü][\w’'-]+ (?:de |van |von )?[A-ZÀ-Ü][\w’'-]+\b|\b[A-Z]{2,}\b|\bpar [A-ZÀ-Ü]\w+"),
        "where": re.compile(
            r"\b(?:[Dd]ans|[Àà]|[Aa]u|[Aa]ux|[Ee]n|[Ss]ur|[Ss]ous|[Vv]ers|[Cc]hez|[Dd]epuis) (?:l[ea] |l['’])?"
            r"(?:[A-ZÀ-Ü/~.`]|dossier|fichier|répertoire)"),
        "why": re.compile(
            r"(?i)\b(?:parce qu\w*|car|puisqu\w*|afin|donc|ainsi|en raison|à cause|grâce|pour (?:que|éviter|\w+[ei]r)|"
            r"raisons?|causes?|permet\w*|évite\w*|empêche\w*|sinon|sans quoi)\b"),
        "difference": re.compile(
            r"(?i)\b(?:tandis que|alors que|contrairement|au lieu|différ\w+|plutôt que|mais|cependant|que|seulement|"
            r"en revanche|par contre|les deux|plus|moins)\b"),
        "how-to": re.compile(
            r"(?i)\b(?:vous (?:pouvez|devez|devriez)|(?:peut|peuvent|doit|doivent|il faut) |utilis\w+|avec|via|grâce|"
            r"par|en \w+ant|ajout\w+|défini\w+|appel\w+|exécut\w+|lanc\w+|install\w+|configur\w+|activ\w+|désactiv\w+|"
            r"pass\w+|pour \w+(?:er|ir|re)\b)"),
        "how": re.compile(
            r"(?i)\b(?:en \w+ant|par|via|avec|grâce|parce|quand|lorsqu\w*|alors|d['’]abord|ensuite|puis|appelle|crée|"
            r"envoie|stocke|renvoie|retourne|est|sont)\b"),
        "list": re.compile(r"(?:[^,;]{2,40}[,;]\s+){1,}[^,;]{2,40}\s+(?:et|ou)\b"),
        "definition": re.compile(
            r"(?i)\b(?:est|sont|était|étaient) (?:une?|l['’]|la|le|les|des)\b|\b(?:désigne|signifie|représente|décrit|"
            r"appelée?s?|définit|détermine|constitue|consiste|s['’]agit)\b"),
        "yes/no": re.compile(
            r"(?i)\b(?:peut|peuvent|ne|n['’]|pas|aucune?|pr(?:end|is\w*) en charge|possible|doit|doivent|requis|"
            r"obligatoire|seulement|jamais|toujours|par défaut|est|sont|a|ont)\b"),
    },
    defines=re.compile(
        r"(?i)^(?:qu['’]est[- ]ce qu(?:e |['’])(?:(?:c['’]est )?qu(?:e |['’]))?|que (?:signifie|veut dire|désigne) |"
        r"définir )(?:une? |l['’]|la |le |les )?(?P<topic>\S+(?: \S+){0,2}?)\s*\??$"),
    focus=re.compile(rf"(?i)\b(?:{_WHICH}|combien d(?:e |['’]))\s*(?P<focus>[\w-]+)"),
    joint=re.compile(
        r"(?i)\s*[;?]\s*|\s*,?\s+(?:et|mais|ou)\s+(?:aussi\s+)?(?=(?:(?:à|dans|de|depuis|en|par|pour|avec|sur)\s+)?(?:"
        r"que|qu['’]\w+|qui|quoi|quel(?:le)?s?|quand|où|pourquoi|comment|combien|est[- ]ce)\b\s*\S)"),
    points=re.compile(r"(?:Il|Elle|Ils|Elles|Cela|Ceci|Ce|Cet|Cette|Ces|Celui|Celle|Son|Sa|Ses|Leurs?)\b"),
)  # fmt: skip
