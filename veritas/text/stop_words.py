"""Stop words: words without a topic, and words that name a kind of question."""

from __future__ import annotations

from veritas.text.wordlist import words

FUNCTION_WORDS = words(
    """
    a about again al all also am among an and another any are as at be because been being between both but by can
    could did do does down during each either et for from further had has have having he her here hers him his how
    however i if in into is it its just may me might more most must my no nor not of on once only or other others our
    ours out over own per same shall she should so some such than that the their theirs them then there therefore
    these they this those through thus to under up us very via was we were what when where which while who whom whose
    will with within would you your yours
    """
)
"""Words of grammar: sharing them does not make two sentences alike."""

STOP_WORDS = FUNCTION_WORDS | words(
    """
    above after although aren't became become before below cannot done else etc ever every few hence indeed itself let
    many much neither now off often one onto quite rather really since thereby though too toward towards until upon
    whatever whereas whether why without yet don't doesn't didn't isn't wasn't weren't can't won't couldn't wouldn't
    shouldn't hasn't haven't hadn't doing
    """
)
"""Words without a topic: those of grammar, and those of time, place and degree, which matter only where two sentences
are compared. Negations are among them."""

GENERIC_WORDS = words(
    """
    affect affects aim aspect associate associated association basis become behave behavior behaviour cause
    causes change changes concern consider current currently define defined definition describe described detail
    details determine differ difference different do does effect effective effects evidence example examples
    exist explain fact factor factors feature features find finding findings get give given good happen happens
    help helps impact important improve include includes including influence information involve involved kind
    know known lead leads level levels like main make makes mean means measured mechanism method methods need
    needed new number occur place play plays possible present provide provides purpose reason related relate
    relation relationship report reported result results role see set show shown shows significant significantly
    study studies support supports system take thing things type types use used useful uses using value values
    various way ways well work works limitation limitations exception exceptions measurement measurements say
    says tell people person best better compare compared comparison versus vs main major available handle
    handles
    """
)
"""Words that name a kind of question rather than its subject: they weigh little when relevance is measured."""
