"""Word lists: negation, direction, antonyms, synonyms, quantifiers, hedges. Made by hand, in stemmed form."""

from __future__ import annotations

from veritas.text.stems import fold, stem
from veritas.text.stop_words import FUNCTION_WORDS


def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(fold(w)) for w in words.split())


STOP = frozenset(map(stem, FUNCTION_WORDS))

NEGATION = frozenset((
    "not", "no", "never", "neither", "nor", "none", "nobody", "nothing", "cannot", "little", "hardly", "scarcely",
    "rarely", "dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "werent", "cant", "couldnt", "wont", "wouldnt",
    "hasnt", "havent", "hadnt", "fail", "failed", "fails", "failing", "unable", "lacking", "lack", "lacks", "lacked",
    "absence", "absent",
))
"""Negations as folded words, not stems: "note" must not match "not"."""
CONTRACTED = ("n't", "n’t")

UP = _stems(
    "increase increased increases increasing higher high greater more elevate elevated elevates enhance enhances "
    "enhanced promote promotes promoted induce induces induced stimulate stimulates stimulated upregulate "
    "upregulated upregulation activate activates activated activation improve improves improved improvement gain "
    "gains rise rises rose raise raised accelerate accelerates facilitate facilitates strengthen augment "
    "augmented boost boosts grow grew expand larger longer stronger faster positive positively overexpression "
    "overexpress exacerbate exacerbates aggravate worsen amplify potentiate outperform outperforms surpass exceed "
    "exceeds superior above gain best most better trigger drive excess up"
)
DOWN = _stems(
    "decrease decreased decreases decreasing lower low less fewer reduce reduces reduced reduction inhibit "
    "inhibits inhibited inhibition suppress suppresses suppressed suppression downregulate downregulated "
    "downregulation attenuate attenuated attenuates impair impairs impaired impairment block blocks blocked "
    "prevent prevents prevented prevention diminish diminished decline declines declined loss lose loses abolish "
    "abolished abrogate delay delays delayed repress represses repressed repression silence silenced disrupt "
    "disrupts disrupted limit limits shorter smaller weaker slower negative negatively protect protects "
    "protective protection ameliorate alleviate mitigate drop drops dropped fall fell worse worst inferior below "
    "underperform degrade degrades degradation antagonize counteract down poor poorer least deplete depleted "
    "depletion deficient deficiency deficit knockdown knockout null inactivation inactivate defective"
)
HEDGE = _stems(
    "may might could possibly possible perhaps probably likely suggest suggests suggested appear appears seem "
    "seems potential potentially hypothesize hypothesis speculate unclear unknown controversial whether "
    "investigate examined propose proposed putative indicate"
)
UNIVERSAL = _stems("all every always only entirely completely solely exclusively any both never none whole must")
PARTIAL = _stems("some several many most partially partly few subset certain often sometimes usually mainly half")


_ANTONYMS = """
high low; lengthen shorten; lengthen cut; higher lower; more less; more fewer; better worse; best worst; most least;
positive negative; present absent; presence absence; before after; early late; young old; younger older; male
female; man woman; boy girl; win lose; support oppose; sensitive resistant; susceptible resistant; sensitivity
resistance; susceptibility resistance; gain lose; long short; large small; larger smaller; strong weak; stronger
weaker; necessary dispensable; required dispensable; essential dispensable; dependent independent; benign malignant;
stable unstable; first last; true false; agonist antagonist; similar different; same different; comparable
different; beneficial harmful; safe dangerous; common rare; acute chronic; alive dead; north south; east west; left
right; include exclude; accept reject; majority minority; always never; all none; upregulate downregulate;
upregulation downregulation; maximum minimum; above below; fast slow; faster slower; hot cold; protect damage;
survive die; survival mortality; normal abnormal; active inactive; activate inactivate; activate inhibit; activation
inhibition; increase decrease; increase reduce; rise fall; promote inhibit; promote suppress; promote prevent;
induce inhibit; induce suppress; induce prevent; enhance inhibit; enhance suppress; enhance impair; enhance reduce;
improve worsen; improve impair; stimulate inhibit; stimulate suppress; elevate reduce; grow decline; raise lower;
outperform underperform; superior inferior; significant insignificant; sufficient insufficient; efficient
inefficient; proliferation apoptosis; hypermethylation hypomethylation; hyper hypo; hypertension hypotension; obese
lean; cause prevent; exacerbate ameliorate; facilitate hinder; accelerate delay; oncogene suppressor; primary
secondary; internal external; maternal paternal; homozygous heterozygous; wild mutant; open closed; import export;
simple complex; minor major; inside outside; public private; begin end; start stop; full empty; likely unlikely;
related unrelated; associate unrelated; better poor; necessary unnecessary; effective ineffective; elevated reduced;
beneficial detrimental; maximal minimal; intra extra; methylation demethylation; phosphorylation dephosphorylation;
polymerization depolymerization; soluble insoluble; direct indirect; vary constant; multiple single; upstream
downstream; anterior posterior; dorsal ventral; nuclear cytoplasmic; innate adaptive
"""


def _pairs(text: str) -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for group in text.split(";"):
        words = [stem(fold(w)) for w in group.split()]
        for word in words:
            table.setdefault(word, set()).update(w for w in words if w != word)
    return {word: frozenset(others) for word, others in table.items()}


ANTONYMS = _pairs(_ANTONYMS)
