#!/bin/bash
# What the entrypoint of PostgreSQL's image does: initializes an empty data folder with a server that listens on its socket only, runs
# the scripts of the init folder in it, then starts the server.
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb --username="$POSTGRES_USER" --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") --auth-local=trust --auth-host=scram-sha-256 -E UTF8 --no-locale >/dev/null
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl -w -l "$PGDATA/init.log" -o "${*:2} -c listen_addresses=''" start >/dev/null
  for script in "$INIT_FOLDER"/*; do . "$script"; done
  pg_ctl -w -m fast stop >/dev/null
fi
exec "$@"
