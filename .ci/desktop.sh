# shellcheck shell=sh disable=SC2154
# Sourced by ./dev: a desktop of the tests' own, so that they neither need a person's nor touch it. An X server on a free
# display, a window manager, a private session bus and a private runtime directory; all ended by their process ids, also
# after a failure or an interrupt.

desktop=
testing=
started=
apart=
! has setsid || apart=setsid

start_desktop() {
	desktop=$(mktemp -d "${TMPDIR:-/tmp}/chaperone-desktop.XXXXXX")
	trap 'stop_desktop' EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM

	mkdir -m 0700 "$desktop/run"
	export XDG_RUNTIME_DIR="$desktop/run"
	unset WAYLAND_DISPLAY XAUTHORITY
	for name in $(env | sed -n 's/^\(BROWX_[A-Z_]*\)=.*/\1/p'); do
		[ "$name" = BROWX_CHROMIUM ] || unset "$name"
	done
	[ "$system" = Linux ] || return 0

	dbus-daemon --session --nofork --nopidfile --print-address=3 3>"$desktop/bus" 2>"$desktop/bus.log" &
	started="$! $started"
	Xvfb -displayfd 3 -screen 0 1600x1000x24 -nolisten tcp -noreset 3>"$desktop/display" 2>"$desktop/x.log" &
	started="$! $started"
	await_line "$desktop/bus" "the session bus" "$desktop/bus.log"
	await_line "$desktop/display" "the X server" "$desktop/x.log"
	DBUS_SESSION_BUS_ADDRESS=$(head -n 1 "$desktop/bus")
	DISPLAY=:$(head -n 1 "$desktop/display")
	export DBUS_SESSION_BUS_ADDRESS DISPLAY

	openbox --sm-disable >"$desktop/wm.log" 2>&1 &
	started="$! $started"
	tries=0
	until xdotool get_num_desktops >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 100 ] || give_up "the window manager did not start: $(cat "$desktop/wm.log")"
		sleep 0.1
	done
}

# await_line waits until a program has written the line that says it is ready.
await_line() {
	tries=0
	until [ -s "$1" ]; do
		tries=$((tries + 1))
		[ $tries -lt 200 ] || give_up "$2 did not start: $(cat "$3")"
		sleep 0.1
	done
}

stop_desktop() {
	trap - EXIT
	if [ -n "$testing" ]; then
		kill -TERM ${apart:+-}"$testing" 2>/dev/null || true
		wait "$testing" 2>/dev/null || true
		testing=
	fi
	for pid in $started; do
		kill "$pid" 2>/dev/null || true
	done
	for pid in $started; do
		wait "$pid" 2>/dev/null || true
	done
	started=
	[ -z "$desktop" ] || rm -rf "$desktop"
	desktop=
}
