import unittest

from example_tree import ExampleTree
import open_ends

# Put together here, so that the check does not find them in this file.
LATER, REPAIR = "TO" + "DO", "FIX" + "ME"


class OpenEnds(ExampleTree):
    def test_refuses_a_note_without_an_issue(self):
        self.write("src/a.cpp", f"int a;\n// {LATER}: finish\n")
        self.write("docs/a.md", f"{REPAIR} soon\n")
        self.assertEqual(open_ends.findings(self.root),
                         [f"docs/a.md:1: {REPAIR} without the number of an issue",
                          f"src/a.cpp:2: {LATER} without the number of an issue"])

    def test_allows_one_with_an_issue_and_longer_words(self):
        self.write("src/a.cpp", f"// {LATER} (#12): finish\n// {LATER} issue 3\nint {LATER}S;\n")
        self.assertEqual(open_ends.findings(self.root), [])


if __name__ == "__main__":
    unittest.main()
