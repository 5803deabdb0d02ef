# Sourced after rocm.sh: building libhone_gpu.so, the module for GPUs, beside libhone.so.

# All of its sources as one: reading HIP's headers takes longer than compiling a file of kernels.
gpu_module_source() {
  local file
  for file in src/device/gpu/*.cpp src/kernels/gpu/*.cpp src/kernels/rocm/*.cpp src/kernels/rocm/*.hip; do
    [ "$file" = src/kernels/gpu/emulated_machine.cpp ] || echo "#include \"$PWD/$file\""
  done
}

# build_gpu_module CLANG TARGETS BUILD [FLAG...]: BUILD/lib/libhone_gpu.so for a list of targets with
# commas; BUILD/lib has libhone.so. What it refers to must be in libhone.so and in ROCm's libraries.
build_gpu_module() {
  local clang="$1" targets="$2" build="$3" version flags=() target
  shift 3
  version="$(sed -n 's/^project(hone VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)"
  for target in ${targets//,/ }; do flags+=("--offload-arch=$target"); done
  gpu_module_source >"$build/gpu_module.cpp"
  # It gets its name when it is whole.
  logged "$build/gpu_module.log" "$clang" -x hip -std=c++20 -O3 -fPIC -fno-math-errno -fno-trapping-math \
    "${flags[@]}" "-DHONE_VERSION=\"$version\"" "-DHONE_GPU_TARGETS=\"$targets\"" -Isrc \
    "$build/gpu_module.cpp" -shared -o "$build/lib/libhone_gpu.partial" "-L$build/lib" -lhone \
    "$@" -lamdhip64 -lhipblas -Wl,-rpath,'$ORIGIN'
  mv "$build/lib/libhone_gpu.partial" "$build/lib/libhone_gpu.so"
}

# The targets that the user names, or those of this machine's cards.
module_targets() {
  local folder="$1" targets="${GPU_TARGETS:-${PYTORCH_ROCM_ARCH:-}}" lister
  if [ -z "$targets" ] && lister="$(rocm_tool "$folder" amdgpu-arch)"; then
    targets="$("$lister" 2>/dev/null | sort -u | tr '\n' ' ')" || true
  fi
  targets="$(sed 's/[;, ]\+/,/g; s/^,//; s/,$//; s/:[^,]*//g' <<<"$targets")"
  [ -n "$targets" ] ||
    die "no GPU is seen here, so say for which to build: GPU_TARGETS=gfx942 ./run build gpu"
  echo "$targets"
}

# ./run build gpu
build_with_gpu() {
  local folder targets
  folder="$(rocm_installation)"
  [ -n "$folder" ] || die "no ROCm at /opt/rocm: install it, or name its folder by ROCM_PATH"
  check_rocm_installation "$folder"
  [ -e "$folder/include/hipblas/hipblas.h" ] ||
    die "no include/hipblas/hipblas.h is in $folder: install ROCm's package hipblas-dev (Debian: libhipblas-dev)"
  targets="$(module_targets "$folder")"
  build_preset cpu-release hone_program
  say "compiling the GPU module for $targets"
  build_gpu_module "$(rocm_tool "$folder" clang++)" "$targets" build/cpu-release "--rocm-path=$folder" \
    "-isystem$folder/include" "-L$folder/lib" "-Wl,-rpath,$folder/lib"
  say "built build/cpu-release/lib/libhone_gpu.so; try: build/cpu-release/bin/hone doctor"
}

# Links the module against ROCm's libraries where no card is, and starts the program with it: it must
# say that there is none.
check_gpu_module() {
  local build=build/cpu-release rocm libraries said
  rocm="$(rocm_compiler)"
  libraries="$(rocm_libraries)"
  build_preset cpu-release hone_program write_kit
  local whole="$build/gpu-check"
  rm -rf "$whole"
  mkdir -p "$whole/lib" "$whole/bin"
  cp -L "$build/bin/hone" "$whole/bin/"
  cp -L "$build/lib/libhone.so" "$whole/lib/"
  build_gpu_module "$rocm/bin/clang++" gfx942 "$whole" "-isystem$libraries/include" "-L$libraries/lib" \
    -Wl,-z,defs -Wl,--allow-shlib-undefined
  "$build/tests/write_kit" "$PWD/$whole/kit"
  said="$("$libraries/bin/run-with-rocm" "$whole/bin/hone" train device=gpu "model_name_or_path=$whole/kit/T" \
    stage=sft do_train=true finetuning_type=full "dataset_dir=$whole/kit/K10" dataset=d template=default \
    "output_dir=$whole/run" 2>&1)" && die "a machine without a GPU trained on one"
  grep -q "no ROCm-capable device is detected" <<<"$said" ||
    die "the module does not say that there is no GPU, but: $said"
  say "the GPU module links, and says that there is no GPU here"
}
