import unittest

from example_tree import ExampleTree
import sizes


def function(name, lines):
    return f"void {name}() {{\n" + "  work();\n" * (lines - 2) + "}\n"


class Sizes(ExampleTree):
    def setUp(self):
        super().setUp()
        self.write("checks/exceptions.txt", "# none\n")
        # Enough small functions that one long one does not move the ninth tenth.
        self.write("src/small.cpp", "".join(function(f"small_{i}", 3) for i in range(30)))

    def findings(self):
        return sizes.findings(self.root)

    def test_allows_a_file_and_a_function_at_the_limit(self):
        self.write("src/a.cpp", function("f", 100) + "\n" * 700)
        self.assertEqual(self.findings(), [])

    def test_refuses_a_long_file(self):
        self.write("src/a.cpp", "\n" * 801)
        self.assertEqual(self.findings(), ["src/a.cpp:1: 801 lines, more than 800"])

    def test_refuses_a_long_function_and_names_it(self):
        self.write("src/a.cpp", "\n" + function("Thing::f", 101))
        self.assertEqual(self.findings(), ["src/a.cpp:2: Thing::f has 101 lines, more than 100"])

    def test_refuses_long_functions_in_python_and_shell(self):
        self.write("checks/a.py", "def f():\n" + "    pass\n" * 101)
        self.write("run", "f() {\n" + "  true\n" * 101 + "}\n")
        self.assertEqual(len(self.findings()), 2)

    def test_refuses_when_more_than_one_function_in_ten_is_long(self):
        self.write("src/a.cpp", "".join(function(f"f_{i}", 40) for i in range(6)))
        self.assertIn("one function in ten has over 40 lines", self.findings()[0])

    def test_an_exception_needs_a_reason_and_a_cause(self):
        self.write("src/a.cpp", function("f", 101))
        self.write("checks/exceptions.txt", "src/a.cpp:f  a table of cases, read from top to bottom\n")
        self.assertEqual(self.findings(), [])
        self.write("checks/exceptions.txt", "src/a.cpp:f\n")
        self.assertIn("gives no reason", self.findings()[0])
        self.write("src/a.cpp", function("f", 99))
        self.write("checks/exceptions.txt", "src/a.cpp:f  a table\n")
        self.assertIn("no longer too long", self.findings()[0])

    def test_remarks_when_files_grow(self):
        self.assertNotIn("WARNING", sizes.remark(self.root))
        self.write("src/small.cpp", "\n" * 500)
        self.write("checks/exceptions.txt", "\n" * 500)
        self.assertIn("WARNING: the habit is 400", sizes.remark(self.root))


class Functions(unittest.TestCase):
    def found(self, text):
        return [(name, length) for name, _, length in sizes.cpp_functions(text)]

    def test_counts_outer_functions_only(self):
        text = "namespace a {\nclass B {\n int f() const {\n  if (x) {\n  }\n  auto l = [] {\n  };\n }\n};\n}\n"
        self.assertEqual(self.found(text), [("f", 6)])

    def test_braces_in_member_initializers_do_not_end_a_constructor(self):
        text = "A::A(int x) : a_{x},\n  b_(1), c_{2} {\n  work();\n}\nint g() {\n}\n"
        self.assertEqual(self.found(text), [("A::A", 4), ("g", 2)])

    def test_tables_and_types_are_no_functions(self):
        self.assertEqual(self.found("constexpr Row kRows[] = {\n {f(1)},\n {f(2)},\n};\nstruct A {\n int a{1};\n};\n"), [])

    def test_braces_in_comments_strings_and_macros_do_not_count(self):
        text = "#define OPEN {\nvoid f() {\n  // }\n  g(\"}\", '}', R\"x(})x\");\n  /* } */\n}\n"
        self.assertEqual(self.found(text), [("f", 5)])

    def test_digit_separators_are_no_quotes(self):
        self.assertEqual(self.found("int f() {\n  return 1'000 + 2'000;\n}\n"), [("f", 3)])


if __name__ == "__main__":
    unittest.main()
