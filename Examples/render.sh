#!/usr/bin/env bash
# Sends commands of every kind to a running server and has the renderer follow them by their ops.
#
#   Examples/render.sh [URL]      (default: http://127.0.0.1:8080)
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
url=${1:-http://127.0.0.1:8080}
sessions=$url/v1/sessions
run=example-$$-$RANDOM

authorization=()
[[ -z ${ROWCAST_TOKEN-} ]] || authorization=(-H "Authorization: Bearer $ROWCAST_TOKEN")

# One request with a JSON body; its answer is one line.
request() {
  local method=$1 address=$2 body=$3
  curl -sS --fail-with-body "${authorization[@]}" -X "$method" --json "$body" "$address"
  echo
}

open() { request PUT "$sessions/$run-$1" "{\"table\":\"$1\"}"; }
command() { request POST "$sessions/$run-$1/$2" "$3"; }
close() { curl -sS "${authorization[@]}" -X DELETE "$sessions/$run-$1"; }

# A list that is read by pages.
{
  open elements
  command elements load '{}'
  command elements load-more '{}'
  command elements delete '{"indexes":[0,3,38]}'
  command elements insert '{"rows":[{"id":"Uue","data":{"name":"Ununennium","symbol":"Uue","number":119}}],"at":1}'
  command elements refresh '{"pages":"loaded"}'
  command elements refresh '{"immediately":true}'
} | python3 "$here/renderer.py"
close elements

# A list that clients make.
{
  open tasks
  command tasks insert '{"rows":[{"id":"a","data":{"title":"A"}},{"id":"b","data":{"title":"B"}},{"id":"c","data":{"title":"C"}}]}'
  command tasks move '{"id":"c","to":0}'
  command tasks update '{"rows":[{"id":"a","merge":{"title":"A new"}}]}'
  command tasks select '{"id":"a"}'
  command tasks batch '{"commands":[{"move":{"id":"a","to":0}},{"delete":{"ids":["b"]}},{"insert":{"rows":[{"id":"d","data":{"title":"D"}}],"after":"a"}}]}'
  command tasks replace '{"rows":[{"id":"e","data":{"title":"E"}},{"id":"c","data":{"title":"C new"}},{"id":"a","data":{"title":"A new"}}],"hasNext":true}'
  command tasks transition '{"to":"maintenance","data":{"message":"Back soon"}}'
  command tasks transition '{"to":"populated"}'
  command tasks delete '{"all":true}'
} | python3 "$here/renderer.py"
close tasks

echo
echo "the ops led where the snapshots say, every time"
