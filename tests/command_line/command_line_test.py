"""The program as a user meets it: commands, names, environment, signals, exit status."""

import json
import pathlib
import resource
import signal
import subprocess
import time

import program
from program import PROGRAM, SECONDS, ProgramTest

LLAMA_3_70B = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 8192,
    "intermediate_size": 28672, "num_hidden_layers": 80, "num_attention_heads": 64,
    "num_key_value_heads": 8, "vocab_size": 128256, "rope_theta": 500000.0, "rms_norm_eps": 1e-5,
    "max_position_embeddings": 8192, "hidden_act": "silu", "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
}


class Commands(ProgramTest):
    def test_version(self):
        for word in ("version", "--version"):
            status, output, errors = self.run_program(word)
            self.assertEqual((status, errors), (0, ""))
            self.assertRegex(output, r"^hone \d+\.\d+\.\d+\n$")

    def test_help(self):
        for words in ([], ["help"], ["--help"], ["-h"], ["train", "--help"]):
            status, output, errors = self.run_program(*words)
            self.assertEqual((status, errors), (0, ""), words)
            for command in ("train", "plan", "data", "chat", "export", "doctor", "version",
                            "help"):
                self.assertIn(f"hone {command}", output)

    def test_help_of_a_setting(self):
        status, output, _ = self.run_program("help", "lora_rank")
        self.assertEqual(status, 0)
        self.assertIn("lora_rank", output)
        self.assertIn("default:", output)

    def test_unknown_command(self):
        status, output, errors = self.run_program("trian", "a.yaml")
        self.assertEqual((status, output), (2, ""))
        self.assertIn("error: command 'trian'", errors)
        self.assertIn("no such command", errors)
        self.assertIn("train", errors)
        self.assertIn("hone help", errors)

    def test_commands_of_llama_factory_that_are_not_here(self):
        for command, instead in (("api", "vLLM"), ("webui", "examples/"), ("webchat", "`chat`"),
                                 ("eval", "do_eval: true")):
            status, output, errors = self.run_program(command, "a.yaml")
            self.assertEqual((status, output), (2, ""))
            self.assertIn(f"error: command '{command}'\n  found: a command of LLaMA-Factory that is "
                          "not in this version of hone\n", errors)
            self.assertIn(instead, errors)


class InheritedEnvironment(ProgramTest):
    def test_how_much_is_said(self):
        for level, notes, warnings in (("INFO", True, True), ("warning", False, True),
                                       ("ERROR", False, False)):
            status, output, _ = self.run_program(
                "plan", *self.settings(), "evaluation_strategy=no", LLAMAFACTORY_VERBOSITY=level)
            self.assertEqual(status, 0)
            self.assertEqual("settings:" in output, notes, level)
            self.assertEqual("warning: evaluation_strategy" in output, warnings, level)
            self.assertIn("Fits", output)
        status, _, errors = self.run_program("plan", *self.settings(), LLAMAFACTORY_VERBOSITY="loud")
        self.assertEqual(status, 1)
        self.assertIn("error: LLAMAFACTORY_VERBOSITY=loud\n  found: no level of this name\n"
                      "  to do: set it to DEBUG, INFO, WARNING, ERROR or CRITICAL, or unset it\n", errors)

    def test_other_back_ends(self):
        status, _, errors = self.run_program("plan", *self.settings(), USE_RAY="1", USE_MCA="true",
                                             USE_KT="0", USE_V1="")
        self.assertEqual(status, 1)
        self.assertIn("USE_RAY=1\n  found: Ray is to train, which is not in hone\n"
                      "  to do: unset it: hone trains by itself\n", errors)
        self.assertIn("USE_MCA=true\n  found: Megatron-Core is to train", errors)
        self.assertNotIn("USE_KT", errors)

    def test_what_has_no_effect(self):
        status, output, errors = self.run_program(
            "plan", *self.settings(), RECORD_VRAM="1", DISABLE_VERSION_CHECK="1",
            FORCE_CHECK_IMPORTS="1", WANDB_PROJECT="x")
        self.assertEqual((status, errors), (0, ""))
        self.assertIn("RECORD_VRAM has no effect: ", output)

    def test_values_from_the_environment(self):
        status, output, errors = self.run_program(
            "plan", *self.settings(output_dir="${oc.env:PLACE}/RUN"), PLACE=str(self.place))
        self.assertEqual((status, errors), (0, ""))
        self.assertRegex(output, rf"output_dir +{self.place}/RUN ")


