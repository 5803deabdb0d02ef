# Sourced by ./run after build.sh: the .deb for this distribution (cmake/packages.cmake), and a bare
# root folder to try it in.
. packaging/bare_root.sh

readonly package_folder="build/package/deb"

# Builds the package and prints its path on the last line.
make_package() {
  need build package
  command -v dpkg >/dev/null || die "a .deb is made on Debian and Ubuntu; here: cmake --install build/cpu-release"
  build_preset package
  rm -rf "$package_folder"
  logged build/package/cpack.log cpack --config build/package/CPackConfig.cmake -B "$package_folder"
  rm -rf "$package_folder/_CPack_Packages"
  ls "$package_folder"/*.deb
}

# Installs the package where nothing else is, and lets the program answer under both its names.
try_package() {
  local deb root suite
  must_be_root "check package"
  [[ "$(distribution)" == debian-* ]] || die "check package makes a Debian root; this is $(distribution)"
  suite="$(. /etc/os-release && echo "$VERSION_CODENAME")"
  root="$PWD/.cache/$suite-package"
  deb="$(make_package | tail -n 1)"
  make_bare_root "$root" "$suite" ca-certificates
  rm -f "$root"/*.deb
  cp "$deb" "$root/"
  say "installing ${deb##*/} in a bare root"
  inside_root "$root" bash -euc '
    apt-get update >/apt.log 2>&1 &&
      DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends --reinstall /*.deb >>/apt.log 2>&1 ||
      { tail -n 20 /apt.log; exit 1; }
    hone version
    ! command -v llamafactory-cli || { echo "llamafactory-cli must not be on the PATH"; exit 1; }
    PATH="/usr/lib/hone/compat:$PATH" llamafactory-cli version >/dev/null
    dpkg -L hone >/files
    apt-get remove -y hone >>/apt.log 2>&1
    while read -r file; do
      if [ -e "$file" ] && [ ! -d "$file" ]; then echo "removing left $file"; exit 1; fi
    done </files'
}
