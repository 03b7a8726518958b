// Moves of the state machines that the models have seen: how often each was made, and which ones one record made.

export class Moves {
  /** Each move of the tables, those that were never made among them. */
  readonly counts = new Map<string, number>()
  #ofRecord: string[] = []

  declare(move: string): void {
    this.counts.set(move, this.counts.get(move) ?? 0)
  }

  made(move: string): void {
    this.counts.set(move, (this.counts.get(move) ?? 0) + 1)
    this.#ofRecord.push(move)
  }

  /** Returns the moves since the last call. Called once for each record. */
  take(): readonly string[] {
    const taken = this.#ofRecord
    this.#ofRecord = []
    return taken
  }
}
