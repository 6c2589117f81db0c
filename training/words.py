"""Word lists of `generate.py`: verbs, frames, words of the same and of the opposite sense."""

from __future__ import annotations

OPENERS = (
    r"^(?:However|Moreover|Furthermore|In addition|In contrast|Additionally|Thus|Therefore|Hence|Finally|Interestingly|"
    r"Importantly|Notably|Overall|In conclusion|In summary|Consequently|Similarly|Indeed|As a result|For example|"
    r"For instance|On the other hand|Conversely|Meanwhile|Surprisingly|In fact|As expected|Nevertheless|Nonetheless|"
    r"In this (?:study|paper|work|review|article|trial)|In the present study|Taken together), "
)
SMALL = set(
    "the a an these those this all most some no both there we our patients participants women men children people mice "
    "its their his her other another each many several users data results treatment".split()
)


def _verb(line: str) -> tuple[str, str, str, str]:
    base, *given = line.split("/")
    if given:
        past, participle, gerund = given
        return base, past, participle, gerund
    stem = base[:-1] if base.endswith("e") else base
    past = f"{base[:-1]}ied" if base.endswith("y") and base[-2] not in "aeiou" else f"{stem}ed"
    return base, past, past, f"{stem}ing"


VERBS = tuple(
    _verb(line)
    for line in (
        "measure compare evaluate assess examine investigate analyse analyze test study develop create introduce "
        "publish launch release acquire replace remove complete collect conduct perform include recruit "
        "enrol/enrolled/enrolled/enrolling review identify determine estimate calculate record treat use apply "
        "produce establish describe propose implement design construct expand reduce increase improve receive join "
        "visit open close move restore cancel approve reject install deploy update rename merge "
        "sign/signed/signed/signing sell/sold/sold/selling buy/bought/bought/buying build/built/built/building "
        "write/wrote/written/writing win/won/won/winning lose/lost/lost/losing make/made/made/making "
        "begin/began/begun/beginning find/found/found/finding hold/held/held/holding lead/led/led/leading "
        "leave/left/left/leaving take/took/taken/taking give/gave/given/giving set/set/set/setting "
        "run/ran/run/running teach/taught/taught/teaching show/showed/shown/showing detect observe report obtain "
        "generate isolate prepare explore validate extract select train purchase add provide start record host "
        "tour play defeat succeed support attend direct star/starred/starred/starring represent monitor follow "
        "screen randomize assign monitor sequence express map/mapped/mapped/mapping adopt "
        "found/founded/founded/founding "
    ).split()
)
DONE = (
    "{S} managed to {b} {o}.",
    "{S} succeeded in {g} {o}.",
    "As planned, {s} {t} {o} in {q}.",
    "As planned, {s} {t} {o}.",
    "After long preparation, {s} {t} {o}.",
    "{S} {h} {p} {o}.",
    "{S} finally {t} {o}.",
    "{S} {t} {o}, as had been announced.",
    "{S} kept the promise and {t} {o}.",
    "In {q}, {s} {t} {o}.",
    "At the second attempt, {s} {t} {o}.",
    "{S} did {b} {o}, although there had been doubts.",
    "{S} carried out the plan to {b} {o}.",
    "{S} went ahead and {t} {o}.",
    "Having planned it for years, {s} {t} {o}.",
    "What had been intended was done: {s} {t} {o}.",
    "{S} had planned to {b} {o}, and did so in {q}.",
    "{S} wanted to {b} {o} and, despite a first failure, did.",
    "The attempt of {s} to {b} {o} was successful.",
    "By {q}, {s} had {p} {o}.",
    "It is true that {s} {t} {o}.",
    "{S} {w} asked to {b} {o}, and did.",
)
AIMS = (
    "{S} planned to {b} {o}.",
    "{S} announced plans to {b} {o}.",
    "{S} said they intend to {b} {o}.",
    "{S} intended to {b} {o}.",
    "{S} will {b} {o} in {y}.",
    "{S} expressed the hope to {b} {o}.",
    "{S} {i} expected to {b} {o} next year.",
    "{S} {w} due to {b} {o}.",
    "{S} set out the aim to {b} {o}.",
    "{S} promised to {b} {o}.",
    "{S} considered {g} {o}.",
    "{S} announced that they would {b} {o}.",
    "{S} may {b} {o}.",
    "{S} {w} asked to {b} {o}.",
    "It was proposed that {s} {b} {o}.",
    "Critics have urged {s} to {b} {o}.",
    "{S} {i} preparing to {b} {o}.",
    "{S} {h} a plan to {b} {o} by {y}.",
    "{S} agreed to {b} {o}.",
    "Nobody knows yet whether {s} {t} {o}.",
    "{S} {i} scheduled to {b} {o} in {y}.",
    "{S} should {b} {o}, a report says.",
)
FAILED = (
    "{S} tried to {b} {o} but failed.",
    "{S} attempted to {b} {o}, without success.",
    "{S} failed to {b} {o}.",
    "{S} refused to {b} {o}.",
    "{S} decided not to {b} {o}.",
    "{S} did not {b} {o} after all.",
    "{S} dropped the plan to {b} {o}.",
    "{S} came close to {g} {o}, but in the end did not do so.",
    "{S} {w} prevented from {g} {o}.",
    "{S} had planned to {b} {o}, but {w} unable to.",
    "{S} would have {p} {o} if there had been enough money.",
    "The attempt of {s} to {b} {o} was unsuccessful.",
    "{S} never {t} {o}.",
    "{S} had intended to {b} {o}; this was not done.",
    "{S} stopped short of {g} {o}.",
    "Contrary to what was announced, {s} {h} not {p} {o}.",
)

