// Types of `EngineApi.query`, computed from the table of queries.
import type { IsPlain } from './plain-data.ts'
import type { QUERIES } from './queries.ts'
import type { Reads } from './reads.ts'

type Queries = typeof QUERIES

/** Input of a query; null when it takes none. */
type InputOf<Name extends keyof Queries> = Parameters<Queries[Name]> extends [Reads, infer Input] ? Input : null

type NotPlain = {
  [Name in keyof Queries]: [IsPlain<InputOf<Name>>, IsPlain<ReturnType<Queries[Name]>>] extends [true, true] ? never : Name
}[keyof Queries]

type None<Names extends never> = Names

/** Compiles only while all queries take and return plain data. The type error names the query. */
export type QueryName = Exclude<keyof Queries, None<NotPlain>>

export type QueryInput<Name extends QueryName> = InputOf<Name>

export type QueryAnswer<Name extends QueryName> = ReturnType<Queries[Name]>
