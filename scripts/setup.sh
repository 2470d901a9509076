#!/usr/bin/env bash
# Installs what building and testing fpa need and this machine lacks, from
# Debian's own packages (Debian 12 or 13). Asks nothing; does nothing when all
# is there.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
llvm=$(<"$root/LLVM_VERSION")

packages=(
  "clang-$llvm" "lld-$llvm" "llvm-$llvm-dev" "llvm-$llvm-tools"
  "libmlir-$llvm-dev" "mlir-$llvm-tools"
  cmake ninja-build ccache git
  python3 python3-numpy
)

fail() { echo "setup.sh: $*" >&2; exit 1; }

installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
  fail "expected Debian 12 or 13 (apt-get); elsewhere install these by hand: ${packages[*]}"

missing=()
for package in "${packages[@]}"; do
  installed "$package" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || fail "expected root or sudo, to install: ${missing[*]}"
  as_root=(sudo)
  [ -t 0 ] || as_root=(sudo -n)
fi
apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get \
    -o DPkg::Lock::Timeout=300 -o Acquire::Retries=2 -qq "$@" </dev/null
}

echo "setup.sh: installing ${missing[*]}"
apt update || { sleep 5; apt update; } ||
  echo "setup.sh: could not bring the package lists up to date; trying with the old ones" >&2
if ! log=$(apt install --yes --no-install-recommends "${missing[@]}" 2>&1); then
  tail -n 20 <<<"$log" >&2
  fail "apt-get could not install: ${missing[*]}"
fi
for package in "${missing[@]}"; do
  installed "$package" || fail "expected $package to be installed, it is not"
done
echo "setup.sh: done"
