"""What kind of sentence a sentence is: a statement that can be checked, or one that is set aside, and as what."""

from __future__ import annotations

import re

from veritas.factcheck.shapes import Kind
from veritas.text.instructions import is_instruction


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_OFFER = _any(
    r"\b(?:let me know|feel free to|just let me|just ask|don't hesitate|do not hesitate|happy to (?:help"
    r"|assist|provide|expand|dig|explain|go))\b",
    r"^(?:would|do) you (?:like|want|prefer)\b", r"^(?:shall|should|can|may) i\b", r"^want me to\b",
    r"^(?:if you(?:'d| would)? (?:like|want|wish|need|prefer|have (?:any|more|further|other))|if (?:it's"
    r"|that's|this is|it would be) helpful|if needed|if useful)\b.*\b(?:i|me|ask)\b",
    r"^(?:i|we) (?:can|could) (?:also |then |now )?(?:help|provide|prepare|create|write|expand|go|dig|look"
    r"|draft|summari[sz]e|make|show|give|add|turn|build|pull|compare)\b",
    r"^(?:möchten sie|möchtest du|soll ich|willst du|wollen sie|brauchst du|brauchen sie)\b",
    r"^(?:wenn|falls) (?:du|sie)\b.*\b(?:ich|mir|bescheid)\b",
    r"\b(?:sag|sagen sie|gib|geben sie) mir (?:gern(?:e)? )?bescheid\b",
    r"\bsag(?:t|en sie)? (?:einfach |gern(?:e)? )?bescheid\b",
    r"^(?:gerne? kann ich|ich kann (?:dir|ihnen|auch|gern))\b",
    r"\bmelde(?:n sie sich| dich)\b.*\bfragen\b",
    r"^(?:souhaitez-vous|voulez-vous|veux-tu|souhaites-tu|aimeriez-vous)\b",
    r"\bn['’]hésite(?:z)?\b",
    r"^si (?:vous|tu) (?:le )?(?:souhaite|voule|veux|désire|ave|as)\w*\b.*\bje\b",
    r"^(?:dites|dis|faites)[- ]?(?:le[- ])?moi\b", r"^je peux (?:aussi|également|vous|te)\b",
)  # fmt: skip
_CHATTER = _any(
    r"^(?:sure|certainly|of course|absolutely|great question|good question|excellent question|thanks?"
    r"|thank you|you're welcome|got it|okay|ok|alright|hello|hi|hey|no problem|understood"
    r"|interesting question)(?:\b[^.]{0,60})?[!,.:]",
    r"^(?:sure|certainly|of course|absolutely|thank you|thanks|hello|hi|got it|okay|ok|alright"
    r"|great)\b[^.]{0,80}\b(?:here|below|question|there|let's|i'll|for asking)\b",
    r"^(?:sure|certainly|absolutely|of course|okay|ok|alright|understood)[.!]*$",
    r"^(?:here(?:'s| is| are|’s)|below (?:is|are|you)|the following (?:is|are) (?:a|an|some|the) (?:summary"
    r"|overview|list|report|breakdown|answer))\b(?!.*\b(?:because|why)\b)[^.]{0,200}[:.!]?$",
    r"^(?:i(?:'ve| have|’ve)?|we(?:'ve| have|’ve)?) (?:just )?(?:searched|looked|found|checked|compiled"
    r"|gathered|reviewed|browsed|researched|did some|conducted|put together|collected|prepared|summari[sz]ed"
    r"|drafted|written|created|included|listed|used|cross-checked)\b",
    r"^(?:i|we)(?:'ll| will|’ll|'m going to| am going to)\b", r"^let(?:'s|’s| us| me)\b",
    r"^(?:this|that|these|below|above|it) (?:is|are) (?:the|a|an|some|my|our)"
    r" [\w -]{2,40} (?:i|we) (?:used|wrote|ran|made|built)\b",
    r"^(?:i )?hope (?:this|that|it)\b",
    r"^(?:in )?this (?:report|answer|overview|summary|response|article|section|document|guide) (?:i|we|will"
    r"|summari[sz]es|gives|provides|covers|outlines|examines|explores|presents|describes|looks|aims"
    r"|is based on|was (?:compiled|generated|prepared))\b",
    r"^(?:as (?:you )?requested|as an ai|based on (?:my|the) (?:search|research|results|sources|information)"
    r"|according to my (?:search|research)|to (?:summari[sz]e|sum up|recap)[:,]?$|in (?:summary|short"
    r"|conclusion)[:,]?$)",
    r"^(?:my|these|the) (?:search|sources?|results?) (?:did|do|does|were|show|returned|found|cover)\b",
    r"^(?:good luck|enjoy|cheers|best regards|stay safe|have a (?:great|nice|good))\b",
    r"^(?:sources?|references?|note|summary|overview|answer|tl;?dr|key (?:facts|points|takeaways|findings)"
    r"|quellen?|fazit|überblick|zusammenfassung)\W*$",
    r"^(?:i (?:cannot|can't|could not|couldn't|was unable|am unable|don't have|do not have)|i'm (?:sorry"
    r"|unable|not able)|i apologi[sz]e|sorry)\b",
    r"^(?:gerne?|natürlich|selbstverständlich|klar|aber gern(?:e)?|gute frage|danke|hallo|sicher|okay"
    r"|ok)(?:[^.]{0,60})?[!,.:–-]",
    r"^(?:hier (?:ist|sind|finde[nt]|eine?|kommt|einige)|im folgenden|nachfolgend|nachstehend"
    r"|unten finde)\b[^.]{0,200}[:.!]?$",
    r"^ich (?:habe|hoffe|werde)\b.*\b(?:recherchiert|gesucht|zusammengestellt|zusammengefasst|geprüft|gefunden"
    r"|hilft|helfen|weiter|geben|zeigen|erklären|hilfreich)\b",
    r"^(?:viel (?:erfolg|spaß|glück)|dieser (?:bericht|text|überblick)|diese (?:übersicht|antwort"
    r"|zusammenfassung)) ?(?:gibt|fasst|bietet|enthält|beruht|stützt|$)?",
    r"^(?:bien sûr|certainement|avec plaisir|bonne question|merci|bonjour|d['’]accord|très bien|volontiers"
    r"|absolument)(?:[^.]{0,60})?[!,.:–-]",
    r"^(?:voici|voilà|ci-dessous|vous trouverez)\b[^.]{0,200}[:.!]?$",
    r"^j['’](?:espère|ai (?:cherché|trouvé|rassemblé|compilé|consulté|vérifié|résumé|effectué))\b",
    r"^(?:ce rapport|cette réponse|ce résumé|cet aperçu) (?:présente|résume|donne|couvre|propose"
    r"|s['’]appuie)\b",
    r"^bonne (?:lecture|chance|journée)\b",
)  # fmt: skip
_OPINION = _any(
    r"^(?:well, |honestly, |so, |and |but |personally,? )?(?:i|we) (?:personally |really |also |do |strongly "
    r"|firmly )?(?:think|believe|feel|find|suspect|guess|suppose|prefer|recommend|suggest|love|like"
    r"|would (?:say|argue|recommend|suggest|choose|pick|go)|doubt|hope|consider|admire|expect)\b",
    r"\b(?:in my (?:opinion|view|experience|judg?ment|eyes)|in our (?:opinion|view)|to my mind|if you ask me"
    r"|my (?:take|view|opinion|recommendation|favou?rite|impression|guess)|imo|imho|personally)\b",
    r"^(?:arguably|hopefully|ideally|sadly|luckily|frankly|honestly|admittedly|perhaps most (?:interesting"
    r"|exciting|important)ly)\b",
    r"^(?:it|this|that|these|they|he|she|the [\w -]{2,50}|[A-Z][\w-]+(?: [\w-]+){0,3}) (?:is|are|was|were"
    r"|remains?|seems?|feels?|looks?|makes?)(?: truly| really| quite| very| such| simply| so| just| certainly"
    r"| clearly| undoubtedly| arguably| for me| by far| also| perhaps)* (?:an? |the |one of the )?(?:truly "
    r"|really |very |most |absolutely |quite |rather )*(?:fascinating|amazing|wonderful|beautiful|awful"
    r"|terrible|great|impressive|remarkable|exciting|charming|stunning|lovely|delightful|disappointing"
    r"|overrated|underrated|boring|awesome|incredible|inspiring|perfect|magical|elegant|ugly|nicest|loveliest"
    r"|prettiest|worst|best|shame|pity|must-see|breathtaking|worthwhile|worth (?:a visit|visiting|seeing"
    r"|reading|it)|sensible|foolish|wise|unfair|pleasant|enjoyable|good idea|bad idea|interesting|admirable"
    r"|regrettable|disgrace|mistake)\b",
    r"\b(?:we|governments?|policy ?makers|everyone|people|politicians|society|countries|researchers|companies"
    r"|schools|cities|nobody|one|they|it|planners|the \w+) (?:should|ought to|must not"
    r"|really should)\b(?! have\b)",
    r"\b(?:fascinates?|delights?|inspires?|thrills?|enchants?|charms?) (?:people|everyone|visitors|readers|us"
    r"|children|me)\b",
    r"^(?:what a|how (?:nice|sad|wonderful|beautiful)|no doubt)\b",
    r"\b(?:deserves? (?:more|credit|praise|attention|better)|is (?:well )?worth (?:a|the|your|every)"
    r"|seems to me|too bad)\b",
    r"^(?:ich|wir) (?:persönlich )?(?:finde|denke|glaube|meine|vermute|empfehle|halte|würde|hoffe|mag|finden"
    r"|denken|glauben|meinen|empfehlen|halten|würden)\b",
    r"\b(?:meiner (?:meinung|ansicht) nach|aus meiner sicht|meines erachtens|m\. ?e\.|für mich)\b",
    r"^(?:leider|hoffentlich|zum glück|schade|wahrscheinlich am besten)\b",
    r"\b(?:wir|man|regierungen?|politiker|die (?:politik|stadt|regierung|gesellschaft)|alle) (?:sollten?|müssten?)\b",
    r"\b(?:ist|sind|war|waren|bleibt|wirkt)(?: wirklich| einfach| sehr| ganz| absolut)* (?:eine? |der |die "
    r"|das )?(?:wunderschön|schön|faszinierend|beeindruckend|großartig|toll|wunderbar|langweilig|enttäuschend"
    r"|bemerkenswert|schade|herrlich|furchtbar|hässlich|spannend)(?:e[rsnm]?|ste[rsnm]?)?\b",
    r"^je (?:pense|crois|trouve|recommande|préfère|suppose|dirais|conseille|considère)\b",
    r"\b(?:à mon avis|selon moi|pour moi|d['’]après moi|à mes yeux)\b",
    r"^(?:malheureusement|heureusement|hélas)\b",
    r"\b(?:il faudrait|on devrait|nous devrions|devraient|les gouvernements doivent)\b",
    r"\b(?:est|sont|était|reste)(?: vraiment| très| tout simplement| absolument)* (?:une? |la |le "
    r"|l['’])?(?:plus )?(?:magnifique|superbe|fascinant|impressionnant|merveilleux|merveilleuse|beau|belle"
    r"|ennuyeux|décevant|charmant|formidable|extraordinaire)e?s?\b",
)  # fmt: skip
_DETERMINER = (
    r"(?:the|your|a|an|any|all|this|these|that|those|it|them|each|every|whether|if|sure|out|up|with|for|to|on"
    r"|in|at|by|from|at least|no|only|our|both|some|as|more|plenty|enough|about|one|two|three|\d+|what|how"
    r"|when|where|who|which|yourself)"
)
_INSTRUCTION = _any(
    rf"^(?:please |always |never |then |next,? |first,? |finally,? |also,? |just |simply |and |now |instead,? "
    rf"|for (?:best results|more|details),? )*(?:check|use|make|consult|see|visit|click|avoid|consider|take"
    rf"|keep|try|add|remove|install|open|download|contact|call|ask|read|follow|ensure|verify|compare|look|note"
    rf"|remember|be|go|start|stop|run|select|choose|pick|apply|mix|stir|bring|set|turn|press|write|save|store"
    rf"|replace|wash|pour|let|leave|buy|book|plan|drink|eat|wear|stay|talk|speak|seek|double-check|monitor"
    rf"|review|update|test|measure|cite|quote|treat|watch|search|find|get|give|send|submit|register|subscribe"
    rf"|learn|limit|reduce|include|prepare|pack|bookmark|refer|confirm|cross-check|place|put|cut|heat|rinse"
    rf"|schedule|track) {_DETERMINER}\b",
    r"^(?:please|always|never)\b (?!before|again|has|have|had|been|was|were|a\b|the\b)",
    r"^(?:do not|don't|make sure|be sure|be careful|keep in mind|bear in mind|see also|for more (?:information"
    r"|details)|read more|click here|remember to|remember that|note:? )\b",
    r"^(?:do not|don't) ",
    r"\byou (?:should|must|need to|ought to|may want to|might want to|will want to|can use|have to)\b",
    r"^[A-ZÄÖÜ][a-zäöüß]+(?:en|rn|ln) sie\b(?! (?:ist|war|hat))",
    r"^(?:bitte|achte(?:n sie)?|beachte(?:n sie)?|prüfe(?:n sie)?|verwende|nutze|vergleiche|frage?|lies"
    r"|lesen sie|besuche|vermeide|denke daran|denken sie daran)\b(?! (?:ist|war|hat|wird))",
    r"\b(?:du|sie) (?:solltest|sollten|musst|müssen)\b.{0,80}$",
    r"^(?:veuillez|n['’]oubliez pas|assurez-vous|consultez|vérifiez|utilisez|évitez|pensez|prenez|essayez"
    r"|ajoutez|lisez|comparez|contactez|demandez|faites|gardez|notez|choisissez|visitez|suivez)\b",
    r"\bvous (?:devriez|devez)\b",
)  # fmt: skip
_PROMPT = _any(
    r"^(?:you are (?:a|an) (?:helpful|expert|assistant|ai|professional|experienced|senior|world)|act as (?:a"
    r"|an)\b|pretend you)",
    r"^(?:please |can you |could you |would you )?(?:write|explain|summari[sz]e|give me|list|tell me|create"
    r"|generate|draft|compose|research|produce|translate|rewrite|describe|analy[sz]e|help me|find me|prepare"
    r"|provide|do a deep)\b.{0,400}\b(?:me|my|report|essay|words?|citations?|sources?|bullet|paragraphs?"
    r"|article|summary|table|sentences?|references?|overview|about|briefly|detail|pages?)\b",
    r"^(?:schreib(?:e|en sie)?|erkläre?|fasse|gib mir|nenne?|erstelle?|recherchiere?|übersetze?|hilf mir"
    r"|bitte (?:schreib|erklär|fass|erstell|recherchier)\w*)\b.{0,400}\b(?:mir|bericht|text|quellen|wörter"
    r"|über|zusammen|aufsatz|absätze|übersicht|stichpunkte)\b",
    r"^(?:écris|écrivez|rédige[z]?|explique[z]?|résume[z]?|donne[z]?-moi|fais|génère"
    r"|recherche[z]?)\b.{0,400}\b(?:rapport|texte|mots|sources|sur|résumé|article|moi)\b",
)  # fmt: skip
SAVED_PROMPT = re.compile(
    r"(?i)[#*_\s>]*(?:user(?: prompt)?|prompt|saved prompt|original prompt|my (?:prompt|question)|you(?: said"
    r"| asked)?|question|human|query|q|me|frage|nutzer|eingabe|utilisateur|invite)[*_]*\s*:[*_]*\s*"
    r"|[#*_\s>]*(?:user prompt|saved prompt|prompt|you said|user|human)[*_]*\s*\Z"
)
ANSWER = re.compile(
    r"(?i)[#*_\s>]*(?:assistant|response|answer|reply|chatgpt(?: said)?|claude|gemini|copilot|perplexity|grok"
    r"|model|ai|bot|a|antwort|réponse)[*_]*(?:\s*:[*_]*\s*|[*_]*\s*\Z)"
)
_FIRST_PERSON = re.compile(
    r"(?i)^(?:i|we|ich|wir|je|nous)\b|\b(?:in my|imo|imho|meiner meinung|à mon avis|selon moi|personally)\b"
)
_LETTERS = re.compile(r"[^\W\d_]{2,}")


