"""hone and the packages huggingface_hub and modelscope_hub on one cache, in both directions, against a hub on this
machine. Run by hand:

    pip install huggingface_hub modelscope_hub
    ninja -C build/... bin/hone write_kit
    python3 tests/compat/share_hub_cache.py build/.../bin/hone build/.../tests/write_kit
"""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "command_line"))
import program  # noqa: E402
from hub_server import COMMIT, HubServer  # noqa: E402
from program import ProgramTest  # noqa: E402

# Read when the package is loaded.
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"
import huggingface_hub  # noqa: E402
from modelscope_hub import HubApi  # noqa: E402


class OneCache(ProgramTest):
    def setUp(self):
        super().setUp()
        model = {path.name: path.read_bytes() for path in (self.place / "T").iterdir()}
        model["sub/folder/notes.txt"] = b"notes"
        self.hub = HubServer({"models/org/tiny": model})
        self.addCleanup(self.hub.close)
        self.cache = self.place / "CACHE"
        self.environment.update(HF_ENDPOINT=self.hub.endpoint, HF_HUB_CACHE=str(self.cache))

    def train(self, **environment):
        words = self.settings(model_name_or_path="org/tiny", overwrite_output_dir="true")
        status, output, errors = self.run_program("train", *words, **environment)
        self.assertEqual((status, errors), (0, ""), output)

    def fetch_by_package(self, **options):
        return pathlib.Path(huggingface_hub.snapshot_download("org/tiny", cache_dir=self.cache, endpoint=self.hub.endpoint, **options))

    def test_what_hone_fetched_the_package_finds(self):
        self.train()
        before = self.hub.count("/resolve/")
        for name in ("config.json", "tokenizer.json", "model.safetensors"):
            for options in ({"local_files_only": True}, {"endpoint": self.hub.endpoint}):
                path = huggingface_hub.hf_hub_download("org/tiny", name, cache_dir=self.cache, **options)
                self.assertEqual(pathlib.Path(path).read_bytes(), self.hub.repositories["models/org/tiny"][name])
        fetched = [entry for entry in self.hub.seen if entry[0] == "GET" and "/resolve/" in entry[1]]
        self.assertEqual(len(fetched), before)
        found = huggingface_hub.scan_cache_dir(self.cache)
        self.assertEqual([str(warning) for warning in found.warnings], [])
        (repository,) = found.repos
        self.assertEqual((repository.repo_id, repository.repo_type), ("org/tiny", "model"))
        (revision,) = repository.revisions
        self.assertEqual((revision.commit_hash, set(revision.refs)), (COMMIT, {"main"}))

    def test_what_the_package_fetched_hone_finds(self):
        self.fetch_by_package()
        before = self.hub.count("/resolve/")
        self.train()
        self.assertEqual(self.hub.count("/resolve/"), before)
        seen = len(self.hub.seen)
        self.train(HF_HUB_OFFLINE="1")
        self.assertEqual(len(self.hub.seen), seen)

    def test_the_package_completes_what_hone_began(self):
        self.train()
        folder = self.fetch_by_package()
        self.assertEqual((folder / "sub/folder/notes.txt").read_bytes(), b"notes")
        self.assertEqual(folder, self.cache / "models--org--tiny/snapshots" / COMMIT)
        self.assertEqual(self.hub.count("GET model.safetensors"), 0)

    def fetched_from_modelscope(self):
        return sum(path.endswith("/repo") for _, path, _ in self.hub.seen)

    def test_modelscope_in_both_directions(self):
        cache = self.place / "MS"
        environment = {"USE_MODELSCOPE_HUB": "1", "MODELSCOPE_ENDPOINT": self.hub.endpoint, "MODELSCOPE_CACHE": str(cache)}
        self.train(**environment)
        api = HubApi(endpoint=self.hub.endpoint)
        model = self.hub.repositories["models/org/tiny"]
        folder = pathlib.Path(api.download_repo("org/tiny", repo_type="model", revision="master", cache_dir=cache))
        self.assertEqual(folder, cache / "models/org--tiny/snapshots/master")
        self.assertEqual(self.fetched_from_modelscope(), len(model))
        for name, data in model.items():
            self.assertEqual((folder / name).read_bytes(), data)
        environment["MODELSCOPE_CACHE"] = str(self.place / "MS2")
        api.download_repo("org/tiny", repo_type="model", revision="master", cache_dir=self.place / "MS2")
        before = self.fetched_from_modelscope()
        self.train(**environment)
        self.assertEqual(self.fetched_from_modelscope(), before)


if __name__ == "__main__":
    program.main()
