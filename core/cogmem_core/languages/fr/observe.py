"""French: what a sentence is about, and what is to be kept out."""

from cogmem_core.languages.base import (
    SmallTalkRules,
)
from cogmem_core.languages.tables import phrases, words

SMALL_TALK = SmallTalkRules(
    greetings=phrases(
        """
        bonjour, bonsoir, salut, coucou, hello, hey, yo, bonne nuit, bonne journee, bonne soiree
        bonne apres-midi, bonne apres midi, bon week end, bon weekend, bon dimanche, ca va,
        comment ca va
        comment vas tu, comment allez vous, tu vas bien, quoi de neuf, au revoir, a demain, a
        bientot
        a plus, a plus tard, a tout a lheure, a tout de suite, a la prochaine, ciao, bye, adieu
        enchante, enchantee, bienvenue, bises, bisous, prends soin de toi, ravi de te revoir
        bonne annee, bon courage, bonne chance
        """
    ),
    confirmations=phrases(
        """
        oui, ouais, ouaip, si, bien sur, oui bien sur, evidemment, exactement, exact, daccord, ok
        okay, okey, dac, ca marche, ca roule, tres bien, bien, parfait alors, non, nan, non merci
        oui merci, oui sil te plait, oui stp, sil te plait, sil vous plait, stp, svp, pas du tout
        compris, je comprends, je vois, jai compris, cest bon, cest ca, cest vrai, tout a fait
        absolument, entendu, vas y, continue, continuez, allez, allez y, peut etre, je ne sais pas
        aucune idee, pourquoi pas, ca me va, ca me parait bien, ca a lair bien, bonne question
        fais le, pas encore, pas maintenant, comme tu veux, note, marche conclu, carrement
        """
    ),
    acknowledgements=phrases(
        """
        merci, merci beaucoup, merci bien, mille mercis, un grand merci, merci a toi, merci a vous
        merci pour ton aide, merci pour tout, merci pour laide, je te remercie, super, genial,
        parfait
        excellent, formidable, top, nickel, cool, chouette, magnifique, wow, waouh, ah, oh, ah bon
        haha, hihi, mdr, lol, ptdr, hum, hmm, mmh, interessant, tres interessant, bonne idee,
        bien joue
        bravo, tres utile, cest utile, ca maide, ca aide, de rien, pas de quoi, il ny a pas de quoi
        je ten prie, avec plaisir, pas de probleme, pas de souci, pas de soucis, ce nest pas grave
        cest pas grave, tant pis, dommage, desole, desolee, pardon, excuse moi, excusez moi
        felicitations, toutes mes felicitations, vraiment, serieux, zut, mince
        """
    ),
    fillers=words(
        """
        et a toi vous tous tout le monde mon ami amie cher chere alors bien encore tres beaucoup
        claude chatgpt gpt assistant aussi donc oui la les amis monsieur madame
        """
    ),
)
