"""English: words round names, and words that look like names and are none; folded."""

from cogmem_core.languages.base import NameRules
from cogmem_core.languages.tables import words

NAMES = NameRules(
    tech_talk=(
        r"(?:cod(?:e|ing)|programming|programmers?|developers?|frameworks?|librar(?:y|ies)"
        r"|compilers?"
        r"|backend|frontend|apis?|apps?|servers?|(?:micro)?services?|functions?|modules?|packages?"
        r"|repo(?:sitory|s)?|deploy\w{0,6}|sdk|scripts?|debug\w{0,4}|refactor\w{0,4}|languages?"
        r"|software|databases?|components?|versions?|upgrad\w{1,4}|rewr\w{2,6}|cluster|channels?"
        r"|messages?|meeting|install\w{0,6}|laptop)"
    ),
    org_talk=(
        r"(?:compan(?:y|ies)|inc|corp|job|jobs|work(?:s|ed|ing)? (?:at|for|in)|hired"
        r"|interview\w{0,4}"
        r"|ceo|cto|stocks?|shares|employees?|office|startup|acquired?|iphone|ipad|mac|macbook|store"
        r"|ordered|products?|announced|releas\w{1,4}|offer(?:ed)?|intern\w{0,4}|engineer)"
    ),
    place_words=words(
        """
        airport avenue bay beach bridge canyon castle cathedral city forest garden gardens hall hill
        hills hotel house island islands lake library market mountain mountains museum ocean palace
        park peninsula plaza river road sea square stadium station street temple theater theatre
        tower town valley village
        """
    ),
    place_beginnings=words(
        """
        east fort lake las los mount mt new north port rio saint san santa south west
        """
    ),
    org_words=words(
        """
        academy agency airlines association bank church clinic club college committee company corp
        corporation council foundation fund gmbh group holding hospital inc institute labs ltd llc
        ministry school society solutions studio studios systems team technologies union university
        """
    ),
    honorifics=words(
        """
        aunt auntie capt captain coach doctor dr grandma grandpa judge king lady lord miss mr mrs ms
        pastor president prince princess prof professor queen rev sir uncle
        """
    ),
    given_names=words(
        """
        aaron adam alex alexander alice amanda amy andrew angela anna anne anthony audrey barbara
        ben benjamin beth bob brandon brian calvin carlos carol caroline catherine charles charlotte
        chris christina christopher claire dan daniel dave david deborah dennis diana donna ed
        edward elena elizabeth ella emily emma eric ethan evan eva fatima fiona frank gary george
        gina greg hannah harry heather helen henry ian isabella jack jacob jake james jane janet
        jason jennifer jenny jeremy jessica jim joanna joe john jon jonathan jordan jose joseph
        joshua juan judy julia julie karen kate katherine katie keith kelly ken kevin kyle laura
        lauren leo liam linda lisa lucas lucy luis luke maria marie martin mary matt matthew megan
        melanie michael michelle miguel mike mohamed mohammed muhammad nancy nate nathan nicholas
        nicole nina noah nora oliver olivia omar pamela patricia patrick paul peter phil philip
        priya rachel rebecca richard robert ryan sam samantha samuel sandra sara sarah scott sean
        sofia sophia sophie stephanie stephen steve steven susan tara thomas tim tina tom tony tyler
        victoria vincent walter wendy william yuki zoe
        """
    ),
    not_names=words(
        """
        mon tue tues wed thu thur thurs fri sat sun friday life family about absolutely ah alas
        although always amazing amen anyway apparently arabic asian aw awesome aww basically
        beautiful best better bless both btw bye can catholic cheers chinese christian christmas
        congrats congratulations cool currently cute dad daddy damn danish dear definitely diwali
        dude dutch easter english european everybody everyone everything exactly excellent fantastic
        finally first fortunately french friday friends gee generally german glad god good goodbye
        gosh great greek grandma grandpa guess guys halloween hanukkah happy hello hey hi hindi
        honestly hope hopefully hows im indian indeed instead interesting internet isnt italian
        japanese jewish keep korean later latin let literally look lots love lovely luckily made
        mate maybe meanwhile met miss mom mommy monday mum muslim my new next nice nobody nope
        nothing obviously ok one other perfect perhaps personally phew please polish portuguese
        possibly probably prof ramadan recently remember russian sad sadly saturday second see
        seeing sent serious seriously shes somebody someone something sometimes somehow sorry sounds
        spanish speaking still sunday super sure surely swedish take tell thank thankfully thanks
        thanksgiving there think third thursday today tomorrow tonight totally true truly tuesday
        turkish two unfortunately usually valentine wednesday weekend welcome well went what whats
        where wish whoa whoo wonderful woohoo work wow xmas yay year yep yesterday yet yo your youre
        add ask build buy call check choose come compare create delete did does do explain find fix
        follow generate get give go have help here import install list make move note open put read
        reminder rewrite run save say send set show start stop summarize talk todo translate try
        turn update use visit wait watch write actually correction however also plus
        """
    ),
    names_and_words=words("may can will"),
    verb_endings=("ing", "ed"),
    adverb_endings=("ly",),
    place_before=(
        r"\b(?:in|near|visit(?:ed|ing)?|(?:mov\w{1,3}|trip|travel\w{0,5}|flew|fly|flying|drove"
        r"|drive"
        r"|relocat\w{1,4}|back|been|went|go|going) to|from downtown|toured"
        r"|explor\w{1,4}) (?:the )?$"
    ),
    org_before=(
        r"\b(?:work\w{0,3}|job|employed|intern\w{0,4}|engineer|interview\w{0,3}) (?:at|for|with) $"
    ),
)
