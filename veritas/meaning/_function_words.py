"""The closed classes of English: what each word of grammar does to the sentence around it.

A word of a class in `HARMLESS` may be dropped or added. Every other class means something, and a word of it that one
sentence alone has must be explained.
"""

from __future__ import annotations

from veritas.text.wordlist import words

PHRASES = {
    "according to": "according-to", "because of": "because-of", "due to": "because-of", "owing to": "because-of",
    "as a result of": "because-of", "as a consequence of": "because-of", "thanks to": "because-of",
    "on account of": "because-of", "on the ground that": "because", "on the grounds that": "because",
    "for the reason that": "because", "due to the fact that": "because", "owing to the fact that": "because",
    "in view of the fact that": "because", "despite the fact that": "although", "in the course of": "during",
    "in the absence of": "without", "for the purpose of": "for", "carrying out": "conducting",
    "is married to": "is spouse of", "was married to": "was spouse of",
    "less well": "worse", "carried on": "continued", "at the moment": "now", "in the vicinity of": "near",
    "in order to": "to", "so as to": "to", "as well as": "and", "such as": "such-as",
    "rather than": "instead-of", "instead of": "instead-of", "in place of": "instead-of", "as opposed to": "instead-of",
    "apart from": "except", "except for": "except", "with the exception of": "except", "aside from": "except",
    "other than": "except", "excluding": "except", "prior to": "before", "ahead of": "before",
    "subsequent to": "after", "as long as": "if", "so long as": "if", "provided that": "if", "providing that": "if",
    "on condition that": "if", "on the condition that": "if", "in case": "if", "in the event of": "if",
    "in the event that": "if", "assuming that": "if", "even if": "even-if", "only if": "only-if",
    "compared with": "compared-with", "compared to": "compared-with", "in comparison with": "compared-with",
    "in comparison to": "compared-with", "relative to": "compared-with", "as compared with": "compared-with",
    "with regard to": "about", "with respect to": "about", "in relation to": "about", "by means of": "by",
    "with the help of": "with", "in spite of": "despite", "even though": "although", "even if not": "although",
    "no longer": "no-longer", "not any longer": "no-longer", "not anymore": "no-longer", "any more": "anymore",
    "a number of": "several", "a few": "several", "a couple of": "several", "a lot of": "many", "lots of": "many",
    "plenty of": "many", "a large number of": "many", "a great many": "many", "a majority of": "most",
    "the majority of": "most", "a minority of": "few", "hardly any": "few", "hardly ever": "rarely",
    "all but": "all except", "almost all": "most", "nearly all": "most", "not all": "not-all", "not every": "not-all",
    "at all times": "always", "at no time": "never", "under no circumstances": "never", "in no case": "never",
    "all of": "all", "each of": "each", "every one of": "every", "some of": "some", "none of": "no", "many of": "many",
    "most of": "most", "both of": "both", "few of": "few", "half of": "half", "any of": "any", "several of": "several",
    "out of": "out-of", "in front of": "before", "on top of": "on", "next to": "beside", "close to": "near",
    "up to": "up-to", "as of": "since", "along with": "with", "together with": "with", "for example": "for-example",
    "for instance": "for-example", "of course": "indeed", "in fact": "indeed", "in addition": "also",
    "in addition to": "besides", "by default": "by-default", "in particular": "particularly", "at present": "now",
    "so that": "so-that", "as soon as": "once", "at the same time": "simultaneously", "in total": "overall",
    "take place": "occur", "takes place": "occurs", "took place": "occurred", "taken place": "occurred",
    "taking place": "occurring", "take longer": "take more time", "takes longer": "takes more time",
    "took longer": "took more time", "take part": "participate", "takes part": "participates",
    "took part": "participated", "taken part": "participated", "taking part": "participating", "carry out": "conduct",
    "carries out": "conducts", "carried out": "conducted",
    "bring about": "cause", "brings about": "causes", "brought about": "caused", "give rise to": "cause",
    "gives rise to": "causes", "gave rise to": "caused", "lead to": "cause", "leads to": "causes", "led to": "caused",
    "leading to": "causing", "result in": "cause", "results in": "causes", "resulted in": "caused",
    "resulting in": "causing", "is located": "is", "is situated": "is", "are located": "are", "are situated": "are",
    "was located": "was", "was situated": "was", "were located": "were", "were situated": "were", "be located": "be",
    "be situated": "be", "consist of": "comprise", "consists of": "comprises", "is made up of": "comprises",
    "is made of": "comprises",
    "linked to": "associated with", "linked with": "associated with", "tied to": "associated with",
    "correlated with": "associated with", "related to": "associated with", "connected with": "associated with",
    "correlates with": "is associated with", "correlate with": "are associated with",
    "has to": "must", "have to": "must", "had to": "must", "is required to": "must", "are required to": "must",
    "needs to": "must", "need to": "must", "is obliged to": "must", "are obliged to": "must",
    "is able to": "can", "are able to": "can", "was able to": "could", "were able to": "could",
    "is capable of": "can", "are capable of": "can", "is unable to": "can not", "are unable to": "can not",
    "was unable to": "could not", "were unable to": "could not", "is not able to": "can not",
    "are not able to": "can not", "is incapable of": "can not", "is going to": "will", "are going to": "will",
    "is about to": "will", "are about to": "will", "fail to": "not", "fails to": "not", "failed to": "did not",
    "failing to": "not", "does not fail to": "", "not only": "not-only",
    "not just": "not-only", "not merely": "not-only", "but also": "and",
    "but rather": "but", "any longer": "anymore", "with no": "without", "free of": "without", "free from": "without",
    "devoid of": "without", "not many": "few", "not much": "little", "no one": "nobody", "not one": "no",
    "not a single": "no", "nobody but": "only", "no one but": "only", "none but": "only", "nothing but": "only",
    "nobody except": "only", "no one except": "only", "nothing except": "only", "no one other than": "only",
    "nobody other than": "only", "nothing other than": "only", "managed to": "did", "manages to": "does",
    "manage to": "do", "neglected to": "did not", "omitted to": "did not", "it is possible that": "possibly",
    "it is likely that": "probably",
    "every year": "annually", "each year": "annually", "by hand": "manually",
    "go up": "rise", "goes up": "rises", "went up": "rose", "gone up": "risen", "going up": "rising",
    "go down": "fall", "goes down": "falls", "went down": "fell", "gone down": "fallen", "going down": "falling",
}  # fmt: skip
"""Phrases that work as one word, and that word."""

