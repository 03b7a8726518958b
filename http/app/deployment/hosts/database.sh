#!/bin/sh
# /etc/patroni/database.sh: Patroni runs it once, on the first primary, before there is a standby. $1 is a connection string.
set -eu
export PGOPTIONS='-c synchronous_commit=local'
psql "$1" -v ON_ERROR_STOP=1 -v password="$WAL_PASSWORD" <<'SQL'
create role cauri login password :'password';
-- Shows the nodes whether a synchronous standby is connected.
grant pg_monitor to cauri;
create database cauri owner cauri;
SQL
