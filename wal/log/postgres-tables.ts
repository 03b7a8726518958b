// The tables of the log in PostgreSQL, and what a server must promise before a batch may count as durable there.
import type { Client } from 'pg'
import { LogError } from './log-error.ts'

/** Raised with every change of the tables; a node refuses tables that are newer than it knows. */
const TABLES_VERSION = 1
/** Any number that no other program of the database uses for an advisory lock. */
const ADVISORY_LOCK = 6_027_431

/** `sequence` is that of the batch's first record; `beat` grows with each sign of life of the owner. */
const TABLES = `
  create schema if not exists cauri;
  create table if not exists cauri.version (tables integer not null);
  create table if not exists cauri.log (
    partition integer not null,
    sequence bigint not null,
    epoch bigint not null,
    record_count integer not null,
    batch bytea not null,
    primary key (partition, sequence)
  );
  alter table cauri.log alter column batch set storage external;
  create table if not exists cauri.owner (
    partition integer primary key,
    epoch bigint not null,
    last_sequence bigint not null,
    last_hash text not null,
    node text not null,
    url text not null,
    beat bigint not null
  );
  insert into cauri.version (tables) select ${TABLES_VERSION} where not exists (select from cauri.version);
`

/** Makes the tables where they are missing; nodes that start together wait for each other. Throws LogError for newer ones. */
export async function makeTables(client: Client): Promise<void> {
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCK])
  await client.query(TABLES)
  const { rows } = await client.query<{ tables: number }>('select tables from cauri.version')
  await client.query('commit')
  const version = rows[0]?.tables ?? 0
  if (version > TABLES_VERSION) {
    throw new LogError(
      'log_unsafe',
      `The log's tables in PostgreSQL have version ${version}, this program knows ${TABLES_VERSION}: start the newer release.`,
    )
  }
}

interface Promises {
  readonly synchronous_commit: string
  readonly synchronous_standby_names: string
  readonly fsync: string
  readonly full_page_writes: string
}

const PROMISES = `select current_setting('synchronous_commit') as synchronous_commit,
  current_setting('synchronous_standby_names') as synchronous_standby_names,
  current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes`

/** What keeps a commit of this server from being durable on two machines, each with its remedy; empty when nothing does. */
export async function unsafeSettings(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<Promises>(PROMISES)
  const [found] = rows
  if (found === undefined) return ['the server does not tell its settings']
  const wrong: string[] = []
  if (found.fsync !== 'on') wrong.push('fsync is off: set it to on')
  if (found.full_page_writes !== 'on') wrong.push('full_page_writes is off: set it to on')
  if (found.synchronous_commit !== 'on' && found.synchronous_commit !== 'remote_apply') {
    wrong.push(`synchronous_commit is ${found.synchronous_commit}: set it to on or remote_apply`)
  }
  if (found.synchronous_standby_names.trim() === '') wrong.push('synchronous_standby_names is empty: name a synchronous standby')
  return wrong
}
