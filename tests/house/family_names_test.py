import unittest

from example_tree import ExampleTree
import family_names


class FamilyNames(ExampleTree):
    def findings(self, allowances=""):
        self.write("checks/family_names.txt", allowances)
        return family_names.findings(self.root)

    def test_refuses_an_identifier_and_a_string(self):
        self.write("src/layers/a.cpp", 'bool is_llama;\nauto b = "Qwen3ForCausalLM";\n')
        self.assertEqual([line.split(";")[0] for line in self.findings()],
                         ["src/layers/a.cpp:1: names is_llama", "src/layers/a.cpp:2: names Qwen3ForCausalLM"])

    def test_leaves_their_home_comments_and_other_products(self):
        self.write("src/model/families/llama.cpp", "int llama;\n")
        self.write("src/layers/a.cpp", '// as Llama does\nauto b = "LLaMA-Factory, llamafactory-cli, llama.cpp";\n')
        self.assertEqual(self.findings(), [])

    def test_guards_a_new_family_as_soon_as_its_file_exists(self):
        self.write("src/layers/a.cpp", "int gemma;\n")
        self.assertEqual(self.findings(), [])
        self.write("src/model/families/gemma2.cpp", "")
        self.assertIn("names gemma", self.findings()[0])

    def test_an_allowance_covers_its_words_and_needs_a_reason_and_a_cause(self):
        self.write("src/data/templates/a.cpp", 'auto a = "llama3";\nauto b = "mistral";\n')
        self.assertEqual(self.findings("src/data/templates/ * names of templates\n"), [])
        self.assertEqual(len(self.findings("src/data/templates/ llama3 a name\n")), 1)
        self.assertIn("wanted: path, words, reason", self.findings("src/data/templates/ *\n")[0])
        self.assertIn("not needed any more", self.findings("src/data/ * x\nsrc/ops/ * x\n")[0])


if __name__ == "__main__":
    unittest.main()
