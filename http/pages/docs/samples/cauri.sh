# Calls the Cauri API with curl, in bash. Load it into a script: . ./cauri.sh
CAURI_ATTEMPTS=5
CAURI_TIMEOUT_S=30
CAURI_RETRY_AFTER_MAX_S=60

# cauri METHOD PATH [JSON] [KEY]: prints a whole, successful answer. All attempts of a POST have one Idempotency-Key.
# Everything else fails and names the key. Without an answer what was asked may be done: repeat it with its key.
cauri() {
  local method=$1 path=$2 json=${3-} key=${4-} attempt answer failed status asked location wait
  local url=${CAURI_URL:-http://127.0.0.1:8080}$path
  local words=(-sS -X "$method" --max-time "$CAURI_TIMEOUT_S" -H "X-Api-Key: $CAURI_API_KEY" -H "X-Api-Secret: $CAURI_API_SECRET")
  if [ "$method" = POST ]; then
    key=${key:-$(openssl rand -hex 16)}
    words+=(-H "Idempotency-Key: $key")
  fi
  [ "$method" = GET ] || words+=(-H 'Content-Type: application/json' -d "$json")
  for ((attempt = 1; ; attempt++)); do
    answer=$(curl "${words[@]}" -w '\n%{http_code}|%header{retry-after}|%{redirect_url}' "$url")
    failed=$?
    IFS='|' read -r status asked location <<< "${answer##*$'\n'}"
    answer=${answer%$'\n'*}
    if [ $failed = 0 ] && [[ $status == 2?? ]] && is_whole "$answer"; then
      printf '%s\n' "$answer"
      return 0
    fi
    wait=$((2 ** (attempt - 1)))
    [[ $asked =~ ^[0-9]{1,6}$ ]] && wait=$asked
    if [ $attempt = $CAURI_ATTEMPTS ] || [ "$wait" -gt $CAURI_RETRY_AFTER_MAX_S ]; then break; fi
    # Lost, broken off or too late; a page of another server; or one of these.
    [ $failed != 0 ] || [[ $status == 2?? || $status =~ ^(429|500|502|503|504)$ ]] || break
    sleep "$wait"
  done
  echo "$url: HTTP $status${location:+ redirects to $location: correct CAURI_URL} $answer${key:+ (Idempotency-Key: $key)}" >&2
  return 1
}

# Whether a text is a whole JSON object: outside of its texts each brace is closed.
is_whole() {
  local marks opened closed
  marks=$(sed 's/\\.//g; s/"[^"]*"//g; s/".*//' <<< "$1")
  opened=${marks//[!\{]/} closed=${marks//[!\}]/}
  [[ $marks == '{'* && ${#opened} = "${#closed}" ]]
}
