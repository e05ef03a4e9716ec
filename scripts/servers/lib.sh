# The common part of elasticsearch.sh and opensearch.sh: a server with one node on the loopback interface, for tests.
# The script that sources this file sets the variables name, java_min, dist and pidfile, and defines the functions fetch
# and boot.
# shellcheck shell=bash disable=SC2154

cache=${XDG_CACHE_HOME:-$HOME/.cache}/guardrails-test-es
limit=${GUARDRAILS_TEST_START_SECONDS:-180}
port='' dir='' password='' tls='' settings=()

say() { echo "$name: $*" >&2; }
die() { say "$@"; exit 1; }
need() { command -v "$1" >/dev/null || die "'$1' is not installed; $2"; }

find_java() {
  local java=${ES_JAVA_HOME:+$ES_JAVA_HOME/bin/}java properties version
  need "$java" "install JDK $java_min or later, or set ES_JAVA_HOME"
  properties=$("$java" -XshowSettings:properties -version 2>&1) || die "$java does not run"
  java_home=$(sed -n 's/^ *java.home = //p' <<<"$properties")
  version=$(sed -n 's/^ *java.specification.version = //p' <<<"$properties")
  [ "${version%%.*}" -ge "$java_min" ] || die "$java is Java $version; $name needs $java_min or later: set ES_JAVA_HOME"
}

# Prints the process id of this directory's server if it is running.
running() {
  local pid && pid=$(cat "$dir/$pidfile" 2>/dev/null) && [ -n "$pid" ] || return 0
  ! ps -ww -p "$pid" -o args= | grep -qF -- "-Djava.io.tmpdir=$dir/tmp" || echo "$pid"
}

alive() { [[ $(ps -p "$1" -o stat=) == [!Z]* ]]; }
port_taken() { (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }

# Succeeds if the server answers. A node answers even before its cluster has elected a master. The password is not
# passed to curl as an argument, because other users can see the arguments of a process.
answers() {
  local code
  code=$(curl -s -m 10 -o /dev/null -w '%{http_code}' ${tls:+--cacert "$tls/cert.pem"} -K - "$url/" <<<"${password:+user = \"elastic:$password\"}")
  [ "$code" = 200 ]
}

start() {
  for tool in curl flock ps timeout setsid; do need "$tool" 'this script uses it'; done
  mkdir -p "$cache" && exec 9>"$cache/lock" && flock 9 # several starts may run at the same time
  if [ -z "$(running)" ]; then
    for _ in {1..20}; do port_taken || break; sleep 0.2; done # a killed server takes a moment to end
    ! port_taken || die "port $port is taken by another process"
    find_java
    fetch
    mkdir -p "$dir/tmp"
    say "starting on port $port"
    boot ${settings[@]+"${settings[@]}"}
  fi
  exec 9>&- # other starts may run now
  local deadline=$((SECONDS + limit))
  until answers; do
    [ -n "$(running)" ] || { grep -E -m 4 'xception|rror' "$dir/console.log" | cut -c1-300 >&2; die "the server did not start; see $dir/console.log"; }
    [ $SECONDS -lt $deadline ] || { stop; die "the server did not answer within $limit s; see $dir"; }
    sleep 0.2
  done
  echo "$url"
}

stop() {
  local pid && pid=$(running)
  [ -n "$pid" ] || { say "not running in $dir"; return; }
  kill "$pid" # the pid file disappears before the process, so wait for the process
  for _ in {1..300}; do alive "$pid" || break; sleep 0.1; done
  ! alive "$pid" || kill -9 "$pid"
  say "stopped"
}

status() { local pid && pid=$(running); [ -n "$pid" ] || { say "not running in $dir"; exit 3; }; echo "$pid"; }

main() {
  local command=${1:-}
  while shift && [ $# -gt 0 ]; do
    case $1 in
    --port) port=${2:?} ;; --dir) dir=${2:?} ;; -E) settings+=("${2:?}") ;;
    --password-file) password=$(<"${2:?}") && [ -n "$password" ] || die "$2 contains no password" ;;
    --tls) tls=${2:?} && [ -s "$tls/cert.pem" ] && [ -s "$tls/key.pem" ] || die "$2 must contain cert.pem and key.pem" ;;
    *) die "unknown option $1" ;;
    esac
    shift
  done
  url=http${tls:+s}://127.0.0.1:$port
  dir=$(realpath -m "${dir:-${TMPDIR:-/tmp}/guardrails-test-$name-$(id -u)-$port}")
  case $command in start | stop | status) "$command" ;; *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;; esac
}