BE = words("be am is are was were been being")
HAVE = words("have has had having")
DO = words("do does did")
MODALS = {
    "may": "possible", "might": "possible", "could": "possible", "can": "possible", "will": "future",
    "shall": "future", "would": "supposed", "should": "advised", "ought": "advised", "must": "required",
}  # fmt: skip

_CLASSES = {
    "article": "a an the",
    "demonstrative": "this that these those such",
    "possessive": "'s his her its their my our your whose own",
    "pronoun": "i you he she it we they me him them us one ones who whom himself herself itself themselves which there",
    "and": "and & plus",
    "or": "or either",
    "but": "but yet",
    "discourse": (
        "also too indeed however moreover furthermore nevertheless nonetheless then well even as-well besides overall"
        " thus therefore hence so still again itself themselves meanwhile likewise respectively for-example thereby"
        " particularly especially both respectively"
    ),
    "hedge": (
        "possibly perhaps probably maybe likely presumably potentially seemingly apparently conceivably"
        " supposedly allegedly reportedly purportedly"
    ),
    "condition": "if unless only-if even-if until till whenever once except without assuming provided whether",
    "time": "when while before after since during ago as",
    "cause": "because because-of so-that",
    "concession": "although though despite whereas",
    "instead": "instead-of",
    "according": "according-to",
    "quantifier": (
        "all every each any both most many much some several few little no none half not-all always usually often"
        " sometimes rarely seldom everyone everybody everything nobody nothing nowhere someone something"
        " anyone anything everywhere mostly generally typically entirely partly largely mainly more fewer less"
        " hardly barely scarcely commonly normally chiefly other another others frequently occasionally"
        " partially completely fully wholly"
        " whole entire neither multiple various"
    ),
    "only": "only solely exclusively merely alone just purely sole",
    "change": "no-longer formerly previously originally once anymore now currently already yet still soon again",
    "than": "than",
    "negator": "not never nor",
    "preposition": (
        "of in on at by for with from to into onto out-of about around over under above below between among amongst"
        " through across against along behind beside besides beyond inside outside near off per toward towards upon"
        " via within up down out throughout like unlike versus vs using regarding concerning including except without"
        " following despite up-to such-as amid beneath underneath aboard opposite excluding compared-with compared-with"
    ),
    "default": "by-default",
    "that": "that",
}
CLASS: dict[str, str] = {}
for _name, _listed in _CLASSES.items():
    for _word in _listed.split():
        CLASS.setdefault(_word, _name)
CLASS["that"] = "that"
CLASS["which"] = CLASS["who"] = CLASS["whom"] = CLASS["whose"] = CLASS["where"] = "relative"
CLASS["'s"] = "possessive"
CLASS["there"] = "there"

HARMLESS = frozenset({"article", "discourse", "that", "demonstrative", "relative", "there", "default-mark"})
"""Classes that add nothing where they stand alone."""

