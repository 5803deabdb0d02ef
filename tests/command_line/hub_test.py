"""Models and data sets that are named as on a hub: the program against a hub on this machine."""

import contextlib
import json
import os
import pty
import time

import program
from hub_server import COMMIT, HubServer
from program import ProgramTest

TOKEN = "hf_TheUsersOwnSecretToken"


class Hub(ProgramTest):
    def setUp(self):
        super().setUp()
        model = {path.name: path.read_bytes() for path in (self.place / "T").iterdir()}
        model["pytorch_model.bin"] = b"not to be fetched"
        self.registry = json.loads((self.place / "K10/dataset_info.json").read_text())
        file = self.place / "K10" / self.registry["d"]["file_name"]
        self.hub = HubServer({"models/org/tiny": model, "datasets/org/set": {"train.json": file.read_bytes()}})
        self.addCleanup(self.hub.close)
        entry = {**self.registry["d"], "hf_hub_url": "org/set"}
        entry.pop("file_name")
        data = self.place / "ONLINE_DATA"
        data.mkdir()
        (data / "dataset_info.json").write_text(json.dumps({"d": entry}))
        self.environment["HF_ENDPOINT"] = self.hub.endpoint + "/"
        self.environment["HF_HOME"] = str(self.place / "HF")

    def words(self, **changes):
        return self.settings(**{"model_name_or_path": "org/tiny", "dataset_dir": self.place / "ONLINE_DATA", **changes})

    def train(self, *words, **environment):
        status, output, errors = self.run_program("train", *words, **environment)
        self.assertEqual((status, errors), (0, ""), output)
        return output

    def test_model_and_data_come_from_the_hub_and_train_to_the_same_bits(self):
        output = self.train(*self.words())
        self.assertIn("of model org/tiny from 127.0.0.1:", output)
        snapshot = self.place / "HF/hub/models--org--tiny/snapshots" / COMMIT
        self.assertTrue((snapshot / "model.safetensors").is_symlink())
        self.assertFalse((snapshot / "pytorch_model.bin").exists())
        self.train(*self.settings(output_dir=self.place / "LOCAL"))
        self.assert_same_files("RUN/model.safetensors", "LOCAL/model.safetensors")
        # Nothing again, and nobody asked.
        before = self.hub.count("/resolve/")
        self.train(*self.words(overwrite_output_dir="true"))
        self.assertEqual(self.hub.count("/resolve/"), before)
        seen = len(self.hub.seen)
        self.train(*self.words(overwrite_output_dir="true"), HF_HUB_OFFLINE="1")
        self.assertEqual(len(self.hub.seen), seen)

    def test_plan_needs_no_weights(self):
        status, output, errors = self.run_program("plan", *self.words())
        self.assertEqual((status, errors), (0, ""), output)
        self.assertEqual(self.hub.count("model.safetensors"), 0)

    def test_adapters_remember_the_name_on_the_hub(self):
        self.train(*self.words(finetuning_type="lora"))
        config = json.loads((self.place / "RUN/adapter_config.json").read_text())
        self.assertEqual(config["base_model_name_or_path"], "org/tiny")
        self.assertIn("base_model: org/tiny", (self.place / "RUN/README.md").read_text())
        files = {name: (self.place / "RUN" / name).read_bytes()
                 for name in ("adapter_config.json", "adapter_model.safetensors")}
        self.hub.repositories["models/me/adapter"] = files
        status, output, errors = self.run_program("chat", "model_name_or_path=org/tiny", "adapter_name_or_path=me/adapter",
                                                  "template=default", "max_new_tokens=4", "--prompt", "x")
        self.assertEqual((status, "fetching" in output), (0, False), errors)

    def test_transfer_that_breaks_off_goes_on(self):
        self.hub.cut["model.safetensors"] = 2
        output = self.train(*self.words())
        self.assertEqual(output.count("asked again in 1 s"), 2)
        self.train(*self.settings(output_dir=self.place / "LOCAL"))
        self.assert_same_files("RUN/model.safetensors", "LOCAL/model.safetensors")

    def test_run_that_is_killed_leaves_nothing_half_and_the_next_goes_on(self):
        name = "model.safetensors"
        blobs = self.place / "HF/hub/models--org--tiny/blobs"
        snapshot = self.place / "HF/hub/models--org--tiny/snapshots" / COMMIT
        size = len(self.hub.repositories["models/org/tiny"][name])
        self.hub.held.add(name)
        with self.start("train", *self.words()) as process:
            end = time.monotonic() + program.SECONDS
            came = []
            while not came and time.monotonic() < end:
                time.sleep(0.01)
                came = [file for file in blobs.glob("*.incomplete") if file.stat().st_size == size // 2]
            process.kill()
        self.assertEqual(len(came), 1)
        self.assertTrue((snapshot / "config.json").exists())
        self.assertFalse((snapshot / name).exists())
        self.hub.release()
        self.train(*self.words())
        self.assertEqual(self.hub.ranges[-1], f"bytes={size // 2}-")
        self.assertEqual(list(blobs.glob("*.incomplete")), [])
        self.train(*self.settings(output_dir=self.place / "LOCAL"))
        self.assert_same_files("RUN/model.safetensors", "LOCAL/model.safetensors")

    def test_weights_come_last_and_only_for_a_run_that_can_be(self):
        for changes, text in (({"dataset": "nope"}, "nope"), ({"memory_limit": "1MiB"}, "1.00 MiB (memory_limit)"),
                              ({"template": "nope"}, "template"), ({"adapter_name_or_path": "me/none"}, "me/none")):
            status, _, errors = self.run_program("train", *self.words(**changes))
            self.assertEqual(status, 1, changes)
            self.assertIn(text, errors)
        self.assertEqual(self.hub.count("model.safetensors"), 0)

    def test_terminals_see_how_far_it_is(self):
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(self.place)
            os.execve(program.PROGRAM, ["hone", "train", *self.words()], self.environment)
        seen = b""
        with contextlib.suppress(OSError):  # the end, on Linux
            while piece := os.read(terminal, 4096):
                seen += piece
        os.close(terminal)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), 0, seen)
        self.assertRegex(seen, rb"\r\x1b\[Kmodel\.safetensors  [^\r]* of [^\r]* \(100 ?%\)")
        self.assertIn(b"fetched ", seen)
        self.assertNotIn("\r", self.train(*self.words(cache_dir=self.place / "OTHER", overwrite_output_dir="true")))

    def test_tokens_are_sent_and_shown_and_written_nowhere(self):
        self.hub.token = TOKEN
        home = self.place / "HF"
        home.mkdir()
        ways = [({}, {"HF_TOKEN": TOKEN}), ({"hf_hub_token": TOKEN}, {}), ({"hf_hub_token": TOKEN}, {"HF_TOKEN": "hf_other"}), ({}, {})]
        for number, (settings, environment) in enumerate(ways):
            if not settings and not environment:
                (home / "token").write_text(TOKEN + "\n")
            words = self.words(output_dir=self.place / f"RUN{number}", cache_dir=self.place / f"CACHE{number}",
                               report_to="tensorboard", save_strategy="steps", save_steps=5, **settings)
            output = self.train(*words, **environment)
            self.assertNotIn(TOKEN, output)
        self.hub.token = "hf_another"
        for settings, environment in ways:
            status, output, errors = self.run_program("train", *self.words(cache_dir=self.place / "NONE", **settings), **environment)
            self.assertEqual(status, 1)
            self.assertIn("gated, and the account of the token has no access to it", errors)
            self.assertNotIn(TOKEN, output + errors)
        for path in self.place.rglob("*"):
            if path.is_file() and path != home / "token":
                self.assertNotIn(TOKEN.encode(), path.read_bytes(), path)

    def test_token_that_cannot_be_one_is_not_shown(self):
        status, output, errors = self.run_program("train", *self.words(), HF_TOKEN="hf_two words")
        self.assertEqual(status, 1)
        self.assertIn("the token in HF_TOKEN", errors)
        self.assertNotIn("words", output + errors)

    def test_gated_without_a_token(self):
        self.hub.token = TOKEN
        status, _, errors = self.run_program("train", *self.words())
        self.assertEqual(status, 1)
        # Of the model and of the data, together.
        self.assertIn("model org/tiny\n  found: gated: its owner decides who gets it\n", errors)
        self.assertIn("data set org/set\n  found: gated: its owner decides who gets it\n", errors)
        self.assertIn(f"ask for access at {self.hub.endpoint}/org/tiny, make a token", errors)

    def test_local_names_are_not_asked_for(self):
        (self.place / "OUT").mkdir()
        for name in ("./no_such", "no_such", "OUT/c", "/no/such", "org/tiny.gguf"):
            status, _, errors = self.run_program("train", *self.settings(model_name_or_path=name))
            self.assertEqual(status, 1)
            self.assertIn("folder not found", errors)
        self.assertEqual(self.hub.seen, [])

    def test_nobody_there(self):
        status, _, errors = self.run_program("train", *self.words(), HF_ENDPOINT="http://127.0.0.1:1")
        self.assertEqual(status, 1)
        self.assertRegex(errors, "model org/tiny\n  found: 127.0.0.1:1 cannot be reached: "
                                 f".*; no folder {self.place}/org/tiny either\n")
        self.assertIn("data set org/set\n  found: 127.0.0.1:1 cannot be reached", errors)

    def test_registry_on_the_hub_and_none_at_all(self):
        self.hub.repositories["datasets/org/registry"] = {
            "dataset_info.json": (self.place / "ONLINE_DATA/dataset_info.json").read_bytes()}
        self.train(*self.words(dataset_dir="REMOTE:org/registry"))
        self.train(*self.words(dataset_dir="ONLINE", dataset="org/set", overwrite_output_dir="true"))

    def test_modelscope(self):
        self.environment.update(USE_MODELSCOPE_HUB="1", MODELSCOPE_ENDPOINT=self.hub.endpoint,
                                HF_ENDPOINT="http://127.0.0.1:1")
        entry = {**self.registry["d"], "hf_hub_url": "other/set", "ms_hub_url": "org/set"}
        entry.pop("file_name")
        (self.place / "ONLINE_DATA/dataset_info.json").write_text(json.dumps({"d": entry}))
        self.hub.token = TOKEN
        status, output, errors = self.run_program("train", *self.words())
        self.assertEqual(status, 1)
        self.assertIn("MODELSCOPE_API_TOKEN (or ms_hub_token)", errors)
        output = self.train(*self.words(), MODELSCOPE_API_TOKEN=TOKEN)
        self.assertNotIn(TOKEN, output)
        master = self.place / ".cache/modelscope/models/org--tiny/snapshots/master"
        self.assertFalse((master / "model.safetensors").is_symlink())
        self.train(*self.settings(output_dir=self.place / "LOCAL"))
        self.assert_same_files("RUN/model.safetensors", "LOCAL/model.safetensors")
        self.train(*self.words(dataset_dir="ONLINE", dataset="org/set", overwrite_output_dir="true", ms_hub_token=TOKEN))

    def test_modelscope_alone_has_the_data(self):
        entry = {**self.registry["d"], "ms_hub_url": "org/set"}
        entry.pop("file_name")
        (self.place / "ONLINE_DATA/dataset_info.json").write_text(json.dumps({"d": entry}))
        self.train(*self.words(), MODELSCOPE_ENDPOINT=self.hub.endpoint)

    def test_modelers_hub_is_refused_in_words(self):
        status, _, errors = self.run_program("train", *self.words(), USE_OPENMIND_HUB="1")
        self.assertEqual(status, 1)
        self.assertIn("USE_OPENMIND_HUB\n  found: a hub that hone does not ask", errors)
        self.train(*self.settings(), USE_OPENMIND_HUB="1")


if __name__ == "__main__":
    program.main()