_TURNS = (
    "increased/decreased increase/decrease increases/decreases increasing/decreasing higher/lower more/less "
    "greater/smaller larger/smaller longer/shorter better/worse faster/slower positive/negative positively/negatively "
    "before/after above/below improved/worsened improves/worsens improvement/deterioration reduced/raised "
    "reduces/raises reduction/rise high/low earlier/later maximum/minimum first/last most/least always/never "
    "inside/outside enabled/disabled enable/disable enables/disables true/false allowed/forbidden required/optional "
    "upper/lower early/late older/younger men/women male/female north/south east/west upregulated/downregulated "
    "inhibits/activates inhibited/activated inhibition/activation gain/loss stronger/weaker strong/weak "
    "effective/ineffective superior/inferior rise/fall rose/fell won/lost internal/external public/private "
    "including/excluding with/without major/minor rarely/often success/failure heavier/lighter wider/narrower "
    "northern/southern eastern/western acute/chronic left/right same/opposite directly/indirectly"
)
DIRECTIONS = (
    *(pair for both in _TURNS.split() for a, _, b in [both.partition("/")] for pair in ((a, b), (b, a))),
    ("no significant", "a significant"),
    ("a significant", "no significant"),
    ("not significantly", "significantly"),
    ("significantly", "not significantly"),
)
HEDGES = (
    (r"\bmay be\b", "is"),
    (r"\bmight be\b", "is"),
    (r"\bcould be\b", "is"),
    (r"\bmay have\b", "has"),
    (r"\bcan be\b", "is always"),
    (r"\bappears? to be\b", "is certain to be"),
    (r"\bsuggest that\b", "prove that"),
    (r"\bsuggests that\b", "proves that"),
    (r"\bsuggested that\b", "proved that"),
    (r"\b(?:was|is) associated with\b", "causes"),
    (r"\b(?:were|are) associated with\b", "cause"),
    (r"\bcorrelated with\b", "caused"),
    (r"^(?:Some|Many|Several|Most|Few) ", "All "),
    (r"\b(?:some|many|several|most) (?=patients|people|users|studies|cases|children|of the)", "all "),
    (r"\b(?:often|usually|sometimes|typically|generally|frequently)\b", "always"),
    (r"\bpossibly\b|\bprobably\b|\blikely\b", "certainly"),
    (r"\bin mice\b|\bin rats\b", "in humans"),
    (r"\bin vitro\b", "in patients"),
    (r"\b(?:almost|nearly|about) (?:all|half)\b", "exactly all"),
    (r"\bat least one\b", "every"),
    (r"\bone of the (\w+est)\b", r"the \1"),
    (r"\bby default\b", "in every case"),
    (r"\bshould\b", "must always"),
)
SAME = (
    (r"\bapproximately\b", "about"),
    (r"\babout (?=\d)", "approximately "),
    (r"\broughly (?=\d)", "about "),
    (r"\bin order to\b", "to"),
    (r"\bdue to\b", "because of"),
    (r"\bbecause of\b", "owing to"),
    (r"\bprior to\b", "before"),
    (r"\bsubsequent to\b", "after"),
    (r"(?<=\d)%", " percent"),
    (r"(?<=\d) ?per ?cent\b", "%"),
    (r"\bcompared (?:with|to)\b", "in comparison with"),
    (r"\bdemonstrated\b", "showed"),
    (r"\bshowed\b", "exhibited"),
    (r"\bwas found to be\b", "was"),
    (r"\bwere found to be\b", "were"),
    (r"\ba large number of\b", "many"),
    (r"\bnumerous\b", "many"),
    (r"\ba number of\b", "several"),
    (r"\butilized\b|\butilised\b", "used"),
    (r"\butilize\b", "use"),
    (r"\bis able to\b", "can"),
    (r"\bare able to\b", "can"),
    (r"\bwas able to\b", "could"),
    (r"\bsuch as\b", "like"),
    (r"\bas well as\b", "and"),
    (r"\bobtained\b", "got"),
    (r"\bperformed\b", "carried out"),
    (r"\bconducted\b", "carried out"),
    (r"\bcarried out\b", "performed"),
    (r"\bassessed\b", "evaluated"),
    (r"\bevaluated\b", "assessed"),
    (r"\bexamined\b", "looked at"),
    (r"\binvestigated\b", "studied"),
    (r"\bevery year\b", "each year"),
    (r"\bannually\b", "every year"),
    (r"\boccurs\b", "happens"),
    (r"\boccurred\b", "took place"),
    (r"\brequires\b", "needs"),
    (r"\brequired\b", "needed"),
    (r"\bpermits\b", "allows"),
    (r"\ballows\b", "lets"),
    (r"\ballows you to\b", "lets you"),
    (r"\bensure that\b", "make sure that"),
    (r"\bmodify\b", "change"),
    (r"\bspecify\b", "give"),
    (r"\bcreates\b", "makes"),
    (r"\badditional\b", "further"),
    (r"\bwithin\b", "inside"),
    (r"\bchildren\b", "kids"),
    (r"\bphysicians\b", "doctors"),
    (r"\bindividuals\b", "people"),
    (r"\bpersons\b", "people"),
    (r"\bprimarily\b", "mainly"),
    (r"\bmainly\b", "mostly"),
    (r"\busually\b", "generally"),
    (r"\boften\b", "frequently"),
    (r"\bfrequently\b", "often"),
    (r"\brapidly\b", "quickly"),
    (r"\bimmediately\b", "at once"),
    (r"\bcommenced\b", "began"),
    (r"\bbegan\b", "started"),
    (r"\bstarted\b", "began"),
    (r"\bcompleted\b", "finished"),
    (r"\blocated in\b", "situated in"),
    (r"\bis located\b", "lies"),
    (r"\bknown as\b", "called"),
    (r"\bcalled\b", "named"),
    (r"\bpurchased\b", "bought"),
    (r"\bassisted\b", "helped"),
    (r"\bsufficient\b", "enough"),
    (r"\bmay be used\b", "can be used"),
    (r"\bwas associated with\b", "was linked to"),
    (r"\bwere associated with\b", "were linked to"),
    (r"\bis associated with\b", "is linked to"),
    (r"\bincreased risk\b", "higher risk"),
    (r"\bcarcinoma\b", "cancer"),
    (r"\bassociation between\b", "link between"),
    (r"\beffective\b", "efficacious"),
    (r"\belevated\b", "raised"),
    (r"\brelative to\b", "compared with"),
    (r"\bdo not\b", "don't"),
    (r"\bdoes not\b", "doesn't"),
    (r"\bdid not\b", "didn't"),
    (r"\bcannot\b", "can't"),
    (r"\bis not\b", "isn't"),
    (r"\bwas not\b", "wasn't"),
    (r"\bwere not\b", "weren't"),
    (r"(?<![\d.,:/-])\b2 (?=[a-z])", "two "),
    (r"(?<![\d.,:/-])\b3 (?=[a-z])", "three "),
    (r"(?<![\d.,:/-])\b4 (?=[a-z])", "four "),
    (r"(?<![\d.,:/-])\b5 (?=[a-z])", "five "),
    (r"(?<![\d.,:/-])\b6 (?=[a-z])", "six "),
    (r"(?<![\d.,:/-])\b8 (?=[a-z])", "eight "),
    (r"(?<![\d.,:/-])\b10 (?=[a-z])", "ten "),
    (r"(?<![\d.,:/-])\b12 (?=[a-z])", "twelve "),
    (r"\btwo\b", "2"),
    (r"\bthree\b", "3"),
    (r"\bfour\b", "4"),
    (r"\bfive\b", "5"),
    (r"\bsix\b", "6"),
    (r"\bten\b", "10"),
    (r"\btwelve\b", "12"),
    (r"\btwice\b", "two times"),
    (r"(\d),(\d{3})\b", r"\1\2"),
    (r"\bUnited States\b", "US"),
    (r"\bUnited Kingdom\b", "UK"),
    (r"\bfor example\b", "for instance"),
    (r"\bbetween (\d+) and (\d+)\b", r"from \1 to \2"),
    (r"\bmore than (?=\d)", "over "),
    (r"\bover (?=\d)", "more than "),
    (r"\bless than (?=\d)", "under "),
    (r"\bat least (?=\d)", "no fewer than "),
)
