// A state that has seen each durable record of a simulated log once, and no snapshot.
import { replayRecord } from '../../../engine/actor/turn.ts'
import { newState } from '../../../engine/domain/new-state.ts'
import type { LogRecord } from '../../../engine/domain/record.ts'
import type { State } from '../../../engine/domain/state.ts'
import { assertSameRows } from '../../support/walked-rows.ts'

export class ReplayedState {
  readonly #state = newState()
  readonly #records: readonly LogRecord[]
  #count = 0

  /** `records` grows with the log. */
  constructor(records: readonly LogRecord[]) {
    this.#records = records
  }

  compare(state: State, what: string): void {
    for (; this.#count < this.#records.length; this.#count++) replayRecord(this.#state, this.#records[this.#count] as LogRecord)
    assertSameRows(state, this.#state, what)
  }
}
