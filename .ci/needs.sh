# shellcheck shell=sh disable=SC2154
# Sourced by ./dev: what Chaperone needs from the system, how one sees that it is there, and which packages bring it.
# Nothing is asked of a package manager while nothing is missing.

# need names and installs what is missing of the things given.
need() {
	missing=
	for thing in "$@"; do
		"has_$thing" || { [ "$thing" = go ] && has go && mend_go; } || missing="$missing $thing"
	done
	[ -n "$missing" ] || return 0

	packages=
	for thing in $missing; do
		say "missing: $(describe "$thing")"
		packages="$packages $(packages_for "$thing")"
	done
	# shellcheck disable=SC2086
	fetch $packages
	for thing in $missing; do
		"has_$thing" || { [ "$thing" = go ] && mend_go; } ||
			give_up "$(describe "$thing"): still missing after installing$packages"
	done
}

describe() {
	case $1 in
	go) echo "Go $(wanted_go) or newer, to build the program" ;;
	cc) echo "a C compiler and pkg-config, to build the window" ;;
	headers) echo "the headers of OpenGL and X11, to build the window" ;;
	browser) echo "Chromium, the browser that agents are lent" ;;
	certificates) echo "the list of certificate authorities, to fetch Go modules" ;;
	desktop) echo "a desktop for the tests (Xvfb, openbox, xdotool, D-Bus, software OpenGL, fonts)" ;;
	keepers) echo "a keyring, oathtool and lpass, for the tests of the vault" ;;
	archiver) echo "xz, to make the archive" ;;
	node) echo "Node.js with npm, to run the servers we compare with" ;;
	esac
}

# wanted_go is the release that go.mod asks for.
wanted_go() {
	awk '$1 == "toolchain" { sub(/^go/, "", $2); exact = $2 } $1 == "go" { least = $2 } END { print exact ? exact : least }' go.mod
}

# newer A B: is version A at least B?
newer() {
	awk -v a="$1" -v b="$2" 'BEGIN {
		split(a, x, "."); split(b, y, ".")
		for (i = 1; i <= 3; i++) if (x[i] + 0 != y[i] + 0) exit !(x[i] + 0 > y[i] + 0)
		exit 0
	}'
}

# local_go is the release of a Go command itself, whatever toolchain it would fetch for a module.
local_go() {
	(cd / && GOTOOLCHAIN=local "$1" version 2>/dev/null) | awk '{ sub(/^go/, "", $3); print $3 }'
}

fetched_go() {
	echo "${XDG_CACHE_HOME:-$HOME/.cache}/chaperone/go$(wanted_go)"
}

has_go() {
	least=$(awk '$1 == "go" { print $2 }' go.mod)
	for root in "" /usr/local/go/bin/ /usr/lib/go/bin/ /usr/lib/go-*/bin/ "$(fetched_go)/bin/"; do
		found=$(command -v "${root}go" 2>/dev/null) || continue
		have=$(local_go "$found")
		[ -n "$have" ] || continue
		if newer "$have" "$least"; then
			PATH=$(dirname "$found"):$PATH
			export PATH
			return 0
		fi
		# Since 1.21 the Go command gets the release that a module asks for as a module, by itself.
		if newer "$have" 1.21; then
			PATH=$(dirname "$found"):$PATH
			GOTOOLCHAIN=go$(wanted_go)
			export PATH GOTOOLCHAIN
			go version >/dev/null && return 0
		fi
	done
	return 1
}

