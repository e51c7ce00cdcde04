"""Does a fact say what was said, and nothing else?

What a model forms of a turn is compared with the turn. Each number, unit, date, name and person in
it has to stand there, or in the turns given with it; a date may be the one that "tomorrow" means,
a figure may be a word, "I" may be the speaker's name. What was denied stays denied, and of whom
something was said, of them it is said. Most of the other words have to stand there, in some form.

Linear in the texts, apart from the number of their clauses. Pure.
"""
