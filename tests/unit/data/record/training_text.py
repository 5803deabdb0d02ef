"""The text on which the small vocabularies of the fixtures are trained."""

TEXTS = """
The workshop opens at eight and the first thing anyone does is put the kettle on. Nobody says so, but the day starts there.
She said that it's easier to mend a kettle than to write about mending one, and they'd all agreed, because they'll always agree.
We don't know who's been here; I've asked, you're asking, he'd ask, I'm sure, and it can't matter. It wasn't the weather.
A model reads tokens, not letters: the words of a text are cut into pieces, and each piece has a number. The number is all it sees.
In 1987 there were 12 of them, in 1999 there were 345, and by 2024 about 1,234,567 had been counted, or 98.7 % of the whole.
Training on the graphics card is faster than training on the processor when the batches are large enough to fill the machine.
def area(width, height):
    if width < 0 or height < 0:
        raise ValueError("negative size")
    return width * height  # in square metres

for i in range(10):
    print(f"{i}: {area(i, i + 1)}")
int main(int argc, char** argv) { for (int i = 0; i < argc; ++i) { puts(argv[i]); } return 0; }
SELECT name, count(*) FROM parts WHERE price > 10.50 GROUP BY name ORDER BY 2 DESC;
Der Fluß fließt über die Brücke hinüber, und die Mühle mahlt das Korn für das Dorf; später gibt es Brot.
Le garçon mangeait une crème brûlée près de la forêt où l'été s'achève déjà; ça va, c'est très bien.
El niño pequeño soñaba con la montaña y mañana irá a la compañía de su tío.
Мы пошли в лес, где было тихо, и только река шумела за деревьями. Привет, мир!
今日は天気がいいので、川まで歩いて行きました。日本語の文章です。
今天天气很好，我们去河边散步。中文的句子也在这里。
오늘은 날씨가 좋아서 강까지 걸어갔습니다. 한국어 문장입니다.
ذهبنا إلى النهر في الصباح وكان الجو جميلا. مرحبا بالعالم
नमस्ते दुनिया, आज मौसम अच्छा है और हम नदी के पास हैं।
The quick brown fox jumps over the lazy dog; the lazy dog doesn't mind, and the fox isn't that quick.
Numbers such as 7, 42, 100, 256, 1024, 4096, 65536 and 3.14159 occur in code, and so do 0x1F, 1e-5 and 2**10.
# Heading\n\n* first item\n* second item\n\n```\ncode block\n```\n\nSee [the page](https://example.org/page?id=1&x=2).
😀 Emoji are text too: 👍🏽 and ❤️ and 👩‍👩‍👧‍👦, all of them made of several characters. 😀😀
The word word, words, wording and sword share letters; the tokenizer shares them too where that pays.
"""
