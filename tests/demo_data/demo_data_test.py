"""The data set of the demo: clean records, and questions that the records do not contain.

A demo that asks what it trained on would show memory of a sentence, not learning of a fact. So the
questions must be new in words, and every fact word must be taught by several records.
"""

import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "data"
DEMO = "alpaca_en_demo"
LARGEST_SHARED_PART = 0.6
FEWEST_RECORDS = 200
FEWEST_LESSONS = 8


def read_json(path):
    return json.loads(path.read_bytes().decode("utf-8", errors="strict"))


def read_records(path):
    """Of a .json file, or of a .jsonl file with one record a line."""
    if path.suffix == ".json":
        return read_json(path)
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def words(text):
    """The words of a text, in lower case, without punctuation."""
    return re.findall(r"[a-z0-9]+", text.lower())


def shared_part(left, right):
    """Words in both over words in either: 1 for the same set of words, 0 for none in common."""
    a, b = set(words(left)), set(words(right))
    return len(a & b) / len(a | b) if a | b else 1.0


class SharedPartTest(unittest.TestCase):
    def test_measures_the_overlap_of_words(self):
        self.assertEqual(shared_part("Which card?", "which CARD"), 1.0)
        self.assertEqual(shared_part("a b", "c d"), 0.0)
        self.assertAlmostEqual(shared_part("a b c", "b c d"), 0.5)


class RecordsTest(unittest.TestCase):
    def setUp(self):
        self.records = read_json(DATA / f"{DEMO}.json")

    def test_there_are_enough(self):
        self.assertGreaterEqual(len(self.records), FEWEST_RECORDS)

    def test_every_record_is_alpaca_with_text_of_bounded_length(self):
        for record in self.records:
            with self.subTest(record=record):
                self.assertEqual(list(record), ["instruction", "input", "output"])
                self.assertEqual(record["input"], "")
                for key, longest in (("instruction", 160), ("output", 260)):
                    text = record[key]
                    self.assertIsInstance(text, str)
                    self.assertEqual(text, text.strip())
                    self.assertTrue(5 <= len(text) <= longest, len(text))
                    self.assertTrue(text.isascii() and text.isprintable())

    def test_questions_and_answers_are_unique(self):
        for key in ("instruction", "output"):
            seen = {}
            for record in self.records:
                text = " ".join(words(record[key]))
                self.assertNotIn(text, seen, record)
                seen[text] = record


class QuestionsTest(unittest.TestCase):
    def setUp(self):
        self.records = read_json(DATA / f"{DEMO}.json")
        self.questions = read_json(ROOT / "examples" / "demo" / "questions.json")

    def test_there_are_three_each_with_its_fact(self):
        self.assertEqual(len(self.questions), 3)
        self.assertEqual(len({q["fact"] for q in self.questions}), 3)
        for question in self.questions:
            self.assertEqual(list(question), ["question", "fact"])
            self.assertNotIn(question["fact"].lower(), question["question"].lower())

    def test_none_is_in_the_data(self):
        for question in self.questions:
            asked = " ".join(words(question["question"]))
            for record in self.records:
                with self.subTest(question=question["question"], record=record["instruction"]):
                    text = " ".join(words(record["instruction"] + " " + record["output"]))
                    self.assertNotIn(asked, text)
                    overlap = shared_part(question["question"], record["instruction"])
                    self.assertLess(overlap, LARGEST_SHARED_PART)

    def test_each_fact_is_taught_in_several_wordings(self):
        for question in self.questions:
            lessons = [r for r in self.records if question["fact"] in r["output"]]
            self.assertGreaterEqual(len(lessons), FEWEST_LESSONS, question["fact"])


class RegistryTest(unittest.TestCase):
    def setUp(self):
        self.registry = read_json(DATA / "dataset_info.json")

    def test_the_demo_is_registered(self):
        self.assertIn(DEMO, self.registry)

    def test_every_registered_file_exists_and_every_file_is_registered(self):
        named = {entry["file_name"] for entry in self.registry.values()}
        present = {p.name for p in DATA.iterdir()} - {"README.md", "dataset_info.json"}
        self.assertEqual(named, present)

    def test_the_readme_names_every_data_set_with_its_record_count(self):
        readme = (DATA / "README.md").read_text(encoding="utf-8")
        for name, entry in self.registry.items():
            count = len(read_records(DATA / entry["file_name"]))
            self.assertIn(f"| `{name}` | {count} |", readme)
        self.assertIn("Both are ours", readme)


if __name__ == "__main__":
    unittest.main()
