// Loaded before a server: everything that passes engine/api.ts, in both directions, is a structured clone. A server that
// works like this could have its HTTP side in another thread.
import { Engine } from '../../engine/actor/engine.ts'
import type { LogRecord, StoredEvent } from '../../engine/domain/record.ts'
import { QUERIES } from '../../engine/query/queries.ts'
import type { Reads } from '../../engine/query/reads.ts'
import { plainOutcome } from './plain-outcome.ts'

/** The line that a server with this module prints first. */
const CLONING = 'engine messages are cloned'

const queries = QUERIES as Record<string, (reads: Reads, input: unknown) => unknown>
for (const [name, query] of Object.entries(queries)) {
  queries[name] = (reads, input) => structuredClone(query(reads, structuredClone(input)))
}

const { submit, subscribe } = Engine.prototype

Engine.prototype.submit = function (envelope, reply) {
  return submit.call(this, structuredClone(envelope), { settle: (outcome) => reply.settle(structuredClone(plainOutcome(outcome))) })
}

Engine.prototype.subscribe = function (onRecord) {
  return subscribe.call(this, (record) => onRecord(structuredClone(plainRecord(record))))
}

/** Events of a batch are objects that make their text when it is read: a clone needs the text itself. */
function plainRecord(record: LogRecord): LogRecord {
  return { ...record, events: record.events.map(plainEvent) }
}

function plainEvent({ type, version, account, text }: StoredEvent): StoredEvent {
  return { type, version, account, text, payload: null }
}

process.stdout.write(`${CLONING}\n`)
