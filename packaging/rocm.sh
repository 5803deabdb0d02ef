# Sourced after install.sh: a compiler for GPUs, and ROCm's libraries to link with.
#
# A machine with ROCm has both, at ROCM_PATH or /opt/rocm. One without gets them unpacked, not
# installed, into .cache/rocm: Debian's packages, read through apt with a state of its own, so that
# neither the system nor its lists change. What of it is there already is not fetched again.
#
#   compiler/    clang of this Debian's own suites; HIP's headers and device libraries of `forky`,
#                which bookworm has not: enough to compile kernels (about 84 MB to download)
#   libraries/   HIP, hipBLAS, hipBLASLt and RCCL of `sid` with all they need, C library included: to
#                link the module, and to start it where no GPU is (about 630 MB to download)

readonly rocm_cache=".cache/rocm"
readonly rocm_clang=22
readonly rocm_triplet=lib/x86_64-linux-gnu
readonly debian_keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# The installation that the user names or that is where AMD puts it; empty: there is none.
rocm_installation() {
  if [ -n "${ROCM_PATH:-}" ]; then
    echo "$ROCM_PATH"
  elif [ -e /opt/rocm/include/hip/hip_runtime.h ]; then
    echo /opt/rocm
  fi
}

# rocm_tool FOLDER NAME: where an installation keeps one of LLVM's programs.
rocm_tool() {
  local place
  for place in "$1/lib/llvm/bin/$2" "$1/llvm/bin/$2" "$1/bin/$2"; do
    if [ -x "$place" ]; then
      echo "$place"
      return
    fi
  done
  return 1
}

# Stops with a sentence when an installation lacks what compiling takes.
check_rocm_installation() {
  local folder="$1" named="${ROCM_PATH:+ROCM_PATH is $ROCM_PATH, and }"
  [ -d "$folder" ] || die "${named}there is no such folder: name the folder of ROCm (usually /opt/rocm), or unset ROCM_PATH"
  rocm_tool "$folder" clang++ >/dev/null ||
    die "${named}no llvm/bin/clang++ is in $folder: install ROCm's package rocm-llvm, or name another folder by ROCM_PATH"
  [ -e "$folder/include/hip/hip_runtime.h" ] ||
    die "${named}no include/hip/hip_runtime.h is in $folder: install ROCm's package hip-dev (Debian: libamdhip64-dev)"
}

