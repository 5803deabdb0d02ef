"""Opens report.html in Chromium, without a window: python3 page_in_browser.py PROGRAM WRITE_KIT [PICTURES]

Debian: apt install chromium. PICTURES: a folder that keeps the screenshots, to be looked at. ctest runs it among
the slow tests where there is a Chromium."""

import pathlib
import re
import shutil
import struct
import subprocess
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "command_line"))
import program  # noqa: E402
from program import ProgramTest  # noqa: E402

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PICTURES = pathlib.Path(sys.argv.pop(3)).resolve() if len(sys.argv) > 3 and not sys.argv[3].startswith("-") else None


def pixels(png):
    """Rows of (red, green, blue), of a PNG picture with 8 bits and without interlacing."""
    data = png.read_bytes()
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", body[:10])
        elif kind == b"IDAT":
            packed += body
        at += 12 + size
    channels = {2: 3, 6: 4}[colour]
    raw = zlib.decompress(packed)
    stride = width * channels
    before = bytearray(stride)
    rows = []
    for y in range(height):
        start = y * (stride + 1)
        kind, row = raw[start], bytearray(raw[start + 1:start + 1 + stride])
        for i in range(stride):
            left = row[i - channels] if i >= channels else 0
            up, corner = before[i], before[i - channels] if i >= channels else 0
            if kind == 1:
                row[i] = (row[i] + left) & 255
            elif kind == 2:
                row[i] = (row[i] + up) & 255
            elif kind == 3:
                row[i] = (row[i] + (left + up) // 2) & 255
            elif kind == 4:
                guess = left + up - corner
                nearest = min((left, up, corner), key=lambda one: abs(guess - one))
                row[i] = (row[i] + nearest) & 255
        rows.append([tuple(row[x:x + 3]) for x in range(0, stride, channels)])
        before = row
    return rows


class Browser(ProgramTest):
    def open_page(self, *options):
        page = (self.place / "RUN/report.html").as_uri()
        # Without a sandbox of its own, as in containers; and with no network to fetch from.
        words = [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                 f"--user-data-dir={self.place}/profile", "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr",
                 "--v=0", "--window-size=1240,1500", *options, page]
        return subprocess.run(words, capture_output=True, text=True, timeout=program.SECONDS, cwd=self.place, env=self.environment)

    def train(self):
        settings = self.settings(val_size=0.2, eval_strategy="steps", eval_steps=5, num_train_epochs=12,
                                 run_name="</title><script>document.title = 'obeyed'</script>", warmup_ratio=0.1)
        status, _, errors = self.run_program("train", *settings)
        self.assertEqual((status, errors), (0, ""))

    def test_page(self):
        self.train()
        shown = self.open_page("--dump-dom")
        document = shown.stdout
        self.assertEqual(document.count("<svg"), 5)
        # Each line that was drawn has points with finite coordinates.
        paths = re.findall(r'<path class="(?:measured|smoothed|faint|evaluated)" d="([^"]*)"', document)
        self.assertGreaterEqual(len(paths), 6)
        for path in paths:
            self.assertRegex(path, r"^(?:[ML]-?[\d.]+ -?[\d.]+)+$")
        self.assertIn("<title>&lt;/title&gt;&lt;script&gt;", document)
        self.assertNotRegex(shown.stderr, r"CONSOLE")
        for name, option in (("light", "--blink-settings=preferredColorScheme=1"), ("dark", "--blink-settings=preferredColorScheme=0")):
            picture = (PICTURES or self.place) / f"report-{name}.png"
            self.open_page(option, f"--screenshot={picture}")
            rows = pixels(picture)
            paper = rows[2][2]
            self.assertEqual(sum(paper) > 600, name == "light", f"{name}: {paper}")
            colours = {colour for row in rows[::3] for colour in row[::3]}
            self.assertGreater(len(colours), 20, name)


if __name__ == "__main__":
    if BROWSER is None:
        sys.exit("there is no Chromium here; on Debian: apt install chromium")
    program.main()
