// The shape of a noun's table of events: which function applies which type and version.
import type { LogRecord, StoredEvent } from './record.ts'
import type { State } from './state.ts'

/** Changes the state as the event says. Must not decide, fail or look at anything but its arguments. */
export type Evolve = (state: State, payload: never, event: StoredEvent, record: LogRecord) => void

/** Null: the event changes no state beyond the postings of its record; its payload is not even parsed. */
export type EventTable = Readonly<Record<string, Evolve | null>>
