"""The tokeniser: a word in a query must meet the same word in a document."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from snowballstemmer.english_stemmer import EnglishStemmer

from cogmem_core.languages.detect import language_shown
from cogmem_core.languages.stemming import english_stem
from cogmem_core.text import tokens as module
from cogmem_core.text.tokens import ANALYSER, Word, strip_words, tokens, words
from cogmem_core.text.vocabulary import STOPWORDS
from helpers.tables import each_row, each_row_of


class TestEnglish:
    @each_row_of("tokens/words_are_stemmed_and_stop_words_dropped")
    def test_words_are_stemmed_and_stop_words_dropped(self, text: str, expected: list[str]) -> None:
        """Snowball stems, no function words, no possessives."""
        assert tokens(text) == expected

    @settings(max_examples=100)
    @given(
        st.text("aeiourstlnbcdyz", min_size=1, max_size=6),
        st.sampled_from(
            [
                "",
                "s",
                "es",
                "ies",
                "ed",
                "eed",
                "ing",
                "ly",
                "ational",
                "izer",
                "fulness",
                "ement",
                "logist",
            ]
        ),
    )
    def test_shortcuts_give_the_stems_of_the_library(self, start: str, ending: str) -> None:
        """What is not handed to Snowball would have come back the same."""
        word = start + ending
        if len(word) > 2:
            assert english_stem(word) == EnglishStemmer().stemWord(word)


class TestTurkish:
    @each_row_of("tokens/forms_of_a_word_meet", "tr")
    def test_forms_of_a_word_meet(self, forms: str) -> None:
        """Plural, possessive, case after an apostrophe, and capitals with either i."""
        assert len(set(tokens(forms))) == 1
        assert len(tokens(forms)) == len(forms.split())

    def test_turkish_stop_words_go(self) -> None:
        """Also in capitals."""
        assert tokens("bu çok ÇÜNKÜ için değil ne zaman") == ["zaman"]

    def test_a_decomposed_dotted_i_is_an_i(self) -> None:
        """Other programs lower İ to i and a combining dot."""
        assert tokens("i\u0307stanbul I\u0307STANBUL") == ["istanbul", "istanbul"]

    def test_names_and_months_are_no_stop_words(self) -> None:
        """Ben, Kim and May are people and dates in somebody's memories."""
        assert tokens("Ben met Kim in May") == ["ben", "met", "kim", "may"]
        assert not {"ben", "kim", "may", "can"} & STOPWORDS


class TestNumbersAndDates:
    @each_row_of("tokens/numbers_stay_useful")
    def test_numbers_stay_useful(self, text: str, expected: list[str]) -> None:
        """Decimals stay whole, dates also give their year, month and day."""
        assert tokens(text) == expected


class TestScripts:
    @each_row_of("tokens/each_script_has_its_units", "ja ru zh")
    def test_each_script_has_its_units(self, text: str, expected: list[str]) -> None:
        """Bigrams where there are no spaces, words with their marks elsewhere."""
        assert [module._fold(token) for token in expected] == tokens(text)

    def test_emoji_are_tokens(self) -> None:
        """Skin tones, joiners and variation selectors make no other emoji; a flag is one."""
        assert tokens("👍🏽 👍 ❤️ 👨‍👩 🇹🇷 ok") == ["👍", "👍", "❤", "👨", "👩", "🇹🇷"]

    @each_row("text", ["'''", "...", "\x00\x01", "\ud800", "\u0301\u0301", "—«»", "\u200b"])
    def test_what_is_no_word_gives_nothing(self, text: str) -> None:
        """Punctuation, control characters, lone surrogates and lone marks."""
        assert tokens(text) == []


class TestInvariants:
    @given(st.text(max_size=80))
    def test_tokens_are_short_and_never_empty(self, text: str) -> None:
        """1 to 64 characters, no white space, whatever comes in."""
        assert all(1 <= len(token) <= 64 and not token.isspace() for token in tokens(text))

    @given(st.lists(st.text("abcçdegğıiklmnoöprsştuüyzİIAEL", min_size=1, max_size=12), max_size=6))
    def test_a_word_has_one_token_in_any_company(self, listed: list[str]) -> None:
        """The tokens of a text are the tokens of its words, unless it shows another language."""
        assume(language_shown(" ".join(listed)) in ("", "en", "tr"))
        assert tokens(" ".join(listed)) == [token for word in listed for token in tokens(word)]

    @given(st.text("abcdegiıklmnoprstuzİI", min_size=1, max_size=12))
    def test_capitals_make_no_difference(self, text: str) -> None:
        """Neither English nor Turkish capitals."""
        turkish_capitals = text.replace("i", "İ").replace("ı", "I").upper()
        assert (
            tokens(text) == tokens(text.upper()) == tokens(text.lower()) == tokens(turkish_capitals)
        )

    def test_long_words_are_cut(self) -> None:
        """64 characters are enough to tell words apart."""
        assert tokens("x" * 100) == ["x" * 64]

    def test_the_version_is_named(self) -> None:
        """Change it whenever a token changes."""
        assert ANALYSER == "nfkc-ifold-snowball-en-tr-bigram-4"


class TestWords:
    def test_words_come_unstemmed_with_their_places(self) -> None:
        """Stop-words included; a possessive belongs to the place, not to the word."""
        assert words("Does Caroline's dog bark?") == [
            Word("does", 0, 4),
            Word("caroline", 5, 15),
            Word("dog", 16, 19),
            Word("bark", 20, 24),
        ]

    @given(st.text(max_size=60))
    def test_places_lie_in_the_text_in_order(self, text: str) -> None:
        """Spans never overlap, even where normalising changes lengths."""
        position = 0
        for word in words(text):
            assert position <= word.start < word.end <= len(text)
            position = word.end

    def test_frequent_words_are_left_out(self) -> None:
        """A name with its possessive goes as one."""
        assert (
            strip_words("What is Caroline's dog called?", {"caroline"}.__contains__)
            == "What is dog called?"
        )

    @each_row("text", ["Caroline?", "  Caroline  ", "", "..."])
    def test_nothing_left_means_nothing_dropped(self, text: str) -> None:
        """An empty query would find nothing."""
        assert strip_words(text, lambda word: True) == text

    def test_a_text_without_such_words_stays_as_it_is(self) -> None:
        """Not even its spaces change."""
        assert strip_words("two  spaces", lambda word: False) == "two  spaces"