class Doctor(ProgramTest):
    def tree(self, files):
        """A folder that stands for another machine; its name."""
        for name, text in files.items():
            file = self.place / "machine" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return str(self.place / "machine")

    def test_this_machine(self):
        for words in (["doctor"], ["env"]):
            status, output, errors = self.run_program(*words)
            self.assertIn(status, (0, 3, 4))
            self.assertEqual(errors, "")
            self.assertIn("compute device /dev/kfd", output)
            self.assertRegex(output, r"the CPU can|on the CPU")
            self.assertNotIn("\x1b", output)
            self.assertEqual(words == ["env"], output.startswith("hone "))

    def test_another_machine(self):
        root = self.tree({"proc/cmdline": "ro\n"})
        status, output, errors = self.run_program("doctor", "--root", root)
        self.assertEqual((status, errors), (0, ""))
        self.assertTrue(output.endswith("\nNo AMD GPU can be used; the CPU can.\n"), output)
        root = self.tree({"proc/sys/kernel/osrelease": "6.6-microsoft-WSL2\n"})
        status, output, _ = self.run_program("doctor", "--json", f"--root={root}")
        self.assertEqual(status, 3)
        answer = json.loads(output)
        self.assertEqual((answer["exit_status"], answer["gpu_usable"], answer["cpu_usable"]), (3, False, True))
        self.assertEqual(answer["checks"][0]["findings"][0]["id"], "DEV-16")
        card = "sys/bus/pci/devices/0000:03:00.0/"
        root = self.tree({card + "vendor": "0x1002\n", card + "class": "0x030000\n",
                          "proc/sys/kernel/osrelease": "6.18.2\n"})
        status, output, _ = self.run_program("doctor", "--root", root)
        self.assertEqual(status, 4)
        self.assertIn("FAILURE DEV-09: The driver amdgpu is not loaded.", output)
        self.assertIn("to do: `sudo modprobe amdgpu`", output)

    def test_explanations(self):
        status, output, errors = self.run_program(
            "doctor", "--explain", "RuntimeError: HIP error: hipErrorNoDevice")
        self.assertEqual((status, errors), (0, ""))
        self.assertTrue(output.startswith("DEV-01"), output)
        self.assertIn("--device=/dev/kfd", output)
        status, output, _ = self.run_program("doctor", "--explain", "KeyError: 'text'")
        self.assertEqual(status, 3)
        self.assertEqual(output, "not known: nothing in this text is a failure that hone knows\n")
        log = self.place / "run.log"
        log.write_text("step 1\nNCCL/RCCL initialization failed\n")
        status, output, _ = self.run_program("doctor", "--explain", log)
        self.assertEqual(status, 0)
        self.assertTrue(output.startswith("NET-02"), output)
        self.assertIn("NCCL_SOCKET_IFNAME", output)
        status, output, _ = self.run_program("doctor", "--json", "--explain", "Kernel launch configuration invalid")
        self.assertEqual(json.loads(output)["explanations"][0]["id"], "LCH-02")
        self.assertIn("disable_flash_attn: true", output)
        status, output, _ = self.run_program("doctor", "--explain", "-")  # nothing on standard input
        self.assertEqual(status, 3)
        status, _, errors = self.run_program("doctor", "--explain", "no/such.log")
        self.assertEqual(status, 1)
        self.assertIn("no such file", errors)

    def test_losses_of_a_run(self):
        run = self.place / "OLD"
        run.mkdir()
        (run / "trainer_log.jsonl").write_text("".join(
            json.dumps({"current_steps": step, "loss": 2.5, "lr": 1e-4}) + "\n" for step in range(1, 31)))
        status, output, errors = self.run_program("doctor", "--run", run)
        self.assertEqual((status, errors), (3, ""))
        self.assertIn("the loss does not fall: 2.5 at the beginning, 2.5 at the end\n", output)
        self.assertIn("to do: lower learning_rate from 0.0001 to 5e-05, and set warmup_ratio: 0.1", output)
        status, _, errors = self.run_program("doctor", "--run", self.place)
        self.assertEqual(status, 1)
        self.assertIn("trainer_log.jsonl", errors)

    def test_what_is_asked_wrongly(self):
        for words in (["--rot", "/"], ["--root", "/no/such/folder"], ["--root"], ["extra"]):
            status, output, errors = self.run_program("doctor", *words)
            self.assertEqual((status, output), (1, ""), words)
            self.assertIn("error: doctor", errors)
            self.assertIn("to do: ", errors)

    def test_errors_of_the_system_in_a_run_are_explained(self):
        def limit_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

        done = subprocess.run([PROGRAM, "train", *self.settings()], cwd=self.place, env=self.environment,
                              preexec_fn=limit_files, restore_signals=False, timeout=SECONDS,
                              capture_output=True, encoding="utf-8")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"found: File too large\n  to do: .*\n  known as ENV-02: ")
        self.assertIn("\n    to do: choose another output_dir", done.stderr)

    def test_remark_at_the_end_of_training(self):
        words = self.settings(learning_rate="1e-12", num_train_epochs=6, lr_scheduler_type="constant")
        status, output, _ = self.run_program("train", *words)
        self.assertEqual(status, 0)
        self.assertIn("warning: the loss does not fall: ", output)
        self.assertIn("raise learning_rate", output)
        status, output, _ = self.run_program("train", *self.settings(
            num_train_epochs=6, output_dir=self.place / "GOOD"))
        self.assertEqual(status, 0)
        self.assertNotIn("warning: the loss", output)