# mend_go makes a Go of today out of one from before 1.21 (Debian 12 has 1.19), which does not know yet that Go itself is a
# module, but can fetch any module: the same one that newer Go commands fetch for themselves.
mend_go() {
	has go || return 1
	release=$(wanted_go)
	case $(uname -m) in
	x86_64 | amd64) arch=amd64 ;;
	aarch64 | arm64) arch=arm64 ;;
	*) give_up "Go $release for $(uname -m) cannot be fetched as a module: install it by hand and run this again" ;;
	esac
	os=$(echo "$system" | tr '[:upper:]' '[:lower:]')
	say "$(go version) is too old to fetch its successor by itself: getting Go $release as a module"
	module=golang.org/toolchain@v0.0.1-go$release.$os-$arch
	work=$(mktemp -d)
	from=$(cd "$work" && go mod init fetch >/dev/null 2>&1 && go mod download -json "$module" | awk -F'"' '$2 == "Dir" { print $4 }')
	rm -rf "$work"
	[ -d "$from" ] || give_up "go mod download $module brought nothing: install Go $release by hand and run this again"
	to=$(fetched_go)
	rm -rf "$to.new"
	mkdir -p "$(dirname "$to")"
	cp -R "$from" "$to.new"
	# A module keeps neither executable bits nor nested go.mod files; the Go command puts them back like this.
	chmod -R u+w "$to.new"
	chmod -R a+x "$to.new/bin" "$to.new/pkg/tool"
	for name in src src/cmd; do
		[ ! -f "$to.new/$name/_go.mod" ] || cp "$to.new/$name/_go.mod" "$to.new/$name/go.mod"
	done
	mv "$to.new" "$to"
	has_go
}

has_cc() {
	{ has "${CC:-gcc}" || has cc || has clang; } || return 1
	[ "$system" = Darwin ] || has pkg-config || has pkgconf
}

has_headers() {
	[ "$system" != Darwin ] || return 0
	pkg-config --exists gl 2>/dev/null || return 1
	printf '#include <%s>\n' X11/Xlib.h X11/Xcursor/Xcursor.h X11/extensions/Xrandr.h X11/extensions/Xinerama.h \
		X11/extensions/XInput2.h X11/extensions/xf86vmode.h X11/XKBlib.h GL/gl.h |
		"${CC:-cc}" -E - >/dev/null 2>&1
}

has_browser() {
	[ -z "${BROWX_CHROMIUM:-}" ] || return 0
	for name in chromium chromium-browser google-chrome-stable google-chrome chrome \
		/Applications/Chromium.app/Contents/MacOS/Chromium \
		"/Applications/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing" \
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
		has "$name" && return 0
	done
	return 1
}

has_certificates() {
	[ "$system" != Darwin ] || return 0
	[ -z "${SSL_CERT_FILE:-}" ] || return 0
	for file in /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/ca-bundle.pem /etc/ssl/cert.pem; do
		[ ! -s "$file" ] || return 0
	done
	return 1
}

