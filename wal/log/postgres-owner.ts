// The owner row of a partition of the log in PostgreSQL, and the statements that change it. Each statement is one round trip and one
// transaction: both of its effects happen, or none.
import type { Client } from 'pg'

export interface OwnerRow {
  /** Raised by each takeover. A batch of an older epoch is never stored. */
  readonly epoch: number
  readonly lastSequence: number
  /** Hash of the last batch, hex. */
  readonly lastHash: string
  /** Name of the owner; empty when the log was released. */
  readonly node: string
  readonly url: string
  /** Raised by each change of the row. */
  readonly beat: number
  /** Raised by each heartbeat of the owner, also while no synchronous commit completes. */
  readonly alive: number
  /** Sequence through which the owner has seen synchronous commits complete. A failover cannot lose these records. */
  readonly confirmed: number
}

export interface NodeName {
  readonly node: string
  /** Address at which other nodes reach it. */
  readonly url: string
}

interface StoredOwner {
  readonly epoch: string
  readonly last_sequence: string
  readonly last_hash: string
  readonly node: string
  readonly url: string
  readonly beat: string
  readonly alive: string
  readonly confirmed: string
}

const READ = `select o.epoch, o.last_sequence, o.last_hash, o.node, o.url, o.beat,
    coalesce(a.beat, 0) as alive, coalesce(a.confirmed, 0) as confirmed
  from cauri.owner o left join cauri.alive a on a.partition = o.partition where o.partition = $1`
const MAKE = `insert into cauri.owner (partition, epoch, last_sequence, last_hash, node, url, beat)
  values ($1, 0, 0, $2, '', '', 0) on conflict (partition) do nothing`
const TAKE = `with taken as (
    update cauri.owner set epoch = epoch + 1, node = $4, url = $5, beat = beat + 1
    where partition = $1 and epoch = $2 and beat = $3 and not exists (select from cauri.closed where partition = $1)
    returning epoch, last_sequence, last_hash, node, url, beat, 0 as alive, last_sequence as confirmed
  )
  select taken.*, pg_notify('cauri_log', $1 || ' taken') from taken`
const APPEND = `with fenced as (
    update cauri.owner set last_sequence = $4, last_hash = $5, beat = beat + 1
    where partition = $1 and epoch = $2 and last_sequence = $3 returning 1
  ), stored as (
    insert into cauri.log (partition, sequence, epoch, record_count, batch)
    select $1, $3 + 1, $2, $6, $7 from fenced returning 1
  )
  select current_setting('synchronous_standby_names') <> '' as has_standby from stored`
const RELEASE = `with released as (
    update cauri.owner set node = '', url = '', beat = beat + 1 where partition = $1 and epoch = $2 returning 1
  )
  select pg_notify('cauri_log', $1 || ' released') from released`
const COMMIT = 'update cauri.owner set beat = beat + 1 where partition = $1 and epoch = $2 returning 1'

/** Returns the row. Creates it for an empty log. */
export async function readOwner(client: Client, partition: number, emptyHash: string): Promise<OwnerRow> {
  const { rows } = await client.query<StoredOwner>({ name: 'owner', text: READ, values: [partition] })
  if (rows[0] !== undefined) return ownerOf(rows[0])
  await client.query(MAKE, [partition, emptyHash])
  return readOwner(client, partition, emptyHash)
}

/**
 * Raises the epoch of a row that is still as it was read. Returns null if it has changed. The statement may wait for an append of
 * the owner that waits for the standby; when that append commits, the owner is alive and the takeover must not happen.
 */
export async function takeOwnership(
  client: Client,
  partition: number,
  { epoch, beat }: Pick<OwnerRow, 'epoch' | 'beat'>,
  { node, url }: NodeName,
): Promise<OwnerRow | null> {
  const { rows } = await client.query<StoredOwner>(TAKE, [partition, epoch, beat, node, url])
  return rows[0] === undefined ? null : ownerOf(rows[0])
}

export interface OwnedBatch {
  readonly partition: number
  readonly epoch: number
  readonly expectedSequence: number
  readonly recordCount: number
  readonly bytes: Uint8Array
  /** Hash of the batch, hex. */
  readonly hash: string
}

/** `refused`: nothing was stored. `alone`: stored, but no standby is named, so the commit waited for none. */
export type AppendResult = 'stored' | 'alone' | 'refused'

/** Appends the batch. Stores nothing if the row has another epoch or last sequence. */
export async function appendOwned(client: Client, batch: OwnedBatch): Promise<AppendResult> {
  const { partition, epoch, expectedSequence, recordCount, bytes, hash } = batch
  const through = expectedSequence + recordCount - 1
  const values = [partition, epoch, expectedSequence - 1, through, hash, recordCount, asParameter(bytes)]
  const { rows } = await client.query<{ has_standby: boolean }>({ name: 'append', text: APPEND, values })
  const [row] = rows
  if (row === undefined) return 'refused'
  return row.has_standby ? 'stored' : 'alone'
}

/** Makes a further synchronous commit. Returns false if the epoch is not current. */
export async function commitOwned(client: Client, partition: number, epoch: number): Promise<boolean> {
  const { rowCount } = await client.query(COMMIT, [partition, epoch])
  return rowCount === 1
}

/** Releases the log, so that a follower takes it immediately. Returns false if the epoch is not current. */
export async function releaseOwnership(client: Client, partition: number, epoch: number): Promise<boolean> {
  const { rowCount } = await client.query(RELEASE, [partition, epoch])
  return rowCount === 1
}

function ownerOf(row: StoredOwner): OwnerRow {
  return {
    epoch: Number(row.epoch),
    lastSequence: Number(row.last_sequence),
    lastHash: row.last_hash,
    node: row.node,
    url: row.url,
    beat: Number(row.beat),
    alive: Number(row.alive),
    confirmed: Number(row.confirmed),
  }
}

/** Returns a Buffer, which `pg` sends as binary. It would send any other array as text. */
function asParameter(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