class Training(ProgramTest):
    def test_file_and_overrides(self):
        lines = [word.replace("=", ": ", 1) for word in self.settings(learning_rate="1e-4")]
        (self.place / "run.yaml").write_text("\n".join(lines) + "\n")
        status, output, errors = self.run_program(
            "train", "run.yaml", "learning_rate=1e-30", "--num_train_epochs", "2")
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual([step for step, _ in self.losses()], list(range(1, 11)))
        self.assertIn("trainable params: 13,136", output)
        self.assertIn("training example:", output)
        self.assertNotIn("\r", output)
        self.assertNotIn("\x1b", output)

    def test_other_name_and_torchrun(self):
        other = self.place / "llamafactory-cli"
        other.symlink_to(PROGRAM)
        _, output, _ = self.run_program("help", program=other)
        self.assertIn("llamafactory-cli train CONFIG.yaml", output)
        status, _, errors = self.run_program(
            "train", *self.settings(), program=other, FORCE_TORCHRUN="1")
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(len(self.losses()), 5)

    def test_one_rank_asked_for(self):
        status, _, _ = self.run_program("train", *self.settings(), NPROC_PER_NODE="1", NNODES="1")
        self.assertEqual(status, 0)

    def test_errors_are_on_standard_error_and_leave_nothing(self):
        wrong = {
            "model": ({"model_name_or_path": self.place / "t"}, "folder not found"),
            "data": ({"dataset": "nope"}, "dataset: nope"),
            "template": ({"template": "llama9"}, "llama9"),
            "setting": ({"learning_rat": 1}, "learning_rate"),
            "value": ({"learning_rate": "1,0e-5"}, "1,0e-5"),
            "memory": ({"memory_limit": "1MiB"}, "memory_limit"),
        }
        for name, (changes, said) in wrong.items():
            with self.subTest(name):
                status, output, errors = self.run_program("train", *self.settings(**changes))
                self.assertEqual(status, 1)
                self.assertTrue(errors.startswith("error: "), errors)
                self.assertIn(said, errors)
                self.assertIn("to do:", errors)
                self.assertNotIn("defect", errors)
                self.assertNotIn("error:", output)
                self.assertFalse((self.place / "RUN").exists())

    def test_null_loss_is_no_number_on_the_console(self):
        (self.place / "K10" / "d.json").write_text(json.dumps(
            [{"instruction": "x", "input": "", "output": text} for text in ("", "aaaa")]))
        status, output, _ = self.run_program(
            "train", *self.settings(template="empty", per_device_train_batch_size=1))
        self.assertEqual(status, 0)
        self.assertEqual(len(self.losses()), 1)
        self.assertNotRegex(output, r"loss\W+0\.0+\b")
        self.assertNotIn("nan", output.lower())