_OWN_RUN = re.compile(r"(?m)^- Run \d{8}-\d{6}-\w+, VERITAS \d")
_OWN_CHECKS = re.compile(r"(?m)^## How this was checked[ \t]*$")
_OWN_HEAD = re.compile(r"(?m)^\*(?:[^*\n]|\\\*)+\*[ \t]*$")


def words_of_veritas(text: str) -> tuple[tuple[int, int], ...]:
    """Return where an answer that VERITAS exported as Markdown speaks of how it was made, not of its matter."""
    run, checks = _OWN_RUN.search(text), _OWN_CHECKS.search(text)
    if run is None or checks is None:
        return ()
    first = re.search(r"(?m)^(?:\*\*|[^*#\s])", text)
    head = first.start() if first else 0
    return (*(m.span() for m in _OWN_HEAD.finditer(text, 0, head)), (checks.start(), len(text)))


def kind_of(words: str, *, cited: bool, opening: bool) -> Kind:
    """Return the kind of a sentence by its words. One that is `cited` by a mark of its own says something that its
    source can bear out, so it is set aside only if it speaks of its author. `opening` sentences begin the text."""
    said = words.strip(" \t\n*_>“”\"'–—-•")
    if not said:
        return "chatter"
    if opening and _PROMPT.search(said):
        return "saved_prompt"
    if _OFFER.search(said) and not (cited and not _FIRST_PERSON.search(said)):
        return "offer"
    if said.endswith(("?", "?”", '?"', "？")) and not cited:
        return "question"
    if cited:
        return "opinion" if _FIRST_PERSON.search(said) and _OPINION.search(said) else "statement"
    if _CHATTER.search(said):
        return "chatter"
    if _INSTRUCTION.search(said) or is_instruction(said):
        return "instruction"
    if _OPINION.search(said):
        return "opinion"
    return "statement" if _LETTERS.search(said) else "heading"
