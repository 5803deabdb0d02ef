"""Training on several ranks of this machine, by the program's own launcher and by the variables of
others, against one rank; and what happens when ranks do not agree or cannot meet."""

import json
import pathlib
import socket

import program
from program import SECONDS, ProgramTest

# The bounds of one and several ranks: loss 1e-5 relative, gradient norm 1e-4.
LOSS, NORM = 1e-5, 1e-4


class RanksTest(ProgramTest):
    def launch(self, ranks, *words, **environment):
        return self.run_program(*words, FORCE_TORCHRUN="1", NPROC_PER_NODE=str(ranks),
                                **environment)

    def train(self, ranks, results, status=0, environment=None, **changes):
        """A run on so many ranks that must end with this status; (output, errors)."""
        words = ["train", *self.settings(output_dir=self.place / results, **changes)]
        environment = environment or {}
        if ranks == 1:
            got, output, errors = self.run_program(*words, **environment)
        else:
            got, output, errors = self.launch(ranks, *words, **environment)
        self.assertEqual(got, status, output + errors)
        if status == 0:
            self.assertEqual(errors, "")
        return output, errors

    def history(self, results):
        text = (self.place / results / "trainer_state.json").read_text()
        return json.loads(text)["log_history"]

    def steps(self, results):
        return [entry for entry in self.history(results) if "loss" in entry]

    def assert_close(self, left, right, same_rounds=True):
        first, second = self.steps(left), self.steps(right)
        self.assertEqual(len(first), len(second))
        for one, other in zip(first, second):
            self.assertAlmostEqual(one["loss"], other["loss"], delta=LOSS * one["loss"] + 5e-5)
            self.assertAlmostEqual(one["grad_norm"], other["grad_norm"],
                                   delta=NORM * one["grad_norm"])
            self.assertEqual(one["learning_rate"], other["learning_rate"])
            if same_rounds:  # an epoch's fraction counts batches
                self.assertEqual(one["epoch"], other["epoch"])

    def write_records(self, answers, name="FEW"):
        folder = self.place / name
        folder.mkdir()
        (folder / "d.json").write_text(json.dumps(
            [{"instruction": "x", "input": "", "output": answer} for answer in answers]))
        (folder / "dataset_info.json").write_text(json.dumps({"d": {"file_name": "d.json"}}))
        return folder