class Evaluation(ProgramTest):
    def test_without_training(self):
        for name in ("hone", "llamafactory-cli"):
            other = self.place / name
            other.symlink_to(PROGRAM)
            results = self.place / f"RUN_{name}"
            status, output, errors = self.run_program("train", *self.settings(
                do_train="false", do_eval="true", eval_dataset="d", output_dir=results),
                program=other)
            self.assertEqual((status, errors), (0, ""))
            self.assertEqual(sorted(path.name for path in results.iterdir()),
                             ["all_results.json", "eval_results.json"])
            self.assertIn("evaluation alone, nothing is trained: 10 records", output)
            self.assertIn("***** Running evaluation *****", output)
            self.assertIn("***** eval metrics *****\n  eval_loss ", output)
            self.assertIn("evaluation example:", output)
            self.assertNotIn("Running training", output)

    def test_plan_of_one_writes_nothing(self):
        status, output, errors = self.run_program("plan", *self.settings(
            do_train="false", do_eval="true", val_size="0.2"))
        self.assertEqual((status, errors), (0, ""))
        self.assertIn("evaluation alone, nothing is trained: 2 records", output)
        self.assertIn("Fits: ", output)
        self.assertFalse((self.place / "RUN").exists())

    def test_memory_limit_is_shown_as_people_write_it(self):
        _, output, _ = self.run_program("plan", *self.settings(memory_limit="1.5 GiB"))
        self.assertRegex(output, r"\nmemory_limit +1\.5 GiB +\(command line\)\n")


class Exports(ProgramTest):
    def export(self, *more):
        status, output, errors = self.run_program(
            "export", f"model_name_or_path={self.place / 'T'}", f"export_dir={self.place / 'E'}",
            *more)
        self.assertEqual((status, errors), (0, ""))
        return output

    def test_modelfile_of_the_template(self):
        output = self.export("template=chatml")
        self.assertIn("KiB, bf16, no adapter)\n", output)
        text = (self.place / "E" / "Modelfile").read_text()
        self.assertTrue(text.startswith("# ollama modelfile auto-generated by hone\n\nFROM .\n"))
        self.assertTrue(text.endswith(
            'PARAMETER stop "<|im_start|>"\nPARAMETER stop "<|im_end|>"\n'
            "PARAMETER num_ctx 4096\n"), text)

    def test_without_a_template_there_is_none_and_it_is_said(self):
        output = self.export()
        self.assertFalse((self.place / "E" / "Modelfile").exists())
        self.assertIn("no Modelfile for Ollama is written: it is made from `template`", output)

    def test_of_what_it_cannot_hold(self):
        output = self.export("template=chatml", 'default_system=Say """.')
        self.assertFalse((self.place / "E" / "Modelfile").exists())
        self.assertIn("warning: no Modelfile for Ollama is written: the system text", output)