has_desktop() {
	[ "$system" = Linux ] || return 0
	for name in Xvfb openbox xdotool dbus-daemon fc-list; do
		has "$name" || return 1
	done
	[ -n "$(fc-list 2>/dev/null | head -n 1)" ] || return 1
	for file in /usr/lib*/dri/swrast_dri.so /usr/lib/*/dri/swrast_dri.so /usr/lib*/libgallium*.so /usr/lib/*/libgallium*.so; do
		[ ! -e "$file" ] || return 0
	done
	return 1
}

has_keepers() {
	[ "$system" = Linux ] || return 0
	has gnome-keyring-daemon && has oathtool && has lpass
}

has_archiver() { [ "$system" = Darwin ] || has xz; }

has_node() { has node && has npm; }

manager() {
	for name in apt-get dnf pacman zypper brew; do
		has "$name" && echo "$name" && return 0
	done
	return 1
}

packages_for() {
	case $(manager):$1 in
	apt-get:go) echo golang-go ;;
	apt-get:cc) echo gcc libc6-dev pkg-config ;;
	apt-get:headers) echo libgl1-mesa-dev libx11-dev libxcursor-dev libxrandr-dev libxinerama-dev libxi-dev libxxf86vm-dev ;;
	apt-get:browser) apt_browser ;;
	apt-get:desktop) echo xvfb openbox xdotool dbus libgl1-mesa-dri fontconfig fonts-dejavu-core fonts-liberation ;;
	apt-get:keepers) echo gnome-keyring oathtool lastpass-cli ;;
	apt-get:node) echo nodejs npm ;;
	apt-get:archiver) echo xz-utils ;;

	dnf:go) echo golang ;;
	dnf:cc) echo gcc pkgconf-pkg-config ;;
	dnf:headers) echo mesa-libGL-devel libX11-devel libXcursor-devel libXrandr-devel libXinerama-devel libXi-devel libXxf86vm-devel ;;
	dnf:browser) echo chromium ;;
	dnf:desktop) echo xorg-x11-server-Xvfb openbox xdotool dbus-daemon mesa-dri-drivers fontconfig dejavu-sans-fonts liberation-fonts ;;
	dnf:keepers) echo gnome-keyring oathtool lastpass-cli ;;
	dnf:node) echo nodejs npm ;;

	pacman:go) echo go ;;
	pacman:cc) echo gcc pkgconf ;;
	pacman:headers) echo libglvnd libx11 libxcursor libxrandr libxinerama libxi libxxf86vm xorgproto ;;
	pacman:browser) echo chromium ;;
	pacman:desktop) echo xorg-server-xvfb openbox xdotool dbus mesa fontconfig ttf-dejavu ttf-liberation ;;
	pacman:keepers) echo gnome-keyring oath-toolkit lastpass-cli ;;
	pacman:node) echo nodejs npm ;;

	zypper:go) echo go ;;
	zypper:cc) echo gcc pkg-config ;;
	zypper:headers) echo Mesa-libGL-devel libX11-devel libXcursor-devel libXrandr-devel libXinerama-devel libXi-devel libXxf86vm-devel ;;
	zypper:browser) echo chromium ;;
	zypper:desktop) echo xorg-x11-server-Xvfb openbox xdotool dbus-1 Mesa-dri fontconfig dejavu-fonts liberation-fonts ;;
	zypper:keepers) echo gnome-keyring oath-toolkit lastpass-cli ;;
	zypper:node) echo nodejs npm ;;

	brew:go) echo go ;;
	brew:browser) echo chromium ;;
	brew:node) echo node ;;
	*:certificates) echo ca-certificates ;;
	*:archiver) echo xz ;;
	esac
}

# Ubuntu's "chromium" is no package any more; chromium-browser there brings the snap.
apt_browser() {
	if apt-cache policy chromium 2>/dev/null | grep -q 'Candidate: [0-9]' || ! apt-cache policy chromium-browser 2>/dev/null | grep -q 'Candidate: [0-9]'; then
		echo chromium chromium-sandbox
	else
		echo chromium-browser
	fi
}

# administrator is the command in front of one that needs the administrator's rights; it fails where there is no way to get them.
administrator() {
	if [ "$(id -u)" = 0 ]; then
		echo env
	elif has sudo && [ -t 0 ]; then
		echo sudo
	else
		has sudo && sudo -n true 2>/dev/null && echo 'sudo -n'
	fi
}

# by_hand is what a person types to install packages.
by_hand() {
	case $1 in
	apt-get) echo "apt-get update && apt-get install" ;;
	pacman) echo "pacman -S --needed" ;;
	*) echo "$1 install" ;;
	esac
}

fetch() {
	by=$(manager) || give_up "no package manager that this script knows (apt-get, dnf, pacman, zypper, brew): install the above by hand"
	[ $# -gt 0 ] || give_up "install the above by hand (on macOS a C compiler comes with: xcode-select --install)"
	root=
	if [ "$by" != brew ]; then
		root=$(administrator) || give_up "that needs an administrator. Have this run as root, then run this again:
  $(by_hand "$by") $*"
	fi
	mkdir -p build
	log=build/install.log
	say "installing with $by (its words go to $log): $*"
	case $by in
	apt-get)
		apt="$root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0"
		# shellcheck disable=SC2086
		{ $apt update || say "dev: apt-get update failed; trying with the lists that are here"; } >"$log"
		# shellcheck disable=SC2086
		$apt install --no-install-recommends "$@" >>"$log" 2>&1
		;;
	dnf) $root dnf -y -q install "$@" >"$log" 2>&1 ;;
	pacman) $root pacman -S --needed --noconfirm "$@" >"$log" 2>&1 ;;
	zypper) $root zypper --non-interactive --quiet install --no-recommends "$@" >"$log" 2>&1 ;;
	brew) brew install --quiet "$@" >"$log" 2>&1 ;;
	esac || {
		tail -n 30 "$log" >&2
		give_up "$by could not install: $*"
	}
}
