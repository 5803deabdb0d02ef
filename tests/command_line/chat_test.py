"""hone chat: a conversation through a pipe and on a terminal, and one answer with --prompt.

Model C answers 'a' to everything.
"""

import os
import pty
import re
import select
import signal
import subprocess
import time

import program
from program import PROGRAM, SECONDS, ProgramTest


class ChatTest(ProgramTest):
    def words(self, *more):
        return ["chat", f"model_name_or_path={self.place / 'C'}", "template=chatml",
                "do_sample=false", "threads=1", *more]

    def talk(self, text, *more):
        """(exit status, standard output after the greeting, standard error)"""
        done = subprocess.run(
            [PROGRAM, *self.words("max_new_tokens=3", *more)], input=text, cwd=self.place,
            capture_output=True, timeout=SECONDS, env=self.environment)
        output = done.stdout.decode(errors="replace")
        self.assertIn("Ctrl-C stops an answer.\n", output)
        return done.returncode, output.split("Ctrl-C stops an answer.\n")[1], done.stderr.decode()

    CUT = "(the answer was cut after 3 tokens (max_new_tokens))\n"


class Pipes(ChatTest):
    def test_lines_are_questions_until_exit(self):
        status, output, errors = self.talk(b"hello\r\n\nclear\nexit\nnever read\n")
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(output, f"\nUser: hello\nAssistant: aaa\n{self.CUT}"
                                 "\nUser: \n\nUser: clear\nHistory has been removed.\n"
                                 "\nUser: exit\n")

    def test_the_end_of_input_is_an_end(self):
        status, output, errors = self.talk(b"")
        self.assertEqual((status, output, errors), (0, "\nUser: \n", ""))
        # A last line without line end is a line.
        status, output, errors = self.talk(b"hello")
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(output, f"\nUser: hello\nAssistant: aaa\n{self.CUT}\nUser: \n")

    def test_what_cannot_be_read_is_said_and_the_conversation_goes_on(self):
        status, output, errors = self.talk(b"\xff\nhello\n")
        self.assertEqual(status, 0)
        self.assertTrue(errors.startswith("error: "), errors)
        self.assertIn("is not UTF-8", errors)
        self.assertIn("User: hello\nAssistant: aaa\n", output)

    def test_what_will_be_done_is_said_first(self):
        done = subprocess.run(
            [PROGRAM, *self.words()], input=b"", cwd=self.place, capture_output=True,
            timeout=SECONDS, env=self.environment)
        greeting = done.stdout.decode()
        for said in ("settings:", "device: ", "model: ", "memory: ",
                     "answers: template chatml, always the likeliest token"):
            self.assertIn(said, greeting)


class OnePrompt(ChatTest):
    def test_the_answer_alone_is_on_standard_output(self):
        for words in (["--prompt", "hello"], ["--prompt=hello"]):
            status, output, errors = self.run_program(*self.words("max_new_tokens=5", *words))
            self.assertEqual((status, output), (0, "aaaaa\n"))
            self.assertEqual(errors, "note: the answer was cut after 5 tokens (max_new_tokens)\n")

    def test_wrong_use(self):
        wrong = {
            "error: --prompt\n  found: no text after it\n"
            "  to do: write --prompt \"your question\"\n": ["--prompt"],
            "error: --prompt\n  found: given twice\n"
            "  to do: ask one question, or pipe several in\n": ["--prompt", "a", "--prompt=b"],
        }
        for said, words in wrong.items():
            self.assertEqual(self.run_program(*self.words(*words)), (1, "", said))

    def test_a_model_that_is_not_there(self):
        status, output, errors = self.run_program(
            "chat", f"model_name_or_path={self.place / 'D'}", "template=chatml", "--prompt", "x")
        self.assertEqual((status, output), (1, ""))
        self.assertIn("folder not found", errors)


class Seeds(ChatTest):
    """At this temperature every token is as likely as any other."""

    def ask(self, *more):
        words = self.words("do_sample=true", "temperature=1e6", "top_p=1.0", "top_k=0",
                           "max_new_tokens=20", "--prompt", "hello", *more)
        words.remove("do_sample=false")
        status, output, errors = self.run_program(*words)
        self.assertEqual(status, 0, errors)
        return output, errors

    def test_a_seed_gives_the_same_answer_again(self):
        first, errors = self.ask("seed=7")
        self.assertNotIn("seed", errors)
        self.assertEqual(self.ask("seed=7")[0], first)
        self.assertNotEqual(self.ask("seed=8")[0], first)

    def test_without_one_it_is_fresh_and_said(self):
        first, errors = self.ask()
        said = re.search(r"^note: drawn with (seed=\d+), which gives this answer again$", errors,
                         re.MULTILINE)
        self.assertTrue(said, errors)
        self.assertNotEqual(self.ask()[0], first)
        self.assertEqual(self.ask(said.group(1))[0], first)

    def test_a_conversation_says_it_first(self):
        words = ["temperature=1e6", "top_p=1.0", "top_k=0", "max_new_tokens=20"]
        said = []
        for more in ([], [], ["seed=7"]):
            done = subprocess.run(
                [PROGRAM, "chat", f"model_name_or_path={self.place / 'C'}", "template=chatml",
                 *words, *more], input=b"", cwd=self.place, capture_output=True, timeout=SECONDS,
                env=self.environment)
            greeting = done.stdout.decode()
            said.append(re.search(r"answers: .* top_p 1, seed (\d+), up to 20 tokens",
                                  greeting).group(1))
        self.assertNotEqual(said[0], said[1])
        self.assertEqual(said[2], "7")


class Terminals(ChatTest):
    def setUp(self):
        super().setUp()
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(self.place)
            os.execve(PROGRAM, ["hone", *self.words("max_new_tokens=100000")], self.environment)
        self.addCleanup(self.end)
        self.seen = b""

    def end(self):
        os.close(self.terminal)
        if self.process:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)

    def wait_for(self, text):
        end = time.monotonic() + SECONDS
        while text not in self.seen:
            self.assertLess(time.monotonic(), end, self.seen)
            if select.select([self.terminal], [], [], 0.1)[0]:
                self.seen += os.read(self.terminal, 4096)
        self.seen = self.seen.split(text, 1)[1]

    def wait_for_end(self):
        _, status = os.waitpid(self.process, 0)
        self.process = 0
        return os.waitstatus_to_exitcode(status)

    def test_control_c_stops_an_answer_and_at_the_prompt_the_program(self):
        self.wait_for(b"User: ")
        os.write(self.terminal, b"hello\n")
        self.wait_for(b"Assistant: a")
        os.write(self.terminal, b"\x03")
        self.wait_for(b"(the answer was stopped)")
        self.wait_for(b"User: ")
        os.write(self.terminal, b"\x03")
        self.assertEqual(self.wait_for_end(), 0)

    def test_control_d_ends(self):
        self.wait_for(b"User: ")
        os.write(self.terminal, b"\x04")
        self.assertEqual(self.wait_for_end(), 0)


if __name__ == "__main__":
    program.main()
