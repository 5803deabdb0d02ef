import unittest

from example_tree import ExampleTree
import banned_calls


class BannedCalls(ExampleTree):
    def refused(self, code):
        self.write("src/a/a.cpp", code + "\n")
        return banned_calls.findings(self.root)

    def test_refuses_each(self):
        for code in ('getenv("HOME");', 'std::getenv("X");', "exit(1);", "std::exit(1);", "::_exit(1);",
                     "std::abort();", "abort();", 'printf("x");', 'std::puts("x");', "std::cout << 1;",
                     "std::cerr << 1;", 'fprintf(stderr, "x");', 'fmt::print("x");', "#include <iostream>"):
            with self.subTest(code):
                self.assertEqual(len(self.refused(code)), 1)

    def test_says_where_and_why(self):
        self.assertEqual(self.refused('\nint a = std::system(std::getenv("X"));'),
                         ["src/a/a.cpp:2: getenv reads the environment; only apps/ may"])

    def test_reads_neither_comments_nor_text(self):
        self.assertEqual(self.refused('// exit(1)\nauto a = "printf(x) std::cout";\n/* abort() */'), [])

    def test_leaves_members_and_longer_names(self):
        self.assertEqual(self.refused("loop.exit(); node->abort(); on_exit(1); snprintf(b, 1, f); my_getenv(x);"), [])

    def test_leaves_apps(self):
        self.write("apps/cli/a.cpp", "std::exit(1);\n")
        self.assertEqual(banned_calls.findings(self.root), [])


if __name__ == "__main__":
    unittest.main()
