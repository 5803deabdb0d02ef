#!/usr/bin/env bash
# Fine-tunes SmolLM2-135M-Instruct on this machine and shows its answers before and after.
# Called by `./run demo`, which has built the program; from the root of the repository.
set -euo pipefail
. packaging/install.sh
. packaging/model.sh

readonly hone="build/cpu-release/bin/hone"
readonly output="saves/demo"

questions() {
  python3 -c 'import json; [print(q["question"]) for q in json.load(open("examples/demo/questions.json"))]'
}

# One answer for each question, a line each.
answer_all() {
  local question
  while IFS= read -r question; do
    "$hone" chat "model_name_or_path=$model" template=chatml do_sample=false max_new_tokens=48 \
      "$@" --prompt "$question" 2>"$work/chat.log" | tr '\n' ' ' ||
      { cat "$work/chat.log" >&2 && die "the model could not be asked"; }
    echo
  done < <(questions)
}

model="$(smollm2_gguf)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

say "asking the model before training"
answer_all >"$work/before"
say "training: $hone train examples/demo/demo.yaml"
"$hone" train examples/demo/demo.yaml "model_name_or_path=$model" "output_dir=$output"
say "asking the tuned model"
answer_all "adapter_name_or_path=$output" >"$work/after"
python3 examples/demo/compare.py "$work/before" "$work/after" "$output"
