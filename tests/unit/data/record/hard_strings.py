"""Texts on which tokenizers disagree: written ones, and random mixtures of risky pieces."""
import random
import unicodedata

WRITTEN = [
    "", " ", "  ", "\n", "\n\n", "\t", "\r\n", "a", " a", "a ", "  a  b   c    ", "\n \n  \n\t\n x",
    "it's we'll I'VE they'd DON'T can’t 'twas 'Tis o'clock 're 'RE 'Re '", "''s ''S's'S 'll'LL",
    "ſ'ſ 'ſ I'ſ", "K K k 'K", "İstanbul ISTANBUL ıI iİ", "straße STRASSE ẞ ß", "ΣΑΣ σας ς",
    "1 12 123 1234 12345 123456 1234567 3.14159 1,000,000 2024-01-02 0x1F 1e-5 ½ ² ³ ① ② Ⅷ ٣٤ १२३ 一二三",
    "١٢٣ x² x₂ 10⁻³ ½¾ ⅓", "def f(x):\n    return x**2  # square\n\n\nprint(f(3))\n",
    "for (int i = 0; i < n; ++i) { a[i] += b[i]; }  // sum\n", "https://example.org/a_b?c=d&e=%20#f",
    "a@b.c user_name snake_case camelCase PascalCase kebab-case ALLCAPS", "...!!!???---___***###",
    "“quotes” ‘single’ «guillemets» „low“ — dash – en … dots", "Zürich naïve café Ångström ﬁ ﬀ ﬃ",
    "e\u0301 \u0301e a\u030a A\u030a o\u0308\u0304 \u1100\u1161\u11a8 \u212b \u2126 \u00c5 \u0344", "q\u0323\u0307 q\u0307\u0323",
    "日本語のテキスト、中文。한국어! ﾊﾝｶｸ ＦＵＬＬ １２３", "Привет, мир! Ёжик ЁЖИК", "مرحبا بالعالم، كيف الحال؟", "שלום עולם",
    "नमस्ते दुनिया क्षत्रिय", "สวัสดีชาวโลก", "emoji 😀👩‍👩‍👧‍👦🏳️‍🌈 👍🏽 🇩🇪 ❤️ end", "\u200b\u200c\u200d\ufeff\u2060 zero width",
    "\u00a0nbsp\u00a0 \u2003em \u3000ideographic \u1680ogham \u180emvs \u2028ls \u2029ps \u0085nel \x1cfs \x1fus", "\x00\x01\x7f\x80\x9f control",
    "<|endoftext|>a<|im_end|>b<|im_start|>", "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n", "<|endoftext|><|endoftext|>",
    "<|endoftext|", "|endoftext|>", "<<|im_end|>>", "<|im_end|><|im_endo|>", " <|im_end|> ", "\n<|im_end|>\n",
    "<tool> <tool><tool>x<tool>", "a<strip> b  <strip>   c", "word wordy sword word word-word word_ word1 1word word", "wordword",
    "NormaliseD normalised NORMALISED nORmalised", "café<norm>café cafe\u0301", "a" * 200, "ab" * 100, " " * 130, "\n" * 77, "=" * 90,
    "aaaa bbbb aaaaaaaa" * 9, "the the the the theThe tHe", "\U0001f600" * 40, "é" * 50, "\u0e01" * 33, "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝟙𝟚𝟛", "🄰🄱 Ⓐⓐ ㊀",
    "a\u0000b", "\ufffd \ufffe \uffff", "\U0010ffff \U000e0001 \ue000", "İ", "ŉ ǰ ΐ", "ﷺ ﷽", "Ⅳ ⅳ ↀ",
    "x\u20dd \u0488 a\u200d", "_a _1 __init__ ‿⁀", "\t\tindent\n\t\t\tmore\n    four\n        eight\n", "trailing   \nspaces \t \n", "\r\r\n\n\r x\r\n\r\ny",
    "   \r\n   \n  x", " \u00a0 \u2003 x", "\u3000\u3000x", "end\u3000", "$100 €50 £3 ¥7 ₿1", "50% ±2 ×3 ÷4 √2 ∞ ≠ ≤ ⇒", "`code` ```block``` ~~strike~~ ^^",
]