class SameAsOne(RanksTest):
    def test_losses_and_files(self):
        small = {"learning_rate": "1e-4", "num_train_epochs": 2}
        self.train(1, "ONE", per_device_train_batch_size=4, **small)
        output, _ = self.train(2, "TWO", per_device_train_batch_size=2, **small)
        self.assertIn("Initializing 2 distributed tasks at: 127.0.0.1:", output)
        self.assertIn("ranks: 2, 2 of them on this machine", output)
        self.assertIn("4 records each (2 x 1 accumulated x 2 ranks)", output)
        self.train(2, "ACCUMULATED", per_device_train_batch_size=1,
                   gradient_accumulation_steps=2, **small)
        self.assert_close("ONE", "TWO")
        self.assert_close("ONE", "ACCUMULATED", same_rounds=False)
        names = {path.name for path in (self.place / "ONE").iterdir()}
        self.assertEqual({path.name for path in (self.place / "TWO").iterdir()}, names | {"logs"})
        log = (self.place / "TWO" / "logs" / "rank-1.log").read_text()
        self.assertIn("learning_rate", log)
        self.assertIn("step 6/6", log)
        self.assertFalse((self.place / "TWO" / "logs" / "rank-0.log").exists())
        lines = (self.place / "TWO" / "trainer_log.jsonl").read_text().splitlines()
        self.assertEqual(sum("loss" in json.loads(line) for line in lines), 6)

    def test_lora_on_three_ranks(self):
        lora = {"finetuning_type": "lora", "lora_rank": 4, "lora_target": "all",
                "lora_dropout": 0.1}
        self.train(1, "ONE", per_device_train_batch_size=3, **lora)
        self.train(3, "THREE", per_device_train_batch_size=1, **lora)
        self.assert_close("ONE", "THREE")
        self.assertEqual((self.place / "ONE" / "adapter_model.safetensors").stat().st_size,
                         (self.place / "THREE" / "adapter_model.safetensors").stat().st_size)

    def test_the_mean_is_over_the_tokens_of_all_ranks(self):
        # Closed form: see the models of the kit.
        same = {"model_name_or_path": self.place / "C", "dataset_dir": self.place / "AB",
                "learning_rate": "1e-30", "per_device_train_batch_size": 1, "do_eval": "true",
                "eval_dataset": "d", "per_device_eval_batch_size": 1}
        self.train(2, "RUN", **same)
        step, = self.steps("RUN")
        self.assertAlmostEqual(step["loss"], 2.836284, delta=1e-4)
        self.assertAlmostEqual(step["grad_norm"], 1.040546, delta=1e-4)
        evaluation = json.loads((self.place / "RUN" / "eval_results.json").read_text())
        self.assertAlmostEqual(evaluation["eval_loss"], 2.836284, delta=1e-5)

    def test_uneven_records(self):
        records = self.write_records(["a", "bb", "ccc", "dddd", "eeeee"])
        for accumulation, steps in ((1, 6), (2, 4)):
            name = f"RUN{accumulation}"
            self.train(2, name, dataset_dir=records, per_device_train_batch_size=1,
                       gradient_accumulation_steps=accumulation, num_train_epochs=2)
            self.assertEqual([entry["step"] for entry in self.steps(name)],
                             list(range(1, steps + 1)))

    def test_fewer_records_than_ranks(self):
        records = self.write_records(["answer"])
        self.train(1, "ONE", dataset_dir=records, per_device_train_batch_size=2)
        self.train(2, "TWO", dataset_dir=records, per_device_train_batch_size=1)
        self.assert_close("ONE", "TWO")

    def test_every_record_is_evaluated_once(self):
        for count in (1, 2, 3):
            records = self.write_records(["a" * (2 + 3 * i) for i in range(count)], f"EVAL{count}")
            info = json.loads((records / "dataset_info.json").read_text())
            info["e"] = {"file_name": str(records / "d.json")}
            info["d"] = {"file_name": str(self.place / "K10" / "d.json")}
            (records / "dataset_info.json").write_text(json.dumps(info))
            losses = []
            for ranks in (1, 2):
                name = f"RUN{count}_{ranks}"
                self.train(ranks, name, dataset_dir=records, eval_dataset="e", do_eval="true",
                           per_device_eval_batch_size=1, learning_rate="1e-30", max_steps=1)
                results = json.loads((self.place / name / "eval_results.json").read_text())
                losses.append((results["eval_loss"], results["eval_loss_batch_mean"]))
            self.assertAlmostEqual(losses[0][0], losses[1][0], delta=1e-6 * losses[0][0])
            self.assertAlmostEqual(losses[0][1], losses[1][1], delta=1e-6 * losses[0][1])

    def test_resumed_with_the_same_bits(self):
        settings = {"num_train_epochs": 3, "save_strategy": "steps", "save_steps": 4,
                    "per_device_train_batch_size": 1}
        self.train(2, "WHOLE", **settings)
        self.train(2, "RUN", **settings)
        # As after a kill between the first save and the next.
        for path in (self.place / "RUN").iterdir():
            if path.name not in ("checkpoint-4", "logs"):
                self.remove(path)
        output, _ = self.train(2, "RUN", **settings)
        self.assertIn("checkpoint-4, after step 4", output)
        for name in ("model.safetensors", "checkpoint-12/optimizer.safetensors"):
            self.assert_same_files(f"RUN/{name}", f"WHOLE/{name}")
        # One rank goes on with what two have saved, and it is said.
        self.remove(self.place / "RUN" / "model.safetensors")
        output, _ = self.train(1, "RUN", **{**settings, "num_train_epochs": 4})
        self.assertIn("ranks: 1, where the checkpoint was made with 2", output)

    def remove(self, path):
        if path.is_dir():
            for inner in path.iterdir():
                self.remove(inner)
            path.rmdir()
        else:
            path.unlink()


