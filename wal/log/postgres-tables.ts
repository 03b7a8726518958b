// Tables of the log in PostgreSQL, and the server settings that durable batches require.
import type { Client } from 'pg'
import { LogError } from './log-error.ts'

/** Version of the tables, raised with every change. A node rejects newer tables. */
const TABLES_VERSION = 1
/** Key of the advisory lock. No other program of the database may use it. */
const ADVISORY_LOCK = 6_027_431

/**
 * `sequence` is that of the batch's first record. `owner.beat` counts the changes of that row, `owner.timeline` is the timeline of the
 * server on which it was changed last; `alive` holds the owner's heartbeats. `identity` identifies the log and its master key. A
 * synchronous commit of a follower writes its row of `node`. `node_status` is a table of its own: a commit of `node` may wait for the
 * standby, and that row is locked meanwhile.
 * A log with a row in `closed` has no owner (postgres-closed.ts).
 */
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
  create table if not exists cauri.owner (
    partition integer primary key,
    epoch bigint not null,
    last_sequence bigint not null,
    last_hash text not null,
    node text not null,
    url text not null,
    beat bigint not null,
    timeline integer not null default 0
  );
  create table if not exists cauri.alive (
    partition integer primary key,
    epoch bigint not null,
    confirmed bigint not null,
    beat bigint not null
  );
  create table if not exists cauri.identity (
    partition integer primary key,
    log_id text not null,
    key_check text not null,
    secret_check text not null default ''
  );
  create table if not exists cauri.node (partition integer, node text, url text not null, beat bigint not null, primary key (partition, node));
  create table if not exists cauri.node_status (
    partition integer,
    node text,
    url text not null,
    role text not null,
    role_since timestamptz not null,
    epoch bigint not null,
    sequence bigint not null,
    lag_ms double precision not null,
    append_p50_ms double precision,
    append_p99_ms double precision,
    barrier_p50_ms double precision,
    barrier_p99_ms double precision,
    version text not null,
    run text not null default '',
    clock_ms double precision,
    trouble text not null default '',
    seen_at timestamptz not null default clock_timestamp(),
    primary key (partition, node)
  );
  create table if not exists cauri.closed (partition integer primary key, reason text not null, place text not null);
  insert into cauri.version (tables) select ${TABLES_VERSION} where not exists (select from cauri.version);
`

/**
 * Settings of the batch column of a new table. LZ4 made a batch of 128 payouts a third of its size in PostgreSQL's own log, and its
 * append a third faster. Without LZ4 (a build option of PostgreSQL 14 and later) batches are not compressed: the older method is slow.
 */
const COMPRESSED = 'alter table cauri.log alter column batch set storage extended, alter column batch set compression lz4'
const UNCOMPRESSED = 'alter table cauri.log alter column batch set storage external'
const READ_SERVER = `select to_regclass('cauri.log') is null as is_new, exists (
    select from pg_settings where name = 'default_toast_compression' and 'lz4' = any (enumvals)
  ) as has_lz4`

/** Creates missing tables. Nodes that start together wait for each other. Throws LogError for newer tables. */
export async function makeTables(client: Client): Promise<void> {
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCK])
  const server = await client.query<{ is_new: boolean; has_lz4: boolean }>(READ_SERVER)
  await client.query(TABLES)
  const [found] = server.rows
  if (found?.is_new === true) await client.query(found.has_lz4 ? COMPRESSED : UNCOMPRESSED)
  const { rows } = await client.query<{ tables: number }>('select tables from cauri.version')
  await client.query('commit')
  checkVersion(rows[0]?.tables ?? 0)
}

function checkVersion(version: number): void {
  if (version <= TABLES_VERSION) return
  throw new LogError(
    'log_unsafe',
    `The log's tables in PostgreSQL have version ${version}, this program knows ${TABLES_VERSION}: start the newer release.`,
  )
}

