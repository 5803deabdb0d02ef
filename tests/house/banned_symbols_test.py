import subprocess
import unittest

from example_tree import ExampleTree
import banned_symbols


class BannedSymbols(ExampleTree):
    def room(self, code):
        """Compiles one source into the archive of a room called `example`."""
        self.write("a.cpp", code)
        (self.root / "src").mkdir(exist_ok=True)
        subprocess.run(["c++", "-O1", "-c", "a.cpp", "-o", "a.cpp.o"], cwd=self.root, check=True)
        subprocess.run(["ar", "rcs", "src/libhone_example.a", "a.cpp.o"], cwd=self.root, check=True)

    def findings(self, allowances=""):
        self.write("checks/banned_symbols.txt", allowances)
        return banned_symbols.findings(self.root, self.root)

    def test_passes_a_quiet_room(self):
        self.room("int f(int x) { return x + 1; }\n")
        self.assertEqual(self.findings(), [])

    def test_refuses_what_hides_behind_a_macro(self):
        self.room("#include <cstdlib>\n#define LOOK_UP get##env\n#define JOIN(a, b) a##b\n"
                  "const char* f() { return std::JOIN(get, env)(\"X\"); }\n")
        self.assertEqual(self.findings(), ["libhone_example.a:1: a.cpp.o refers to getenv; only apps/ may"])

    def test_refuses_streams_and_exits(self):
        self.room("#include <cstdio>\n#include <cstdlib>\n#include <iostream>\n"
                  "void f() { std::cout << 1; std::fputs(\"x\", stderr); std::exit(1); }\n")
        refused = {line.split(" refers to ")[1].split(";")[0] for line in self.findings()}
        self.assertEqual(refused, {"std::cout", "stderr", "exit"})

    def test_an_allowance_needs_a_reason_and_a_cause(self):
        self.room("#include <cstdlib>\nvoid f() { std::abort(); }\n")
        self.assertEqual(self.findings("example/a.cpp.o abort inlined from a library\n"), [])
        self.assertIn("wanted: object, symbol, reason", self.findings("example/a.cpp.o abort\n")[0])
        self.room("void f() {}\n")
        self.assertIn("not needed any more", self.findings("example/a.cpp.o abort a reason\n")[0])

    def test_refuses_to_pass_without_a_build(self):
        self.assertIn("no room was built there", self.findings()[0])


if __name__ == "__main__":
    unittest.main()
