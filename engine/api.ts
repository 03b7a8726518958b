// The door to the engine: commands in, outcomes, queries and durable records out, all plain data. With engine/contract
// and engine/kernel it is all that http/ may import of the engine.
import type { Engine } from './actor/engine.ts'
import type { Envelope, Reply } from './actor/envelope.ts'
import type { ErrorCode } from './contract/errors.ts'
import type { LogRecord } from './domain/record.ts'
import { QUERIES, type QueryAnswer, type QueryInput, type QueryName } from './query/queries.ts'
import type { Reads } from './query/reads.ts'

export type { Envelope, IdempotencyKey, Outcome, Reply } from './actor/envelope.ts'
export type { ListPage } from './query/list-page.ts'
export type { QueryAnswer, QueryInput, QueryName } from './query/queries.ts'

export interface EngineApi {
  /** Queues the command; `reply` gets its outcome once that is durable. A code back: rejected at once, nothing queued. */
  submit(envelope: Envelope, reply: Reply): ErrorCode | null
  /** Reads, synchronously. The answer may show what is not durable yet: it leaves by `whenDurable`. Do not change it. */
  query<Name extends QueryName>(name: Name, input: QueryInput<Name>): QueryAnswer<Name>
  /** Runs when everything that a query may have seen by now is durable. */
  whenDurable(run: () => void): void
  /** Calls with each durable record, in order, before the answers of its batch leave. Returns a function that ends it. */
  subscribe(onRecord: (record: LogRecord) => void): () => void
}

export function engineApi(engine: Engine): EngineApi {
  return {
    submit: (envelope, reply) => engine.submit(envelope, reply),
    query: (name, input) => answerOf(engine, name, input),
    whenDurable: (run) => engine.whenDurable(run),
    subscribe: (onRecord) => engine.subscribe(onRecord),
  }
}

/** Until all of http/ asks queries: the engine itself, with the query method beside what it has. */
export function withQueries(engine: Engine): Engine & EngineApi {
  const query: EngineApi['query'] = (name, input) => answerOf(engine, name, input)
  return Object.assign(engine, { query })
}

const TABLE: { readonly [Name in QueryName]: (reads: Reads, input: QueryInput<Name>) => QueryAnswer<Name> } = QUERIES

function answerOf<Name extends QueryName>(reads: Reads, name: Name, input: QueryInput<Name>): QueryAnswer<Name> {
  return TABLE[name](reads, input)
}