/** Returns whether the database has the tables of a log. Changes nothing. Throws LogError for newer tables. */
export async function hasTables(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>("select to_regclass('cauri.closed') is not null as found")
  if (rows[0]?.found !== true) return false
  const version = await client.query<{ tables: number }>('select tables from cauri.version')
  checkVersion(version.rows[0]?.tables ?? 0)
  return true
}

export interface LogIdentity {
  /** Unique id of the log. Its local copies contain it. */
  readonly logId: string
  /** Derived from the master key: a node with another key could not decrypt the secrets in the log. */
  readonly keyCheck: string
}

const KEEP_IDENTITY = `insert into cauri.identity (partition, log_id, key_check) values ($1, $2, $3)
  on conflict (partition) do update set key_check = excluded.key_check where cauri.identity.key_check = ''`
const READ_IDENTITY = 'select log_id, key_check from cauri.identity where partition = $1'

/**
 * Returns the log's identity. Sets it to `offered` for a new log, and the key check of a copied log that has none. A known identity is
 * read without a commit, so a node starts while the standby is away.
 */
export async function settleIdentity(client: Client, partition: number, offered: LogIdentity): Promise<LogIdentity> {
  const known = await readIdentity(client, partition)
  if (known !== null && known.keyCheck !== '') return known
  await client.query(KEEP_IDENTITY, [partition, offered.logId, offered.keyCheck])
  return (await readIdentity(client, partition)) ?? offered
}

async function readIdentity(client: Client, partition: number): Promise<LogIdentity | null> {
  const { rows } = await client.query<{ log_id: string; key_check: string }>(READ_IDENTITY, [partition])
  return rows[0] === undefined ? null : { logId: rows[0].log_id, keyCheck: rows[0].key_check }
}

const COMMIT = `insert into cauri.node (partition, node, url, beat) values ($1, $2, $3, 1)
  on conflict (partition, node) do update set url = excluded.url, beat = cauri.node.beat + 1
  returning current_setting('synchronous_standby_names') <> '' as has_standby`

/**
 * Makes a synchronous commit of this node. All data that its connection saw before is replicated when this resolves with true. False: no
 * standby is named, so the commit waited for none.
 */
export async function commitAsNode(
  client: Client,
  partition: number,
  name: { readonly node: string; readonly url: string },
): Promise<boolean> {
  const { rows } = await client.query<{ has_standby: boolean }>(COMMIT, [partition, name.node, name.url])
  return rows[0]?.has_standby === true
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

/** Returns the settings that prevent a commit from being durable on two machines, each with its remedy. */
async function unsafeSettings(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<Promises>(PROMISES)
  const [found] = rows
  if (found === undefined) return ['the server does not report its settings']
  const wrong: string[] = []
  if (found.fsync !== 'on') wrong.push('fsync is off: set it to on')
  if (found.full_page_writes !== 'on') wrong.push('full_page_writes is off: set it to on')
  if (found.synchronous_commit !== 'on' && found.synchronous_commit !== 'remote_apply') {
    wrong.push(`synchronous_commit is ${found.synchronous_commit}: set it to on or remote_apply`)
  }
  if (found.synchronous_standby_names.trim() === '') wrong.push('synchronous_standby_names is empty: name a synchronous standby')
  return wrong
}

export interface ServerCheck {
  /** Accepts a server without a synchronous standby: an acknowledged batch may be lost with that server's disk. */
  readonly allowsUnsafe: boolean
  readonly onWarning: (message: string) => void
}

/** Throws LogError for a server that may lose acknowledged batches, unless that is allowed. */
export async function checkServer(client: Client, { allowsUnsafe, onWarning }: ServerCheck): Promise<void> {
  const unsafe = await unsafeSettings(client)
  if (unsafe.length === 0) return
  const what = unsafe.join('; ')
  if (!allowsUnsafe) {
    throw new LogError('log_unsafe', `PostgreSQL may lose acknowledged batches: ${what}. WAL_POSTGRES_UNSAFE=true accepts this.`)
  }
  onWarning(`WAL_POSTGRES_UNSAFE=true: PostgreSQL may lose acknowledged batches: ${what}.`)
}
