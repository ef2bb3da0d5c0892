# shellcheck shell=sh
# Called by ./dev package with the built program and its version: an archive for this system in build/, made by Fyne's own
# packager from FyneApp.toml and the program as ./dev built it.
set -eu

program=$1
version=$2
top=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case $(uname -s) in
Darwin) target=darwin ;;
Linux) target=linux ;;
*) target=$(uname -s | tr '[:upper:]' '[:lower:]') ;;
esac

go build -modfile=.ci/tools.mod -o "$work/fyne" fyne.io/tools/cmd/fyne
# The packager writes into its directory, counts up the build in FyneApp.toml there, and wants to see Go code beside it: it gets
# a directory of its own, so that the checkout stays as it is.
cp FyneApp.toml "$work/"
echo 'package main' >"$work/main.go"
icon=$(sed -n 's/^ *[Ii]con *= *"\(.*\)".*/\1/p' FyneApp.toml | head -n 1)
cp "$program" "$work/chaperone"
(cd "$work" && ./fyne package --target "$target" --executable "$work/chaperone" --icon "$top/${icon:-assets/icon.png}" >&2)

found=
for made in "$work"/*.tar.xz "$work"/*.app; do
	[ -e "$made" ] || continue
	case $made in
	*.tar.xz)
		# The packager leaves the licence out, which asks to go with every copy.
		mkdir -p "$work/licence/chaperone"
		cp LICENSE "$work/licence/chaperone/"
		xz -dc "$made" >"$work/archive.tar"
		tar -rf "$work/archive.tar" -C "$work/licence" chaperone/LICENSE
		xz -T0 -c "$work/archive.tar" >"$made"
		found=build/chaperone-$version-$target-$(uname -m).tar.xz
		;;
	*) found=build/Chaperone.app ;;
	esac
	rm -rf "$found"
	mv "$made" "$found"
	echo "$found"
done
[ -n "$found" ] || {
	echo "dev: the packager made nothing for $target" >&2
	exit 1
}
