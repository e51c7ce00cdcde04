"""The names of things that have a time or a figure, in several languages side by side; folded.

Unlike the packs this is one table, because what a word of one language says in another one is a
matter of both.
"""

from __future__ import annotations

from collections.abc import Mapping

from cogmem_core.languages.tables import stems

TRANSLATED: tuple[str, ...] = ("en", "tr", "de", "es", "fr")
"""The languages of the columns."""


def _table(rows: str) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Per thing, named after its first English word, its words in each language."""
    table: dict[str, Mapping[str, tuple[str, ...]]] = {}
    for row in rows.strip().splitlines():
        columns = [stems(column.replace("/", " ")) for column in row.split("|")]
        table[columns[0][0]] = dict(zip(TRANSLATED, columns, strict=True))
    return table


SCHEDULED = _table(
    """
    class/course/lesson | kurs/ders | kurs/unterricht/stunde | clase/curso | cours/lecon
    meeting | toplanti | besprechung/treffen/meeting | reunion | reunion
    appointment | randevu | termin | cita | rendez-vous
    flight | ucus/ucag | flug | vuelo | vol
    train | tren | zug | tren | train
    exam/test | sinav | prufung | examen | examen
    interview | mulakat/gorusme | interview/vorstellungsgesprach | entrevista | entretien
    training/practice | antrenman/idman | training | entrenamiento | entrainement
    shift | vardiya/mesai | schicht | turno | equipe
    party | parti | party/feier | fiesta | fete
    wedding | dugun | hochzeit | boda | mariage
    concert | konser | konzert | concierto | concert
    deadline | teslim | abgabefrist/abgabe | plazo | echeance
    rehearsal | prova | probe | ensayo | repetition
    """
)
"""What has a day and a time."""
MEASURED = _table(
    """
    rent | kira | miete | alquiler | loyer
    salary/wage | maas | gehalt | sueldo/salario | salaire
    membership | uyeli | mitgliedschaft/beitrag | cuota | abonnement
    weight | kilo/agirli | gewicht | peso | poids
    dose | doz | dosis | dosis | dose
    budget | butce | budget | presupuesto | budget
    deposit | depozito | kaution | fianza | caution
    """
)
"""What has a figure."""
KINDS = _table(
    """
    portuguese | portekizce | portugiesisch | portugues | portugais
    german | almanca | deutsch | aleman | allemand
    english | ingilizce | englisch | ingles | anglais
    french | fransizca | franzosisch | frances | francais
    spanish | ispanyolca | spanisch | espanol | espagnol
    turkish | turkce | turkisch | turco | turc
    italian | italyanca | italienisch | italiano | italien
    piano | piyano | klavier | piano | piano
    guitar | gitar | gitarre | guitarra | guitare
    violin | keman | geige | violin | violon
    swimming/swim | yuzme | schwimm | natacion | natation
    dance/dancing | dans | tanz | baile | danse
    yoga | yoga | yoga | yoga | yoga
    pilates | pilates | pilates | pilates | pilates
    chess | satranc | schach | ajedrez | echecs
    driving | direksiyon/suruculuk | fahr | conducir | conduite
    cooking | yemek/ascilik | koch | cocina | cuisine
    pottery | seramik | topfer | ceramica | poterie
    maths/math | matematik | mathe | matematicas | maths
    history | tarih | geschichte | historia | histoire
    dentist/dental | disci/dis | zahnarzt | dentista | dentiste
    doctor | doktor/hekim | arzt | medico | medecin
    vet | veteriner | tierarzt | veterinario | veterinaire
    hairdresser | kuafor/berber | friseur | peluquero/peluqueria | coiffeur
    therapist/therapy | terapi/terapist | therapie/therapeut | terapia/terapeuta | therapie/therapeute
    bank | banka | bank | banco | banque
    gym | spor | fitnessstudio | gimnasio | gym
    flat/apartment | daire | wohnung | piso | appartement
    office | ofis | buro | oficina | bureau
    garage | garaj | garage | garaje | garage
    daughter | kizim | tochter | hija | fille
    son | ogl | sohn | hijo | fils
    mother/mum/mom | anne | mutter/mama | madre | mere
    father/dad | baba | vater/papa | padre | pere
    sister | kizkardes/abla | schwester | hermana | soeur
    brother | abi/agabey/erkek | bruder | hermano | frere
    wife | karim | frau | esposa/mujer | femme
    husband | kocam | mann | marido | mari
    team | ekip/takim | team | equipo | equipe
    weekend | haftasonu/sonu | wochenende | finde | week-end
    weekday/weekdays | hafta | werktags | laborables | semaine
    """
)
"""What tells things of one sort apart."""
HAPPENED: Mapping[str, str] = {
    "en": r"was|were|went|had",
    "tr": r"vardi|gecti|yapildi|gittim|gittik|surdu|\w+y?di[mk]|\w+[aeiou]ydi",
    "de": r"war|waren|hatte|hatten|ging",
    "es": r"fue|fueron|era|estuvo|tuve|tuvo",
    "fr": r"etait|etaient|a ete|a eu|ont eu",
}
"""Per language a regular expression for verbs of what took place."""
