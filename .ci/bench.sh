# shellcheck shell=sh
# Called by ./dev bench with the static binary: runs the peer benchmark beside other browser servers and writes its tables into
# docs/benchmarks.md. The benchmark itself is beside the checkout, or where PEERBENCH says. Further arguments go to it
# (-only chaperone -n 3 for a quick look), and then nothing is written.
set -eu

CHAPERONE_BINARY=$1
shift
harness=${PEERBENCH:-../shared/peerbench}
if [ ! -f "$harness/main.go" ]; then
	echo "dev: the peer benchmark is not in $harness: say in PEERBENCH where it is" >&2
	exit 1
fi
harness=$(CDPATH='' cd -- "$harness" && pwd)

CHROMIUM=${CHROMIUM:-${BROWX_CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}}
PEERS=${PEERS:-${XDG_CACHE_HOME:-$HOME/.cache}/chaperone/peers}
export CHAPERONE_BINARY CHROMIUM PEERS

for package in @playwright/mcp chrome-devtools-mcp; do
	[ -d "$PEERS/node_modules/$package" ] || PUPPETEER_SKIP_DOWNLOAD=1 PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 \
		npm install --no-fund --no-audit --loglevel=error --prefix "$PEERS" "$package"
done

top=$(pwd)
mkdir -p build/bench
(cd "$harness" && go build -buildvcs=false -o "$top/build/bench/peerbench" .)
peers=bench/peers.json,$harness/peers.json
if [ $# -gt 0 ]; then
	exec build/bench/peerbench -peers "$peers" "$@"
fi
build/bench/peerbench -peers "$peers" -out build/bench/result

version_of() { sed -n 's/^ *"version": "\(.*\)".*/\1/p' "$PEERS/node_modules/$1/package.json" | head -n 1; }
table=build/bench/section.md
{
	echo "Taken on $(date -u +%Y-%m-%d), Chaperone $("$CHAPERONE_BINARY" version | head -n 1), @playwright/mcp $(version_of @playwright/mcp)," \
		"chrome-devtools-mcp $(version_of chrome-devtools-mcp), $("$CHROMIUM" --version 2>/dev/null | cut -d' ' -f1,2)," \
		"$(uname -s) $(uname -m), $(getconf _NPROCESSORS_ONLN) cores."
	echo
	cat build/bench/result.md
} >"$table"
awk -v table="$table" '
	/^<!-- the table ends -->/ { skip = 0 }
	!skip { print }
	/^<!-- the table begins -->/ { skip = 1; while ((getline line < table) > 0) print line }
' docs/benchmarks.md >build/bench/page.md
cp build/bench/page.md docs/benchmarks.md
echo "dev: the tables are in docs/benchmarks.md" >&2
