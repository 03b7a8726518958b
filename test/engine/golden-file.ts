// Golden files: the log of a release as it stands on disk, with the state that it must lead to for ever. A file that was
// released is never written again; the next event or version gets one of its own.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredBatch } from '../../engine/actor/ports.ts'
import { decodeBatch, FORMAT_VERSION, GENESIS_HASH, hashBatch, readHeader } from '../../engine/actor/record-codec.ts'
import { replayRecord } from '../../engine/actor/turn.ts'
import { newState } from '../../engine/domain/new-state.ts'
import type { LogRecord } from '../../engine/domain/record.ts'
import { REGISTRY } from '../../engine/domain/registry.ts'
import type { State } from '../../engine/domain/state.ts'
import { type EngineFixture, stateRows } from '../support/engine-fixture.ts'

export const GOLDEN_FOLDER = join(import.meta.dirname, 'golden')

export interface GoldenFile {
  readonly format: number
  /** Types and versions in it. */
  readonly events: readonly string[]
  /** Base64, from the first of the log on. */
  readonly batches: readonly string[]
  /** Of the state after all of them, as a snapshot holds it. */
  readonly rows: Readonly<Record<string, unknown>>
}

export function goldenNames(folder = GOLDEN_FOLDER): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.json'))
}

export function readGolden(name: string, folder = GOLDEN_FOLDER): GoldenFile {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as GoldenFile
}

/** Refuses to replace a file: what was released stays as it is. */
export async function writeGolden(fixture: EngineFixture, name: string, folder: string): Promise<void> {
  const batches: StoredBatch[] = []
  for await (const batch of fixture.log.read(1)) batches.push(batch)
  const events = new Set(fixture.records.flatMap((record) => record.events.map(({ type, version }) => `${type}@${version}`)))
  const file: GoldenFile = {
    format: FORMAT_VERSION,
    events: [...events].sort(),
    batches: batches.map(({ bytes }) => Buffer.from(bytes).toString('base64')),
    rows: parsedRows(fixture.state),
  }
  writeFileSync(join(folder, name), goldenText(file), { flag: 'wx' })
}

/** JSON with one line for each event, batch and row: a table of a thousand numbers takes one. */
function goldenText({ format, events, batches, rows }: GoldenFile): string {
  const rowLines = Object.entries(rows).map(([key, row]) => `${JSON.stringify(key)}: ${JSON.stringify(row)}`)
  const listText = (values: readonly string[]): string => `[\n${values.map((value) => JSON.stringify(value)).join(',\n')}\n]`
  return `{\n"format": ${format},\n"events": ${listText(events)},\n"batches": ${listText(batches)},\n"rows": {\n${rowLines.join(',\n')}\n}\n}\n`
}

/** Every record, after the checks that recovery makes. */
export function goldenRecords({ batches }: GoldenFile, registry = REGISTRY): LogRecord[] {
  const records: LogRecord[] = []
  let hash: string = GENESIS_HASH
  for (const text of batches) {
    const bytes = Buffer.from(text, 'base64')
    const header = readHeader(bytes)
    assert.deepEqual([header.firstSequence, header.previousHash], [records.length + 1, hash])
    hash = hashBatch(bytes)
    records.push(...decodeBatch(bytes, registry))
  }
  return records
}

export function evolvedRows(records: readonly LogRecord[], registry = REGISTRY): Readonly<Record<string, unknown>> {
  const state = newState(registry)
  for (const record of records) replayRecord(state, record, registry)
  return parsedRows(state)
}

function parsedRows(state: State): Record<string, unknown> {
  return Object.fromEntries(Array.from(stateRows(state), ([key, value]) => [key, JSON.parse(value) as unknown]))
}