class Signals(ProgramTest):
    STEPS = 1000

    def interrupted(self, number):
        """Sends the signal when the first step begins; (exit status, output, errors)"""
        log = self.place / "RUN" / "trainer_log.jsonl"
        with self.start("train", *self.settings(max_steps=self.STEPS)) as process:
            end = time.monotonic() + SECONDS
            while not log.exists():
                self.assertLess(time.monotonic(), end)
                self.assertIsNone(process.poll())
                time.sleep(0.005)
            process.send_signal(number)
            output, errors = process.communicate(timeout=SECONDS)
        return process.returncode, output, errors

    def test_interrupted_run_goes_on_with_the_same_bits(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            status, output, errors = self.interrupted(number)
            self.assertEqual(status, 130, errors)
            self.assertIn("stopping after this step and saving", errors)
            self.assertIn("to go on, give the same command again", output)
            self.assertFalse((self.place / "RUN" / "model.safetensors").exists())
            self.assertEqual(len(list((self.place / "RUN").glob("checkpoint-*"))), 1)
            status, output, errors = self.run_program("train", *self.settings(max_steps=self.STEPS))
            self.assertEqual((status, errors), (0, ""))
            self.assertIn("resuming from", output)
            if not (self.place / "WHOLE").exists():
                status, _, _ = self.run_program("train", *self.settings(
                    max_steps=self.STEPS, output_dir=self.place / "WHOLE"))
                self.assertEqual(status, 0)
            self.assert_same_files("RUN/model.safetensors", "WHOLE/model.safetensors")
            self.assertEqual(self.losses("RUN"), self.losses("WHOLE"))
            self.assertEqual(len(self.losses("RUN")), self.STEPS)
            (self.place / "RUN").rename(self.place / f"AFTER_{number}")


class Plans(ProgramTest):
    # Of processor time, so that a loaded machine does not matter.
    MOST_SECONDS = 2

    def plan(self, **changes):
        folder = self.place / "LLAMA"
        folder.mkdir(exist_ok=True)
        (folder / "config.json").write_text(json.dumps(LLAMA_3_70B))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = self.run_program("plan", *self.settings(
            model_name_or_path=folder, template="llama3", cutoff_len=4096, **changes))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertLess(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime,
                        self.MOST_SECONDS)
        self.assertFalse((self.place / "RUN").exists())
        return result

    def test_config_alone_is_enough(self):
        status, output, errors = self.plan(finetuning_type="lora", memory_limit="400GiB")
        self.assertEqual((status, errors), (0, ""))
        self.assertIn("cutoff_len, 4,096 tokens, was taken for every record", output)
        # Rank 8 x 80 blocks x 161,792, the sum of (in + out) of a block's seven linear layers.
        self.assertIn("trainable params: 103,546,880 || all params: 70,657,253,376", output)
        self.assertRegex(output, r"weights +131 GiB")

    def test_what_does_not_fit_says_what_would(self):
        status, output, errors = self.plan(finetuning_type="full", memory_limit="64GiB")
        self.assertEqual((status, errors), (1, ""))
        self.assertIn("finetuning_type: lora", output)
        self.assertIn("memory_limit", output)

    def test_plan_of_a_run_takes_the_data(self):
        status, output, _ = self.run_program("plan", *self.settings())
        self.assertEqual(status, 0)
        self.assertIn("10 records", output)
        self.assertIn("5 updates in 1 epochs", output)
        self.assertFalse((self.place / "RUN").exists())


class Data(ProgramTest):
    def test_records_are_shown_as_the_model_sees_them(self):
        status, output, errors = self.run_program(
            "data", *self.settings(template="empty"), "--show", "2")
        self.assertEqual((status, errors), (0, ""))
        self.assertIn("training: 10 records, ", output)
        self.assertIn("record 2: record 2 (line ", output)
        self.assertNotIn("record 3: ", output)
        self.assertIn("input_ids:\n[120, 97]\n", output)
        self.assertIn("inputs:\nxaa\n", output)
        self.assertIn("label_ids:\n[-100, 97, 97]\n", output)
        self.assertIn("labels:\naa", output)
        self.assertFalse((self.place / "RUN").exists())

    def test_packs_are_shown(self):
        _, output, _ = self.run_program(
            "data", *self.settings(template="empty", neat_packing="true", cutoff_len=12), "--show=1")
        self.assertIn("record 1: record 10 (line ", output)
        self.assertIn("11 tokens, 10 labels; a pack of 1, ", output)

    def test_a_second_start_finds_the_prepared_records(self):
        folders = self.place / ".cache/huggingface/datasets/hone"
        outputs = {self.run_program("data", *self.settings()) for _ in range(2)}
        self.assertEqual(len(outputs), 1)
        made = {path: path.stat().st_mtime_ns for path in folders.iterdir()}
        self.assertEqual(len(made), 1)
        self.run_program("data", *self.settings())
        self.assertEqual({path: path.stat().st_mtime_ns for path in folders.iterdir()}, made)
        self.run_program("data", *self.settings(), HF_HOME=str(self.place / "home"))
        self.assertEqual(len(list((self.place / "home/datasets/hone").iterdir())), 1)
        self.run_program("data", *self.settings(), HF_DATASETS_CACHE=str(self.place / "sets"))
        self.assertEqual(len(list((self.place / "sets/hone").iterdir())), 1)

    def test_what_is_no_number_of_records(self):
        for word in ("three", "-1", "2x", ""):
            status, _, errors = self.run_program("data", *self.settings(), f"--show={word}")
            self.assertEqual(status, 1)
            self.assertIn(f"--show {word}\n  found: not a number of records", errors)


if __name__ == "__main__":
    program.main()