ALIKE = (
    words("in at on within inside during throughout"), words("for during over through"),
    words("by through via using"), words("with using"), words("about on regarding concerning around over"),
    words("to towards toward into"),
    words("among amongst"), words("of 's"), words("versus vs against than"),
    words("include including such-as"), words("after following since"), words("because because-of since as"),
    words("although though despite while whereas but"), words("and but"), words("beside near by"), words("above over"),
    words("below under beneath underneath"), words("in into"), words("across throughout in"),
    words("many numerous multiple"), words("hardly barely scarcely"),
    words("several multiple various some"), words("every each all any"),
    words("no none"), words("everyone everybody"), words("someone somebody"), words("rarely seldom"),
    words("sometimes occasionally"), words("often frequently"), words("usually typically generally commonly normally"),
    words("entirely completely fully wholly"), words("partly partially"), words("mainly mostly largely chiefly"),
    words("only solely exclusively merely just purely"), words("now currently presently"),
    words("formerly previously"), words("possibly perhaps maybe potentially conceivably"),
    words("probably likely presumably"),
    words("allegedly reportedly supposedly purportedly"), words("seemingly apparently"), words("when whenever if"),
    words("until till"), words("if assuming provided"), words("except excluding"),
)  # fmt: skip
"""Words of grammar that can stand for each other."""
OPPOSED = tuple(
    frozenset(pair.split())
    for pair in (
        "before after|above below|over under|with without|to from|into out-of|for against|up down|inside outside|"
        "toward from|towards from|on off|all no|every no|always never|all few|many few|most few|including except|"
        "including excluding|including without|before since|more less|more fewer|until after|until since|on under|"
        "always rarely|often rarely|usually rarely|often never|sometimes never|some no|most no|any no|if unless|"
        "despite because-of|although because|within beyond|like unlike|both neither|near beyond"
    ).split("|")
)
SAID = words(
    """
    say says said claim claims claimed state states stated argue argues argued believe believes believed think thinks
    thought report reports reported suggest suggests suggested allege alleges alleged assert asserts asserted announce
    announces announced write writes wrote tell tells told insist insists insisted maintain maintains maintained
    hypothesise hypothesize hypothesised hypothesized hypothesizes hypothesises speculate speculates speculated propose
    proposes proposed predict predicts predicted estimate estimates estimated expect expects expected hope hopes hoped
    assume assumes assumed suppose supposes supposed deny denies denied doubt doubts doubted fear fears feared
    suspect suspects suspected advertise advertises advertised boast boasts boasted promise promises promised consider
    considers considered postulate postulates postulated contend contends contended wonder wonders wondered imagine
    imagines imagined pretend pretends pretended dream dreams dreamed rumour rumoured rumored warn warns warned
    complain complains complained feel feels felt conclude concludes concluded recommend recommends recommended
    """
)
"""Verbs by which somebody says or thinks what follows: it need not be so."""
REPORTED = words(
    """
    say claim state argue report assert maintain contend declare announce write allege insist affirm remark comment
    """
)
"""Base forms of verbs that tell what somebody said, and no more."""
RISING = words("increase raise elevate rise grow expand climb heighten")
FALLING = words("decrease reduce lower decline drop fall diminish lessen shrink cut")
"""Verbs, and nouns of them, by which an amount gets more or less."""
CAUSES = words(
    "cause produce induce trigger prevent reduce increase raise lower improve lead result protect decrease boost worsen"
)
LINKS = words("associate link correlate relate connect association correlation predict")
"""Base forms of words by which one thing makes another, or goes with it."""
INTENDED = words(
    """
    want wants wanted plan plans planned intend intends intended try tries tried attempt attempts attempted aim aims
    aimed hope hopes hoped seek seeks sought expect expects expected wish wishes wished decide decides decided agree
    agrees agreed promise promises promised refuse refuses refused threaten threatens threatened prepare prepares
    prepared seem seems seemed appear appears appeared propose proposes proposed schedule scheduled slated set due
    supposed designed meant likely unlikely ready believed thought said reported expected estimated considered alleged
    known claimed hypothesized hypothesised predicted fail failed neglect neglected forget forgot forgotten continue
    offer offers offered ask asks asked order ordered tell told allow allowed
    """
)
"""Words before "to" and a verb, by which the verb need not have happened."""
UNSURE = words(
    """
    unclear unknown uncertain doubtful questionable debatable disputed controversial hypothesis theory rumour rumor
    speculation possibility question chance risk hope belief claim allegation myth suggestion expectation advertisement
    advertisements false untrue incorrect wrong impossible unlikely evidence
    """
)
"""Words that, before "that" or "whether", leave open what follows."""
NOT_SO = words(
    """
    fake former alleged potential planned proposed supposed would-be ex counterfeit putative possible pretend
    so-called hypothetical intended presumed false failed attempted apparent artificial
    prospective suspected unconfirmed acting assistant deputy interim vice
    """
)
"""Adjectives whose noun need not be one: a former president is no president."""
PREFIXES = words(
    "semi quasi pseudo sub pre post un non anti near half de dis ex counter proto partly partially so-called would-be "
    "in im mis over under"
)
"""Parts of words that make another word of the one behind the hyphen."""