# The first mirror of the system's own sources.
debian_mirror() {
  cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list 2>/dev/null |
    awk '/^URIs:/ {print $2; exit}
         /^deb / {for (i = 2; i <= NF; i++) if ($i ~ /:\/\//) {print $i; exit}}' || true
}

# private_apt SUITE FOLDER: apt's settings in FOLDER for that suite of the mirror, or `own` for the
# suites that the system itself has; the lists are fetched. Afterwards $APT_CONFIG names them.
private_apt() {
  local suite="$1" folder="$2" sources
  mkdir -p "$folder"/lists/partial "$folder"/cache/archives/partial
  : >"$folder/status"
  if [ "$suite" = own ]; then
    sources='Dir::Etc::sourcelist "/etc/apt/sources.list"; Dir::Etc::sourceparts "/etc/apt/sources.list.d";'
  else
    echo "deb [signed-by=$debian_keyring] $(debian_mirror) $suite main" >"$folder/sources.list"
    sources="Dir::Etc::sourcelist \"$folder/sources.list\"; Dir::Etc::sourceparts \"/dev/null\";"
  fi
  # A mirror's lists may lag behind the clock. Without a sandbox user nothing of apt's own is owned
  # by another.
  cat >"$folder/apt.conf" <<TEXT
Dir::State "$folder";
Dir::State::Lists "$folder/lists";
Dir::State::status "$folder/status";
Dir::Cache "$folder/cache";
$sources
Acquire::Languages "none";
Acquire::Check-Valid-Until "false";
Acquire::Retries "3";
APT::Install-Recommends "false";
APT::Keep-Downloaded-Packages "true";
APT::Sandbox::User "root";
TEXT
  APT_CONFIG="$folder/apt.conf" apt-get -qq update
}

# Whether packages can be read at all here.
require_debian() {
  command -v apt-get >/dev/null && command -v dpkg >/dev/null && [ -e "$debian_keyring" ] &&
    [ -n "$(debian_mirror)" ] ||
    die "no ROCm at ROCM_PATH or /opt/rocm, and this is no Debian that could give one: install ROCm and set ROCM_PATH"
}

unpack_packages() {
  local to="$1" package
  shift
  for package in "$@"; do dpkg -x "$package" "$to"; done
}

# Fills FOLDER with compiler, headers and device libraries.
fetch_rocm_compiler() {
  local folder="$1" work="$1/apt" device_libraries v="$rocm_clang"
  private_apt forky "$work/forky"
  # Their bitcode must not be newer than the compiler.
  device_libraries="$(APT_CONFIG="$work/forky/apt.conf" apt-cache pkgnames rocm-device-libs- |
    sort -V | awk -F- -v v="$v" '$NF <= v' | tail -n 1)"
  (cd "$work/forky" && APT_CONFIG="$work/forky/apt.conf" \
    apt-get -qq download libamdhip64-dev "$device_libraries")
  private_apt own "$work/own"
  (cd "$work/own" && APT_CONFIG="$work/own/apt.conf" apt-get -qq download "clang-$v" "lld-$v" \
    "llvm-$v" "llvm-$v-linker-tools" "libllvm$v" "libclang-cpp$v" "libclang-common-$v-dev" \
    "clang-tools-$v" "libclang-rt-$v-dev")
  unpack_packages "$folder" "$work"/forky/*.deb "$work"/own/*.deb
  ln -sfn "$(cd "$folder" && ls -d usr/lib/llvm-*/lib/clang/*/amdgcn/bitcode | tail -n 1)" "$folder/bitcode"
  cat >"$folder/wave_width.h" <<'TEXT'
// Clang 21 and newer no longer define this; HIP 6's headers still read it.
#if defined(__HIP__) && !defined(__AMDGCN_WAVEFRONT_SIZE)
#if defined(__GFX9__) || !defined(__HIP_DEVICE_COMPILE__)
#define __AMDGCN_WAVEFRONT_SIZE 64
#else
#define __AMDGCN_WAVEFRONT_SIZE 32
#endif
#endif
TEXT
  rm -rf "$work"
}

# Programs of this shell's making find their own folder, so that the cache may be moved.
write_tool() {
  local file="$1"
  mkdir -p "$(dirname "$file")"
  { echo '#!/usr/bin/env bash'
    echo 'here="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"'
    cat; } >"$file"
  chmod +x "$file"
}

write_compiler_tools() {
  local bin="$1/bin" v="$rocm_clang" tool
  local libraries='export LD_LIBRARY_PATH="$here/usr/'"$rocm_triplet"'${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"'
  write_tool "$bin/clang++" <<TEXT
$libraries
exec "\$here/usr/lib/llvm-$v/bin/clang++" --rocm-path="\$here/usr" \\
  --rocm-device-lib-path="\$here/bitcode" -include "\$here/wave_width.h" "\$@"
TEXT
  for tool in llvm-objdump llvm-readelf; do
    write_tool "$bin/$tool" <<TEXT
$libraries
exec "\$here/usr/lib/llvm-$v/bin/$tool" "\$@"
TEXT
  done
}

# fetched NAME: .cache/rocm/NAME, made by fetch_rocm_NAME when it is not there. It gets its name when
# it is whole: what an interrupted fetch left is never taken for it.
fetched() {
  local name="$1" size="$2" folder="$rocm_cache/$1" log=".cache/rocm-$1.log"
  if [ ! -d "$folder" ]; then
    require_debian
    say "fetching ROCm's $name without installing it ($size to download)" >&2
    rm -rf "$folder.partial"
    mkdir -p "$folder.partial"
    # In a shell of its own: `set -e` does not hold within a condition.
    if ! bash -c 'set -euo pipefail; . packaging/install.sh; . packaging/rocm.sh; fetch_rocm_"$1" "$2"' \
      fetch "$name" "$PWD/$folder.partial" >"$log" 2>&1 </dev/null; then
      tail -n 10 "$log" >&2
      rm -rf "$folder.partial"
      die "ROCm's $name could not be fetched (whole log: $log)"
    fi
    mv "$folder.partial" "$folder"
  fi
}

# Prints a folder whose bin/ (or llvm/bin/) has clang++ and llvm-objdump for GPUs.
rocm_compiler() {
  local folder
  folder="$(rocm_installation)"
  if [ -n "$folder" ]; then
    check_rocm_installation "$folder"
  else
    fetched compiler "84 MB"
    folder="$PWD/$rocm_cache/compiler"
    write_compiler_tools "$folder"
  fi
  echo "$folder"
}

# Fills FOLDER with ROCm's libraries. Their kernel files (4 GB, of use on a card only) are left out.
fetch_rocm_libraries() {
  local folder="$1" work="$1/apt" package name
  private_apt sid "$work"
  export APT_CONFIG="$work/apt.conf"
  apt-get -qq -y --download-only install libamdhip64-dev libhipblas-dev libhipblaslt-dev librocblas-dev
  # Debian's RCCL is built against HIP 5, whose library its HIP 6 displaces: apt would refuse.
  (cd "$work/cache/archives" && apt-get -qq download librccl1 librccl-dev librocm-smi64-1)
  mkdir -p "$folder/root"/usr/{bin,sbin,lib,lib64}
  for name in bin sbin lib lib64; do ln -sfn "usr/$name" "$folder/root/$name"; done
  for package in "$work"/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$folder/root" --keep-directory-symlink \
      --no-same-owner --exclude='./usr/share/doc/*' --exclude="./usr/$rocm_triplet/rocblas/*" \
      --exclude="./usr/$rocm_triplet/hipblaslt/*"
  done
  ln -sfn libamdhip64.so.6 "$folder/root/usr/$rocm_triplet/libamdhip64.so.5"
  # Headers and link names apart: the newer C library's headers and linker scripts are never seen.
  mkdir -p "$folder"/{include,lib}
  for name in hip hipblas hipblas-common hipblaslt rocblas rccl; do
    ln -sfn "../root/usr/include/$name" "$folder/include/$name"
  done
  for name in amdhip64 hipblas hipblaslt rocblas rccl; do
    ln -sfn "../root/usr/$rocm_triplet/$(basename "$(readlink -f "$folder/root/usr/$rocm_triplet/lib$name.so")")" \
      "$folder/lib/lib$name.so"
  done
  rm -rf "$work"
}

# Prints the folder of fetched libraries: include/, lib/, and bin/run-with-rocm, which starts a
# program under the newer C library that they want, system libraries found after theirs.
rocm_libraries() {
  fetched libraries "630 MB"
  local folder="$PWD/$rocm_cache/libraries"
  write_tool "$folder/bin/run-with-rocm" <<TEXT
rocm="\$here/root/usr/$rocm_triplet"
exec "\$rocm/ld-linux-x86-64.so.2" --library-path "\$rocm:/usr/$rocm_triplet" "\$@"
TEXT
  echo "$folder"
}
