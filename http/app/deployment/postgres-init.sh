#!/bin/bash
# Runs once, in the empty data folder of the first PostgreSQL server: roles, database, access of the standby, synchronous commits.
set -euo pipefail

psql -v ON_ERROR_STOP=1 -v wal_password="$WAL_PASSWORD" -v replication_password="$REPLICATION_PASSWORD" \
  --username "$POSTGRES_USER" --dbname postgres <<'SQL'
create role cauri login password :'wal_password';
create role replicator login replication password :'replication_password';
-- Shows the nodes whether a synchronous standby is connected.
grant pg_monitor to cauri;
create database cauri owner cauri;
-- Last: from the start of the server on, each commit waits for the other server of the pair.
alter system set synchronous_standby_names = 'ANY 1 ("postgres-a", "postgres-b")';
SQL

echo 'host replication replicator all scram-sha-256' >>"$PGDATA/pg_hba.conf"
