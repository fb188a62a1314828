#!/bin/sh
# Downloads the newest release of Throughline for this machine, verifies its sum and installs it for this user. No sudo.
#   sh install.sh [what `throughline install` takes …]
# THROUGHLINE_VERSION names another release, THROUGHLINE_RELEASES another place that releases are at.
set -eu

releases="${THROUGHLINE_RELEASES:-@RELEASES@}"
version="${THROUGHLINE_VERSION:-}"

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

platform() {
  case "$(uname -s)" in
    Linux) os=linux ;;
    Darwin) os=darwin ;;
    *) fail "there is no release for $(uname -s); on Windows use install.ps1" ;;
  esac
  case "$(uname -m)" in
    x86_64 | amd64) arch=x64 ;;
    arm64 | aarch64) arch=arm64 ;;
    *) fail "there is no release for $(uname -m)" ;;
  esac
  # A shell that Rosetta translates calls itself x86_64.
  if [ "$os" = darwin ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || echo 0)" = 1 ]; then arch=arm64; fi
  libc=""
  if [ "$os" = linux ] && is_musl; then
    [ "$arch" = x64 ] || fail "there is no release for musl on $arch"
    libc=-musl
  fi
  echo "$os-$arch$libc"
}

# glibc's loader is there wherever glibc is; a glibc system may have musl's beside it.
is_musl() {
  for loader in /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1; do
    [ ! -e "$loader" ] || return 1
  done
  for loader in /lib/ld-musl-*; do
    [ ! -e "$loader" ] || return 0
  done
  return 1
}

download() {
  if command -v curl >/dev/null 2>&1; then
    curl -fsSL -o "$2" "$1"
  elif command -v wget >/dev/null 2>&1; then
    wget -q -O "$2" "$1"
  else
    fail "neither curl nor wget is there"
  fi || fail "cannot download $1"
}

sum_of() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum "$1"
  else
    shasum -a 256 "$1"
  fi | cut -d ' ' -f 1
}

[ -n "$releases" ] || fail "THROUGHLINE_RELEASES must say where releases are"
archive="throughline-$(platform).tar.gz"
if [ -n "$version" ]; then from="$releases/download/v$version"; else from="$releases/latest/download"; fi
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT INT TERM

download "$from/SHA256SUMS" "$folder/SHA256SUMS"
download "$from/$archive" "$folder/$archive"
wanted="$(grep "  $archive\$" "$folder/SHA256SUMS" | cut -d ' ' -f 1)"
[ -n "$wanted" ] || fail "SHA256SUMS does not name $archive"
[ "$(sum_of "$folder/$archive")" = "$wanted" ] || fail "the sum of $archive is not the one in SHA256SUMS; nothing was installed"

tar -xzf "$folder/$archive" -C "$folder"
program="$(echo "$folder"/throughline-*/throughline)"
# Piped into a shell, this script is on stdin; the questions are for the terminal.
if [ ! -t 0 ] && (: </dev/tty) 2>/dev/null; then
  "$program" install "$@" </dev/tty
else
  "$program" install "$@"
fi
