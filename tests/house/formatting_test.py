import unittest

from example_tree import ExampleTree
import formatting


class Formatting(ExampleTree):
    """With a stand-in for clang-format that speaks as the real one does: the pinned wheel is there for
    ./run check, not for the tests."""

    def setUp(self):
        super().setUp()
        self.write("stand_in", "#!/bin/sh\nshift\nfor file; do grep -q BAD $file &&\n"
                   "echo \"$file:2:5: warning: code should be clang-formatted [-Wclang-format-violations]\" >&2\n"
                   "done\nexit 0\n")
        (self.root / "stand_in").chmod(0o755)

    def findings(self):
        return formatting.findings(self.root, str(self.root / "stand_in"))

    def test_names_each_file_once(self):
        self.write("src/a.cpp", "BAD\n")
        self.write("tests/b.h", "BAD\n")
        self.write("apps/c.cpp", "good\n")
        self.assertEqual(self.findings(), ["src/a.cpp:2: is not formatted: ./run format",
                                           "tests/b.h:2: is not formatted: ./run format"])

    def test_passes_an_empty_tree(self):
        self.assertEqual(self.findings(), [])


if __name__ == "__main__":
    unittest.main()
