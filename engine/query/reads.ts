// What a query may read: live state, history, the engine's time and its figures. A query changes nothing; the
// architecture test checks `reads.state`.
import type { Engine } from '../actor/engine.ts'
import type { History } from '../actor/history.ts'

/** Reads the log and its index, including records of the gathering batch. */
export type HistoryReads = Pick<
  History,
  'page' | 'first' | 'byId' | 'newest' | 'latest' | 'eventAt' | 'hitAt' | 'record' | 'result' | 'tailEntries'
>

type EngineReads = Pick<
  Engine,
  | 'state'
  | 'figures'
  | 'lastSequence'
  | 'durableSequence'
  | 'waitingCommands'
  | 'waitingUse'
  | 'waitingAnswers'
  | 'hasDueTimers'
  | 'nowMs'
  | 'known'
>

export interface Reads extends EngineReads {
  readonly history: HistoryReads
}
