"""English: courtesies that carry nothing."""

from cogmem_core.languages.base import SmallTalkRules
from cogmem_core.languages.tables import phrases, words

SMALL_TALK = SmallTalkRules(
    greetings=phrases(
        """
        hi, hii, hello, hey, hiya, howdy, yo, sup, greetings, hi there, hey there, hello there
        hello again, hi again, good morning, good afternoon, good evening, good night, good day
        morning, evening, gm, gn, goodnight, whats up, wassup, how are you, how are you doing
        how are you today, how are things, how is it going, hows it going, how do you do
        nice to meet you, nice to see you, good to see you, long time no see, welcome, welcome back
        bye, bye bye, goodbye, see you, see ya, see you later, see you soon, see you tomorrow
        talk to you later, ttyl, cya, take care, have a nice day, have a good day, have a great day
        have a good one, good to see you, great to see you, lovely to see you, good to meet you
        great to meet you, lovely to meet you, pleased to meet you, good to see you again
        nice to see you again, how have you been, how are you all, how was your day
        how was your weekend, sleep well, sweet dreams, see you then, see you around, good luck
        have fun, safe travels, have a good trip, have a nice weekend, have a good weekend
        enjoy your weekend, happy birthday, merry christmas, happy new year, get well soon
        good to hear from you, nice to hear from you
        """
    ),
    confirmations=phrases(
        """
        ok, okay, okey, okie, k, kk, okey dokey, sure, sure thing, for sure, yes, yep, yeah, yea
        yup, ya, aye, no, nope, nah, right, correct, exactly, of course, definitely, absolutely
        certainly, agreed, fine, alright, all right, true, indeed, sounds good, sounds great
        sounds good to me, looks good, looks good to me, lgtm, that works, works for me, got it
        understood, i see, makes sense, that makes sense, i understand, i agree, go ahead
        please do, do it, go on, continue, proceed, please continue, keep going, will do
        no problem, yes please, no thanks, no thank you, not yet, thats right, thats correct
        thats fine, thats it, im good, all good, deal, roger, copy that, noted, done, maybe, please
        why not, i think so, i guess, i guess so, let me think, let me see, let me think about it
        let me think about that, let me think about this, i will think about it
        """
    ),
    acknowledgements=phrases(
        """
        thanks, thank you, thx, ty, tysm, thanks a lot, thanks so much, thank you so much
        thank you very much, many thanks, thanks a bunch, thanks again, thank you again
        much appreciated, appreciated, i appreciate it, cheers, great, cool, nice, awesome, wow
        whoa, lol, lmao, haha, hahaha, hehe, heh, hm, hmm, mm, mhm, uh huh, uhuh, oh, ooh, ah, aha
        aw, aww, interesting, good, perfect, wonderful, amazing, excellent, brilliant, fantastic
        lovely, super, sweet, neat, very good, very nice, so cool, so nice, thats great
        thats awesome, thats cool, thats nice, good job, well done, that was great, that was good
        that was helpful, that was perfect, that was useful, that helps, that helped, very helpful
        thats helpful, thats perfect, thats good, thats useful, that is great, that is helpful
        that is good, great job, good idea, great idea, good to know, good point, fair enough, np
        no worries, youre welcome, my pleasure, anytime, sorry, my bad, never mind, nevermind
        thats hilarious, thats funny, so funny, how funny, thats amazing, thats wonderful, thats sad
        how sad, how nice, how lovely, oh no, oh dear, oh wow, no way
        whatever, really, seriously, bravo, congrats, congratulations
        """
    ),
    addressed=phrases(
        """
        thanks, thank you, thx, ty, many thanks, thanks a lot, thanks so much, thank you so much
        thank you very much, thanks again, thanks a bunch, cheers, congrats, congratulations
        well done, good job, great job, sorry, youre welcome, my pleasure, no worries
        """
    ),
    fillers=words(
        """
        all and again assistant baby bro buddy claude chatgpt dear dude everyone folks friend gpt
        guys jarvis just man mate my now oh so sir siri team then there too very well
        """
    ),
)
