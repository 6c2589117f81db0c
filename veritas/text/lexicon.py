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
REVERSING = _stems(" ".join(sorted(NEGATION))) | _stems(
    "decrease decreases decreased reduce reduces reduced reduction lower lowered low less fewer inhibit inhibits "
    "inhibited inhibition inhibitor suppress suppresses suppressed suppression suppressor downregulate "
    "downregulation attenuate attenuated impair impaired impairment block blocks blocked blockade prevent "
    "prevents prevented prevention diminish diminished decline loss lose abolish abolished abrogate repress "
    "represses repression silencing disrupt disrupted disruption limit limits protect protects protective "
    "protection ameliorate alleviate mitigate counteract restrict deplete depletion deficient deficiency deficit "
    "knockdown knockout null inactivation inactivate defective deletion delete deleted ablation ablate antagonist "
    "antagonize antagonism resist resistant resistance poor poorer poorly worse worst worsen negative negatively "
    "inverse inversely dispensable independent insensitive insufficient unnecessary unlikely ineffective "
    "inefficient avoid exclude except rescue reverse reversed delay delayed hinder slow short shorter weak small "
    "smaller minor rare false wrong deny reject refuse contradict contrary against unlike differ different remove "
    "withdraw cancel cease stop smaller drop fall fell down refute unaffected unchanged impede dampen curb "
    "curtail without safe benign healthy normal young younger early earlier before minimal"
)
"""Words that each reverse a statement; an even number of them leaves it as it was."""
HEDGE = _stems(
    "may might could possibly possible perhaps probably likely suggest suggests suggested appear appears seem "
    "seems potential potentially hypothesize hypothesis speculate unclear unknown controversial whether "
    "investigate examined propose proposed putative indicate"
)
UNIVERSAL = _stems("all every always only entirely completely solely exclusively any both never none whole must")
PARTIAL = _stems("some several many most partially partly few subset certain often sometimes usually mainly half")
CAUSAL = _stems(
    "because due reason therefore hence thus suggest suggests indicate indicates explain explains hypothesize "
    "believe conjecture attribute since probably why intuitively expected demonstrate demonstrates imply implies "
    "confirm might may could shows means ability able helpful useful important capture learn"
)
CITING = _stems("et al reported study studies demonstrated showed found previously described report recently reviewed")
CONCLUDING = _stems(
    "conclusion conclusions conclude interpretation findings results suggest demonstrate show indicate thus "
    "together therefore summary reveal provide"
)
ASKING = _stems(
    "investigate examine aim objective purpose whether assess determine evaluate unclear unknown background "
    "methods design setting hypothesized compare explore"
)
HUMANS = _stems(
    "human humans patient patients person people woman women man men child children adult adults participant "
    "participants volunteer volunteers infant infants"
)
ANIMALS = _stems(
    "mouse mice murine rat rats rodent rodents pig pigs monkey monkeys macaque macaques primate zebrafish "
    "drosophila yeast elegans rabbit rabbits dog dogs vitro"
)
RELATING = UP | DOWN | _stems(
    "than cause causes lead leads regulate regulates bind binds defeat beat win follow precede own"
)
"""Words that relate two things: the sides of the two matter."""
SUPERLATIVE = _stems(
    "best worst highest lowest largest smallest most least greatest maximum minimum strongest weakest fewest "
    "longest shortest fastest slowest top"
)

FALSE_NEGATION = frozenset(("not only", "no matter", "no doubt", "not just", "not merely", "no less", "not least"))
"""Word pairs that begin like a negation and are none."""

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

_SYNONYMS = """
increase rise elevate raise augment boost grow gain; decrease reduce decline diminish lower fall drop attenuate;
inhibit suppress block repress prevent antagonize; promote enhance stimulate facilitate induce activate drive
trigger; cause lead result induce; require need essential necessary critical crucial; association correlate link
relate; show demonstrate reveal find report indicate; important critical key essential major crucial; role function;
improve ameliorate enhance better; deficient lack knockout absence null; cancer tumor carcinoma malignancy neoplasm;
patient subject participant person individual; death mortality fatal lethal; treat therapy treatment; drug
medication; mouse murine; rat rodent; child pediatric; heart cardiac myocardial; liver hepatic; kidney renal; lung
pulmonary; brain cerebral neural; blood serum plasma hematological; bone skeletal osseous; gut intestine intestinal;
skin dermal cutaneous; breast mammary; stomach gastric; muscle muscular; nerve neuronal neuron; infect infection;
risk likelihood probability odds; company firm; movie film; song single track; begin start commence launch; end
finish conclude; found establish create; win victory defeat beat; buy purchase acquire; build construct; kill
murder; big large great; fast quick rapid; team club; premiere debut release; sign join; football soccer; actor
actress star; direct director; author writer write; study trial; receive get obtain; use employ utilize;
approximately about around nearly roughly; half 50; double twice twofold; majority most; high elevated; low reduced;
worse poorer inferior; better superior outperform; compare versus relative; elderly aged older old; adult mature;
method approach model system technique; result performance score; dataset corpus data; accuracy acc; precision prec;
recall rec; average mean avg; baseline base; performance accuracy score; vaccine vaccination immunization; hiv aids;
outcome prognosis survival; diabetes diabetic; obese obesity overweight; stroke ischemic; hypertension pressure;
survive survival; degrade degradation; migrate migration motile; regulate modulate control; bind interact
interaction; express expression; gene genetic; mutate mutation variant; develop development; differentiate
differentiation; signal pathway; die death; man male; woman female; usa american america; uk british britain; one 1;
two 2; three 3; four 4; five 5; six 6; seven 7; eight 8; nine 9; ten 10; third 3rd; second 2nd; first 1st
"""


def _pairs(text: str) -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for group in text.split(";"):
        words = [stem(fold(w)) for w in group.split()]
        for word in words:
            table.setdefault(word, set()).update(w for w in words if w != word)
    return {word: frozenset(others) for word, others in table.items()}


ANTONYMS = _pairs(_ANTONYMS)
SYNONYMS = _pairs(_SYNONYMS)
