import unittest

from example_tree import ExampleTree
import documents


class Documents(ExampleTree):
    def setUp(self):
        super().setUp()
        self.write("run", "command_test() {\n}\ncommand_check() {\n}\n")
        self.write("src/ops/rope.h", "")
        self.write("apps/cli/command.h", "int run_train(const Invocation& invocation);\n")
        self.write("docs/other.md", "# A heading, with `code`\n")

    def findings(self, text):
        self.write("docs/a.md", text)
        return documents.findings(self.root)

    def test_allows_what_exists(self):
        self.assertEqual(self.findings(
            "`src/ops/rope.h:12`, `ops/rope.h`, `src/ops/`, `ops/<name>.h`, `ops/*.h`, `src/{ops,ops}/rope.h`,\n"
            "`./run test slow`, `hone train a.yaml`, [x](other.md), [y](other.md#a-heading-with-code),\n"
            "`build/cpu-release/bin/hone`, `/dev/kfd`, `and/or`, `../../src/ops`, [z](https://example.org/x)\n"
            "```\n./run check\nhone train src/ops/rope.h\n```\n"), [])

    def test_refuses_paths_that_do_not_exist(self):
        for path in ("src/ops/gone.h", "ops/gone.h", "docs/gone.md", "src/gone/<name>.h", "src/{ops,gone}/rope.h"):
            with self.subTest(path):
                self.assertEqual(self.findings(f"\nSee `{path}`.\n"), [f"docs/a.md:2: names {path}, which does not exist"])

    def test_refuses_paths_in_fenced_commands(self):
        self.assertEqual(len(self.findings("```sh\nhone train src/ops/gone.yaml\n```\n")), 1)

    def test_refuses_commands_that_do_not_exist(self):
        self.assertEqual(self.findings("`./run gone`, `hone gone`\n"),
                         ["docs/a.md:1: run has no command gone", "docs/a.md:1: hone has no command gone"])
        self.assertEqual(self.findings("```\nllamafactory-cli gone a.yaml\n```\n"), ["docs/a.md:2: llamafactory-cli has no command gone"])

    def test_plain_sentences_are_no_commands(self):
        self.assertEqual(self.findings("hone gone well, and run gone\n"), [])

    def test_the_roadmap_may_name_what_is_not_there_yet(self):
        self.write("docs/roadmap.md", "`hone gone`, `src/ops/gone.h`, [x](gone.md)\n")
        self.assertEqual(self.findings(""), ["docs/roadmap.md:1: links to gone.md, which does not exist"])

    def test_refuses_broken_links_and_headings(self):
        self.assertEqual(self.findings("[x](gone.md) ![p](gone.png)\n[y](other.md#gone)\n"),
                         ["docs/a.md:1: links to gone.md, which does not exist",
                          "docs/a.md:1: links to gone.png, which does not exist",
                          "docs/a.md:2: links to other.md#gone, but there is no such heading"])


if __name__ == "__main__":
    unittest.main()
