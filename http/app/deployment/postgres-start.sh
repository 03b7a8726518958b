#!/bin/bash
# Starts a PostgreSQL server of the pair. A server with an empty data folder and a name in STANDBY_OF copies that server first and
# then follows it. With data in the folder STANDBY_OF has no effect: the folder says whether it is a standby.
set -euo pipefail

if [ -n "${STANDBY_OF:-}" ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  from="host=$STANDBY_OF user=replicator password=$REPLICATION_PASSWORD application_name=$SERVER_NAME"
  until pg_basebackup --dbname "$from" --pgdata "$PGDATA" --write-recovery-conf --wal-method stream --checkpoint fast; do
    echo "$STANDBY_OF cannot be copied yet: trying again in 2 s" >&2
    find "$PGDATA" -mindepth 1 -delete
    sleep 2
  done
  chmod 700 "$PGDATA"
fi

exec docker-entrypoint.sh postgres "$@"