PIECES = [
    " ", "  ", "   ", "\n", "\n\n", "\t", "\r\n", "\r", "\u00a0", "\u3000", "\u2028", "\u0085", "\u180e", "\u200b", "\x1c", "\x0b", "\x0c", "\x00",
    "a", "B", "the", "The", "ing", "word", "hello", "World", "x", "1", "12", "123", "2024", "0", "٣", "½", "²", "①", "Ⅷ", "१",
    "'s", "'S", "'ll", "'LL", "'re", "'vE", "'d", "'m", "'t", "'", "’s", "\"", "ſ", "'ſ", "K", ".", ",", "!", "?", "...", "-", "--", "_", "(", ")", "[", "{", "}", "/", "\\", "+", "=",
    "$", "€", "~", "`", "^", "|", "<", ">", "&", "%", "#", "@", "*", "é", "e\u0301", "\u0301", "ü", "u\u0308", "ß", "ſ", "ﬁ", "Å", "\u212b", "Σ", "ς", "İ", "ı",
    "日", "本語", "中文", "한", "\u1112\u1161\u11ab", "국어", "Привет", "мир", "مرحبا", "שלום", "नम", "स्ते", "สวัส", "😀", "👩‍👩‍👧", "🏳️‍🌈", "👍🏽", "🇩", "\ufe0f", "\u200d",
    "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|im_", "|>", "<tool>", "<strip>", "<norm>", "word", "_", "def ", "return ", "    ", "0x", "://", "𝔘", "🄰", "ⓐ", "\u20dd", "\U0010fffd", "\ufffd",
]


# What SentencePiece's tokenizers trip over: its own signs in the text, spaces at the ends, what its
# normalization rules take out, byte tokens and control tokens spelled out.
MARKED_PIECES = PIECES + [
    "\u2581", "\u2581\u2581", "\u2581the", "the\u2581", " \u2581", "\u2581 ", "<s>", "</s>", " <s>", "<s> ", "<unk>", "<pad>", "<0x41>", "<0x0A>", "<0xE2>", "[INST]", "[/INST]",
    "<usr>", "<bos>", "``", "''", "\x01", "\x08", "\x1f", "\x7f", "\ufeff", "\u00ad", "\u0300", "\u0301\u0302", "\u0e33", "\u1100\u1161", "ﬁ\u0301", "Å\u0327", "㍿", "ｶﾞ", "①", "…", "\u2026 ", "2⁄3",
    "the quick", "nation", "ational", "\n\n\n", "\t\t", "      ", "    return", "()", "();", "&&", "==", "\u2028", "क्ष", "ক্ষ", "ไทย", "ကြ", "ខ្មែរ", "ᠮᠣᠩ", "አማ", "ᏣᎳ", "ⵜⵉ", "𐌰", "𒀀", "🫠", "🏴\U000e0067\U000e0062\U000e007f",
]
MARKED_WRITTEN = WRITTEN + [
    "\u2581", "\u2581\u2581", "\u2581a \u2581b", " a", "  a", "a ", "a  ", "   ", "<s>", "<s>a", "<s> a", "a<s>b", "a <s> b", "</s><s>", "<s><s> <s>", "[INST] hi [/INST]",
    "[INST]hi[/INST]there", "<unk>", "a<unk>b", "<0x41>", "<0x41><0x42>", "\x01a", "\x01\x02 a", "\u200ba b", "\ufeffa", "  \x01 a", "``quoted''", "a\x7fb", "\u00ada", "ﬁ\u0301x", "\u0301a",
    "\r\n\r\nx", "1\u20442", "…a", "x…", "<usr>a<usr> b", " <usr> ", "日" * 40, "𒀀𒀁", "\U0001fae0\U0001fae0", "a" * 300, " " * 300, "ab " * 90, "\u2581" * 100, "\n" * 200,
]


def mixtures(count, seed, pieces=None, modern=False):
    """`count` strings of 1 to 24 pieces, some with runs, some of plain random characters.

    `modern`: random characters of all of Unicode, not only of the version that all tables agree on.
    """
    pieces = pieces or PIECES
    random_source = random.Random(seed)
    strings = []
    for _ in range(count):
        kind = random_source.random()
        if kind < 0.75:
            text = "".join(random_source.choice(pieces) for _ in range(random_source.randint(1, 24)))
        elif kind < 0.9:
            text = "".join(random_source.choice(pieces) * random_source.choice([1, 1, 2, 3, 7, 20])
                           for _ in range(random_source.randint(1, 8)))
        else:
            text = "".join(chr(any_character(random_source) if modern else random_character(random_source)) for _ in range(random_source.randint(1, 30)))
        strings.append(text)
    return strings


def random_character(random_source):
    # Blocks of letters, marks, signs. Only characters that Unicode 3.2 had: the normalization tables of
    # the `tokenizers` package are years older than those of utf8proc, and younger characters differ.
    low, high = random_source.choice([(0, 0x80), (0x80, 0x250), (0x250, 0x590), (0x590, 0x900), (0x900, 0x1200), (0x1e00, 0x2200),
                                      (0x2200, 0x2c00), (0x3000, 0x3200), (0x4e00, 0x4f00), (0xac00, 0xad00), (0xfb00, 0xfe00)])
    while True:
        code = random_source.randrange(low, high)
        if unicodedata.ucd_3_2_0.category(chr(code)) not in ("Cn", "Cs"):
            return code


def any_character(random_source):
    while True:
        code = random_source.choice([random_source.randrange(0x80), random_source.randrange(0x3000), random_source.randrange(0x10000),
                                     random_source.randrange(0x10000, 0x1fbff)])
        if unicodedata.category(chr(code)) not in ("Cn", "Cs"):
            return code
