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
  readonly beat: number
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
}

const READ = 'select epoch, last_sequence, last_hash, node, url, beat from cauri.owner where partition = $1'
const MAKE = `insert into cauri.owner (partition, epoch, last_sequence, last_hash, node, url, beat)
  values ($1, 0, 0, $2, '', '', 0) on conflict (partition) do nothing`
const TAKE = `update cauri.owner set epoch = epoch + 1, node = $3, url = $4, beat = beat + 1
  where partition = $1 and epoch = $2 returning epoch, last_sequence, last_hash, node, url, beat`
const APPEND = `with fenced as (
    update cauri.owner set last_sequence = $4, last_hash = $5, beat = beat + 1
    where partition = $1 and epoch = $2 and last_sequence = $3 returning 1
  ), stored as (
    insert into cauri.log (partition, sequence, epoch, record_count, batch)
    select $1, $3 + 1, $2, $6, $7 from fenced returning 1
  )
  select pg_notify('cauri_log', $1 || ' ' || $4) from stored`
const RELEASE = `with released as (
    update cauri.owner set node = '', url = '', beat = beat + 1 where partition = $1 and epoch = $2 returning 1
  )
  select pg_notify('cauri_log', $1 || ' released') from released`
const BEAT = 'update cauri.owner set beat = beat + 1 where partition = $1 and epoch = $2 returning 1'

/** Returns the row. Creates it for an empty log. */
export async function readOwner(client: Client, partition: number, emptyHash: string): Promise<OwnerRow> {
  const { rows } = await client.query<StoredOwner>(READ, [partition])
  if (rows[0] !== undefined) return ownerOf(rows[0])
  await client.query(MAKE, [partition, emptyHash])
  return readOwner(client, partition, emptyHash)
}

/** Raises the epoch from `fromEpoch`. Returns null if another node has raised it before. */
export async function takeOwnership(client: Client, partition: number, fromEpoch: number, name: NodeName): Promise<OwnerRow | null> {
  const { rows } = await client.query<StoredOwner>(TAKE, [partition, fromEpoch, name.node, name.url])
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

/** Appends the batch. Returns false and stores nothing if the row has another epoch or last sequence. */
export async function appendOwned(client: Client, batch: OwnedBatch): Promise<boolean> {
  const { partition, epoch, expectedSequence, recordCount, bytes, hash } = batch
  const through = expectedSequence + recordCount - 1
  const values = [partition, epoch, expectedSequence - 1, through, hash, recordCount, asParameter(bytes)]
  const { rowCount } = await client.query({ name: 'append', text: APPEND, values })
  return rowCount === 1
}

/** Writes a heartbeat in its own commit. Returns false if the epoch is not current. */
export async function beat(client: Client, partition: number, epoch: number): Promise<boolean> {
  const { rowCount } = await client.query({ name: 'beat', text: BEAT, values: [partition, epoch] })
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
  }
}

/** Returns a Buffer, which `pg` sends as binary. It would send any other array as text. */
function asParameter(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
