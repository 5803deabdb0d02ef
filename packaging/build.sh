# Sourced by ./run: configuring, building and testing one preset of CMakePresets.json.

# As many compilers as there are cores, but none without 1.5 GB of memory to itself.
build_jobs() {
  local cores memory_kb by_memory
  cores="$(nproc)"
  memory_kb="$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo 2>/dev/null || true)"
  by_memory=$((${memory_kb:-4000000} / 1500000))
  if [ "$by_memory" -lt 1 ]; then by_memory=1; fi
  echo $((cores < by_memory ? cores : by_memory))
}

# logged FILE COMMAND...: at a terminal the command writes there; elsewhere into FILE, of which the
# end is shown when the command fails.
logged() {
  local log="$1"
  shift
  if [ -t 1 ]; then
    "$@"
  elif ! "$@" >"$log" 2>&1 </dev/null; then
    tail -n 40 "$log" >&2
    die "failed: $* (whole log: $log)"
  fi
}

# build_preset PRESET [-DNAME=VALUE... | TARGET...]
build_preset() {
  local preset="$1" folder="build/$1" definitions=() targets=() word
  shift
  for word in "$@"; do
    if [[ "$word" == -D* ]]; then definitions+=("$word"); else targets+=(--target "$word"); fi
  done
  grep -q "\"name\": \"$preset\"" CMakePresets.json || die "CMakePresets.json has no preset $preset"
  if [ "$preset" = tsan ]; then need build threads; else need build; fi
  mkdir -p "$folder"
  if [ ! -f "$folder/build.ninja" ] || [ CMakePresets.json -nt "$folder/build.ninja" ] ||
    [ ${#definitions[@]} -gt 0 ]; then
    logged "$folder/configure.log" cmake --preset "$preset" "${definitions[@]}"
  fi
  local started=$SECONDS
  logged "$folder/build.log" cmake --build "$folder" -j "$(build_jobs)" "${targets[@]}"
  if [ $((SECONDS - started)) -gt 2 ]; then say "built $preset in $((SECONDS - started)) s"; fi
}

# test_preset PRESET WHICH [ctest arguments]: runs the tests of that label and closes with one line
# of counts; the status is ctest's.
test_preset() {
  local preset="$1" which="$2" label=() status=0
  shift 2
  local results="$PWD/build/$preset/tests.xml"
  if [ "$which" != all ]; then label=(-L "^$which\$"); fi
  rm -f "$results"
  ctest --test-dir "build/$preset" "${label[@]}" --output-on-failure --no-tests=error \
    -j "$(build_jobs)" --output-junit "$results" "$@" </dev/null || status=$?
  if [ -f "$results" ]; then add_counts "$results"; fi
  closing_line
  return "$status"
}

total_tests=0 total_failed=0 total_skipped=0

# Adds the counts of a JUnit file as ctest writes it. A disabled test counts as skipped.
add_counts() {
  local head
  head="$(grep -m 1 -A 9 '<testsuite' "$1" | tr '\n\t' '  ')"
  count_of() { sed -n "s/.*[ ]$1=\"\([0-9]*\)\".*/\1/p" <<<"$head"; }
  total_tests=$((total_tests + $(count_of tests)))
  total_failed=$((total_failed + $(count_of failures)))
  total_skipped=$((total_skipped + $(count_of skipped) + $(count_of disabled)))
}

closing_line() {
  local passed=$((total_tests - total_failed - total_skipped))
  echo "$passed passed, $total_failed failed, $total_skipped skipped"
}

# The folder `pyarrow` of Python's wheel, which carries Apache Arrow's headers and libraries; fetched
# into .cache/ the first time.
pyarrow_folder() {
  local folder=".cache/arrow"
  if [ ! -d "$folder/pyarrow/include" ]; then
    say "downloading Apache Arrow (pyarrow, about 50 MB)" >&2
    "$(tools_python)" -m pip install --quiet --no-deps --target "$folder" pyarrow >&2 </dev/null ||
      die "pyarrow could not be downloaded"
  fi
  echo "$PWD/$folder/pyarrow"
}