class Refused(RanksTest):
    def start_rank(self, rank, ranks, port, *words, **environment):
        return self.start(*words, RANK=str(rank), WORLD_SIZE=str(ranks), LOCAL_RANK=str(rank),
                          LOCAL_WORLD_SIZE=str(ranks), MASTER_ADDR="127.0.0.1",
                          MASTER_PORT=str(port), **environment)

    def free_port(self):
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            return one.getsockname()[1]

    def test_settings_that_differ(self):
        port = self.free_port()
        words = [["train", *self.settings(learning_rate=rate)] for rate in ("1e-3", "2e-3")]
        ranks = [self.start_rank(i, 2, port, *words[i]) for i in range(2)]
        errors = []
        for rank in ranks:
            errors.append(rank.communicate(timeout=SECONDS)[1])
            self.assertEqual(rank.returncode, 1)
        # Either may be the first to say so.
        self.assertIn("learning_rate must be the same on all ranks\n"
                      "  found: rank 0 has '0.001', rank 1 has '0.002'", errors[0])
        self.assertFalse((self.place / "RUN").exists())

    def test_the_others_are_told_what_one_met(self):
        port = self.free_port()
        other = self.place / "OTHER"
        (self.place / "K10").rename(other)
        (self.place / "K10").mkdir()
        for name in ("d.json", "dataset_info.json"):
            (self.place / "K10" / name).write_bytes((other / name).read_bytes())
        words = ["train", *self.settings()]
        first = self.start_rank(0, 2, port, *words)
        # The second finds other records at the same place, as on a machine of its own.
        elsewhere = {"HOME": str(self.place / "home")}
        second = self.start_rank(1, 2, port, "train", *self.settings(dataset="e"), **elsewhere)
        _, errors = first.communicate(timeout=SECONDS)
        second.communicate(timeout=SECONDS)
        self.assertEqual((first.returncode, second.returncode), (1, 1))
        self.assertIn("dataset must be the same on all ranks", errors)
        self.assertIn("rank 0 has 'd', rank 1 has 'e'", errors)

    def test_an_interface_that_is_not_there(self):
        status, _, errors = self.launch(2, "train", *self.settings(),
                                        GLOO_SOCKET_IFNAME="hone9")
        self.assertEqual(status, 1)
        self.assertIn("error: GLOO_SOCKET_IFNAME: 'hone9'\n  found: this machine has ", errors)
        self.assertIn("lo", errors)

    def test_a_named_interface_is_shown(self):
        output, _ = self.train(2, "RUN", environment={"GLOO_SOCKET_IFNAME": "lo"})
        self.assertIn("connected through the interface lo (GLOO_SOCKET_IFNAME)", output)

    def test_ranks_that_do_not_come(self):
        rank = self.start_rank(0, 3, self.free_port(), "train", *self.settings(),
                               HONE_MEETING_SECONDS="1")
        _, errors = rank.communicate(timeout=SECONDS)
        self.assertEqual(rank.returncode, 1)
        self.assertIn("ranks 1 and 2 did not come within 1 s", errors)

    def test_a_master_that_does_not_answer(self):
        port = self.free_port()
        rank = self.start_rank(1, 2, port, "train", *self.settings(), HONE_MEETING_SECONDS="1")
        _, errors = rank.communicate(timeout=SECONDS)
        self.assertEqual(rank.returncode, 1)
        self.assertIn(f"error: rank 1: rank 1 looks for run 'hone' at 127.0.0.1, ports {port} to",
                      errors)
        self.assertIn("see that rank 0 was started", errors)

    def test_ports_that_are_taken(self):
        port = self.free_port()
        taken = []
        try:
            for number in range(port, port + 16):
                one = socket.socket()
                taken.append(one)
                try:
                    one.bind(("127.0.0.1", number))
                    one.listen()
                except OSError:
                    pass  # somebody else's
            rank = self.start_rank(0, 2, port, "train", *self.settings())
            _, errors = rank.communicate(timeout=SECONDS)
        finally:
            for one in taken:
                one.close()
        self.assertEqual(rank.returncode, 1)
        self.assertIn(f"error: MASTER_PORT: {port}\n  found: ports {port} to {port + 15} of "
                      "127.0.0.1 are taken", errors)

    def test_variables_that_are_not_whole(self):
        for environment, parts in (
                ({"RANK": "0"}, ["WORLD_SIZE", "RANK=0"]),
                ({"RANK": "2", "WORLD_SIZE": "2", "MASTER_ADDR": "localhost"},
                 ["RANK=2", "WORLD_SIZE=2"]),
                ({"NNODES": "2", "NODE_RANK": "2"}, ["NODE_RANK=2", "NNODES=2", "MASTER_ADDR",
                                                    "MASTER_PORT"]),
                ({"NPROC_PER_NODE": "gpu"}, ["NPROC_PER_NODE=gpu", "not a whole number"]),
                ({"MIN_NNODES": "1", "MAX_NNODES": "3"}, ["MIN_NNODES=1 and MAX_NNODES=3"]),
        ):
            status, _, errors = self.run_program("train", *self.settings(), **environment)
            self.assertEqual(status, 1, environment)
            for part in parts:
                self.assertIn(part, errors)
            self.assertNotIn("defect", errors)
            self.assertFalse((self.place / "RUN").exists())

    def test_a_fault_of_all_ranks_is_said_once(self):
        status, _, errors = self.launch(3, "train", *self.settings(dataset="nope"))
        self.assertEqual(status, 1)
        self.assertEqual(errors.count("dataset: nope"), 1, errors)
        status, _, errors = self.launch(3, "train", *self.settings(learning_rate="fast"))
        self.assertEqual(status, 1)
        self.assertEqual(errors.count("learning_rate"), 1, errors)

    def test_an_evaluation_alone(self):
        status, _, errors = self.launch(2, "train", *self.settings(
            do_train="false", do_eval="true", eval_dataset="d"))
        self.assertEqual(status, 1)
        self.assertIn("hone evaluates on one rank", errors)
        self.assertIn("error: an evaluation without training on 2 ranks\n", errors)
        self.assertIn("to do: start it once: without FORCE_TORCHRUN, NPROC_PER_NODE and NNODES", errors)

    def test_limits_that_are_no_seconds(self):
        for name in ("HONE_MEETING_SECONDS", "HONE_HEARTBEAT_SECONDS"):
            status, _, errors = self.launch(2, "train", *self.settings(), **{name: "soon"})
            self.assertEqual(status, 1)
            self.assertIn(f"error: {name}=soon\n  found: not a number of seconds above 0\n"
                          f"  to do: write for instance {name}=60", errors)


if __name__ == "__main__":
    program.main()
