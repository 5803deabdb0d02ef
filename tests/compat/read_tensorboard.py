"""Reads what hone writes for TensorBoard with TensorBoard's own reader. Run by hand:

    pip install tensorboard
    ninja -C build/... bin/hone write_kit
    python3 tests/compat/read_tensorboard.py build/.../bin/hone build/.../tests/write_kit

A run with evaluation, killed by nobody; the same stopped and resumed; and an evaluation alone. Every figure of
trainer_state.json must be there under transformers' tag, and every step once."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "command_line"))
import program  # noqa: E402
from program import ProgramTest  # noqa: E402
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator  # noqa: E402


def scalars(folder):
    """{tag: [(step, value), ...]} of a folder of event files."""
    reader = EventAccumulator(str(folder), size_guidance={"scalars": 0, "tensors": 0})
    reader.Reload()
    return {tag: [(event.step, event.value) for event in reader.Scalars(tag)] for tag in reader.Tags()["scalars"]}, reader


class TensorBoard(ProgramTest):
    def train(self, results, **changes):
        settings = self.settings(output_dir=self.place / results, val_size=0.2, eval_strategy="steps", eval_steps=2,
                                 num_train_epochs=2, report_to="tensorboard", save_strategy="steps", save_steps=3)
        words = [*settings, *(f"{name}={value}" for name, value in changes.items())]
        status, output, errors = self.run_program("train", *words)
        self.assertEqual((status, errors), (0, ""))
        return output

    def run_folder(self, results):
        folders = list((self.place / results / "runs").iterdir())
        self.assertEqual(len(folders), 1)
        return folders[0]

    def history(self, results):
        """{tag: [(step, value), ...]} as trainer_state.json has it."""
        expected = {}
        for entry in json.loads((self.place / results / "trainer_state.json").read_text())["log_history"]:
            for key, value in entry.items():
                if key == "step" or value is None:
                    continue
                tag = "eval/" + key[5:] if key.startswith("eval_") else "train/" + key
                expected.setdefault(tag, []).append((entry["step"], value))
        return expected

    def assert_same(self, found, expected):
        self.assertEqual(set(found), set(expected))
        for tag, points in expected.items():
            steps = [step for step, _ in found[tag]]
            self.assertEqual(steps[:len(points)], [step for step, _ in points], tag)
            for (_, ours), (_, value) in zip(found[tag], points):
                self.assertAlmostEqual(ours, value, delta=1e-6 * max(1.0, abs(value)), msg=tag)

    def test_whole_run(self):
        output = self.train("RUN")
        folder = self.run_folder("RUN")
        self.assertIn(f"tensorboard --logdir {folder}", output)
        found, reader = scalars(folder)
        expected = self.history("RUN")
        for tag in ("train/loss", "train/learning_rate", "train/grad_norm", "train/epoch", "eval/loss", "train/train_runtime"):
            self.assertIn(tag, expected)
        self.assert_same(found, expected)
        # The evaluation after the training, which trainer_state.json does not hold.
        self.assertEqual(len(found["eval/loss"]), len(expected["eval/loss"]) + 1)
        texts = {tag: reader.Tensors(tag)[0].tensor_proto.string_val[0].decode() for tag in reader.Tags()["tensors"]}
        self.assertEqual(set(texts), {"args/text_summary", "model_config/text_summary"})
        self.assertEqual(json.loads(texts["args/text_summary"])["eval_steps"], "2")
        self.assertEqual(json.loads(texts["model_config/text_summary"]),
                         json.loads((self.place / "T/config.json").read_text()))

    def test_resumed_run(self):
        self.train("RUN", max_steps=5)
        self.train("RUN", num_train_epochs=2, resume_from_checkpoint=self.place / "RUN/checkpoint-3")
        found, _ = scalars(self.run_folder("RUN"))
        steps = [step for step, _ in found["train/loss"]]
        self.assertEqual(steps, sorted(set(steps)))
        self.assert_same(found, self.history("RUN"))

    def test_named_folder_and_evaluation_alone(self):
        board = self.place / "BOARD"
        self.train("RUN", do_train="false", do_eval="true", logging_dir=board, report_to="all")
        found, _ = scalars(board)
        results = json.loads((self.place / "RUN/eval_results.json").read_text())
        self.assertEqual(found["eval/loss"][0][0], 0)
        self.assertAlmostEqual(found["eval/loss"][0][1], results["eval_loss"], places=5)
        self.assertNotIn("train/epoch", found)


if __name__ == "__main__":
    program.main()
