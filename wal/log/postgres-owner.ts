// The owner row of a partition of the log in PostgreSQL, and the statements that change it. Each statement is one round trip and one
// transaction: both of its effects happen, or none.
import type { Client } from 'pg'
import { TIMELINE } from './postgres-hosts.ts'

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
  /** Sequence through which synchronous commits are known to be complete. A failover cannot lose these records. */
  readonly confirmed: number
  /** Timeline of the server that answered: raised by each promotion of a standby. */
  readonly timeline: number
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
  readonly written_timeline: number
  readonly timeline: number
}

/** Assignment of each statement that changes the row: the timeline of the server that it was written on. */
export const STAMP = `timeline = ${TIMELINE}`
/** Without the name of a standby a commit waits for none. */
export const HAS_STANDBY = "current_setting('synchronous_standby_names') <> '' as has_standby"
const READ = `select o.epoch, o.last_sequence, o.last_hash, o.node, o.url, o.beat,
    coalesce(a.beat, 0) as alive, coalesce(a.confirmed, 0) as confirmed, o.timeline as written_timeline, ${TIMELINE} as timeline
  from cauri.owner o left join cauri.alive a on a.partition = o.partition where o.partition = $1`
const MAKE = `insert into cauri.owner (partition, epoch, last_sequence, last_hash, node, url, beat)
  values ($1, 0, 0, $2, '', '', 0) on conflict (partition) do nothing`
const TAKE = `with taken as (
    update cauri.owner set epoch = epoch + 1, node = $4, url = $5, beat = beat + 1, ${STAMP}
    where partition = $1 and epoch = $2 and beat = $3 and not exists (select from cauri.closed where partition = $1)
    returning epoch, last_sequence, last_hash, node, url, beat, 0 as alive, last_sequence as confirmed,
      timeline as written_timeline, timeline, ${HAS_STANDBY}
  )
  select taken.*, pg_notify('cauri_log', $1 || ' taken') from taken`
const APPEND = `with fenced as (
    update cauri.owner set last_sequence = $4, last_hash = $5, beat = beat + 1, ${STAMP}
    where partition = $1 and epoch = $2 and last_sequence = $3 returning 1
  ), stored as (
    insert into cauri.log (partition, sequence, epoch, record_count, batch)
    select $1, $3 + 1, $2, $6, $7 from fenced returning 1
  )
  select ${HAS_STANDBY} from stored`
const RELEASE = `with released as (
    update cauri.owner set node = '', url = '', beat = beat + 1, ${STAMP} where partition = $1 and epoch = $2 returning 1
  )
  select pg_notify('cauri_log', $1 || ' released') from released`
const COMMIT = `update cauri.owner set beat = beat + 1, ${STAMP} where partition = $1 and epoch = $2 returning ${HAS_STANDBY}`

/** Returns the row. Creates it for an empty log. */
export async function readOwner(client: Client, partition: number, emptyHash: string): Promise<OwnerRow> {
  const { rows } = await client.query<StoredOwner>({ name: 'owner', text: READ, values: [partition] })
  if (rows[0] !== undefined) return ownerOf(rows[0])
  await client.query(MAKE, [partition, emptyHash])
  return readOwner(client, partition, emptyHash)
}

/** `alone`: done, but no standby is named, so the commit waited for none. `refused`: the row has changed, and nothing was done. */
export type CommitResult = 'waited' | 'alone' | 'refused'

/**
 * Raises the epoch of a row that is still as it was read. Returns null if it has changed. The statement may wait for an append of
 * the owner that waits for the standby; when that append commits, the owner is alive and the takeover must not happen.
 */
export async function takeOwnership(
  client: Client,
  partition: number,
  { epoch, beat }: Pick<OwnerRow, 'epoch' | 'beat'>,
  { node, url }: NodeName,
): Promise<{ readonly owner: OwnerRow; readonly isAlone: boolean } | null> {
  const { rows } = await client.query<StoredOwner & { has_standby: boolean }>(TAKE, [partition, epoch, beat, node, url])
  return rows[0] === undefined ? null : { owner: ownerOf(rows[0]), isAlone: !rows[0].has_standby }
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

/** Appends the batch. Stores nothing if the row has another epoch or last sequence. */
export async function appendOwned(client: Client, batch: OwnedBatch): Promise<CommitResult> {
  const { partition, epoch, expectedSequence, recordCount, bytes, hash } = batch
  const through = expectedSequence + recordCount - 1
  const values = [partition, epoch, expectedSequence - 1, through, hash, recordCount, asParameter(bytes)]
  const { rows } = await client.query<{ has_standby: boolean }>({ name: 'append', text: APPEND, values })
  return resultOf(rows[0])
}

/** Makes a further synchronous commit. Refused if the epoch is not current. */
export async function commitOwned(client: Client, partition: number, epoch: number): Promise<CommitResult> {
  const { rows } = await client.query<{ has_standby: boolean }>(COMMIT, [partition, epoch])
  return resultOf(rows[0])
}

function resultOf(row: { readonly has_standby: boolean } | undefined): CommitResult {
  if (row === undefined) return 'refused'
  return row.has_standby ? 'waited' : 'alone'
}

/** Releases the log, so that a follower takes it immediately. Returns false if the epoch is not current. */
export async function releaseOwnership(client: Client, partition: number, epoch: number): Promise<boolean> {
  const { rowCount } = await client.query(RELEASE, [partition, epoch])
  return rowCount === 1
}

/**
 * A row that was written before the last promotion is on two servers, with all before it: the former primary flushes what it sends,
 * and the promoted server has flushed what it shows. So it is confirmed without a standby.
 */
function ownerOf(row: StoredOwner): OwnerRow {
  const { timeline } = row
  const isReplicated = row.written_timeline > 0 && row.written_timeline < timeline
  return {
    timeline,
    epoch: Number(row.epoch),
    lastSequence: Number(row.last_sequence),
    lastHash: row.last_hash,
    node: row.node,
    url: row.url,
    beat: Number(row.beat),
    alive: Number(row.alive),
    confirmed: Number(isReplicated ? row.last_sequence : row.confirmed),
  }
}

/** Returns a Buffer, which `pg` sends as binary. It would send any other array as text. */
function asParameter(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
