// One simulated PostgreSQL server: sessions, row locks, a write-ahead log of commits, and a synchronous standby that confirms them.
//
// As in PostgreSQL: a synchronous commit is in the log before it is visible; while it waits for the standby it holds its row lock. A
// cancelled wait, and a restart of the primary, make it visible on the primary alone. A statement runs to its end when its client is
// gone. Commits without waiting are flushed later, and a crash may lose them.
import type { Prng } from '../../../support/prng.ts'
import type { SimMachine } from './sim-machine.ts'
import { putWrites, type Row, type Statement, statementOf, type Tables, type Write } from './sim-statements.ts'

export type Answer = { readonly rows: readonly Row[]; readonly rowCount: number; readonly isWarned: boolean } | Error

/** One connection, as its server sees it. */
export interface Session {
  readonly lockTimeoutMs: number
  /** `synchronous_commit`: waits for the standby, for the disk, for nothing. */
  readonly commits: 'on' | 'local' | 'off'
  readonly isListening: boolean
  onNotification: (payload: string) => void
  /** The server ended the connection. */
  onBroken: () => void
}

interface Commit {
  readonly writes: readonly Write[]
}

interface WaitingCommit {
  /** Length of the log that the standby must have. */
  readonly lsn: number
  finish(isWarned: boolean): void
}

interface Lock {
  readonly waiters: (() => void)[]
}

const FLUSH_MS = 400
const REPLICATION_MS = 3

export class SimServer {
  readonly name: string
  readonly #machine: SimMachine
  readonly #prng: Prng
  readonly #sessions = new Set<Session>()
  readonly #wal: Commit[] = []
  #flushed = 0
  #confirmed = 0
  /** What sessions see. */
  #tables: Tables = new Map()
  #waiting: WaitingCommit[] = []
  readonly #locks = new Map<string, Lock>()
  /** Raised by each stop: what was under way before has no effect. */
  #life = 0
  isUp = true
  isPrimary: boolean
  timeline = 1
  #standby: SimServer | null = null
  #isSending = false
  #isStreaming = true

  constructor(name: string, isPrimary: boolean, machine: SimMachine, prng: Prng) {
    this.name = name
    this.isPrimary = isPrimary
    this.#machine = machine
    this.#prng = prng
  }

  get tables(): Tables {
    return this.#tables
  }

  get waitingCommits(): number {
    return this.#waiting.length
  }

  /** Number of starts and stops: a connection does not outlive its server's process. */
  get life(): number {
    return this.#life
  }

  open(session: Session): void {
    this.#sessions.add(session)
  }

  close(session: Session): void {
    this.#sessions.delete(session)
  }

  /** Runs a statement. `answer` is called once, or never when the server stops first. */
  execute(session: Session, text: string, values: readonly unknown[], answer: (answer: Answer) => void): void {
    const statement = statementOf(text, values)
    const { lock } = statement
    if (lock === null) return this.#run(session, statement, answer)
    const held = this.#locks.get(lock)
    if (held === undefined) {
      this.#locks.set(lock, { waiters: [] })
      this.#run(session, statement, answer)
      return
    }
    const run = (): void => {
      cancel()
      this.#run(session, statement, answer)
    }
    const life = this.#life
    const cancel = this.#machine.after(session.lockTimeoutMs, null, `${this.name} lock timeout`, () => {
      if (life !== this.#life) return
      held.waiters.splice(held.waiters.indexOf(run), 1)
      answer(new Error('canceling statement due to lock timeout'))
    })
    held.waiters.push(run)
  }

  #run(session: Session, { lock, run }: Statement, answer: (answer: Answer) => void): void {
    const { rows, writes, notification } = run(this.#tables, this.timeline)
    const finish = (isWarned: boolean): void => {
      putWrites(this.#tables, writes)
      if (lock !== null) this.#unlock(lock)
      answer({ rows, rowCount: Math.max(rows.length, writes.length > 0 ? 1 : 0), isWarned })
      if (notification !== null) for (const listener of this.#sessions) if (listener.isListening) listener.onNotification(notification)
    }
    if (writes.length === 0) return finish(false)
    const lsn = this.#wal.push({ writes })
    if (session.commits === 'off') {
      this.#flushLater(lsn)
      return finish(false)
    }
    this.#flushed = lsn
    if (session.commits === 'local') {
      finish(false)
      return this.#replicate()
    }
    this.#waiting.push({ lsn, finish })
    this.#replicate()
  }

  #unlock(lock: string): void {
    const next = this.#locks.get(lock)?.waiters.shift()
    if (next === undefined) this.#locks.delete(lock)
    else next()
  }

  #flushLater(lsn: number): void {
    const life = this.#life
    this.#machine.after(this.#prng.below(FLUSH_MS), null, `${this.name} flush`, () => {
      if (life !== this.#life) return
      this.#flushed = Math.max(this.#flushed, lsn)
      this.#replicate()
    })
  }

  /** Sends what is flushed to the standby, one message at a time. The standby's answer ends the waits. */
  #replicate(): void {
    const standby = this.#standby
    if (standby === null || !standby.isUp || !this.#isStreaming || this.#isSending || this.#confirmed >= this.#flushed) return
    this.#isSending = true
    const [life, standbyLife] = [this.#life, standby.#life]
    const isSame = (): boolean => life === this.#life && standbyLife === standby.#life && this.#standby === standby && this.#isStreaming
    const delayMs = (): number => this.#prng.below(REPLICATION_MS)
    this.#machine.after(delayMs(), null, `${this.name} replicates`, () => {
      if (!isSame()) return this.#endSending(life)
      const through = this.#flushed
      standby.#receive(this.#wal.slice(standby.#wal.length, through))
      this.#machine.after(delayMs(), null, `${standby.name} confirms`, () => {
        this.#endSending(life)
        if (!isSame()) return
        this.#confirmed = Math.max(this.#confirmed, through)
        this.#finishConfirmed()
        this.#replicate()
      })
    })
  }

  #endSending(life: number): void {
    if (life === this.#life) this.#isSending = false
  }

  #receive(commits: readonly Commit[]): void {
    for (const commit of commits) {
      this.#wal.push(commit)
      putWrites(this.#tables, commit.writes)
    }
    this.#flushed = this.#wal.length
  }

  #finishConfirmed(): void {
    const done = this.#waiting.filter(({ lsn }) => lsn <= this.#confirmed)
    this.#waiting = this.#waiting.filter(({ lsn }) => lsn > this.#confirmed)
    for (const { finish } of done) finish(false)
  }

  /** The standby stops to receive, or goes on. Then synchronous commits wait. */
  setStreaming(isStreaming: boolean): void {
    this.#isStreaming = isStreaming
    this.#isSending = false
    this.#replicate()
  }

  /** `pg_cancel_backend` of each waiting commit: it is visible here with a warning, the standby may not have it. */
  cancelWaits(): void {
    for (const { finish } of this.#waiting.splice(0)) finish(true)
  }

  /** Kills the server. A commit that was not flushed is lost. */
  stop(): void {
    this.#life++
    this.isUp = false
    this.#isSending = false
    this.#waiting = []
    this.#locks.clear()
    for (const session of [...this.#sessions]) session.onBroken()
    this.#sessions.clear()
    this.#wal.length = this.#flushed
    this.#confirmed = Math.min(this.#confirmed, this.#flushed)
    this.#tables = new Map()
    for (const { writes } of this.#wal) putWrites(this.#tables, writes)
  }

  start(): void {
    this.isUp = true
    this.#replicate()
  }

  /** Makes the standby the primary. It has what it received, and no standby until `follow`. */
  promote(): void {
    this.isPrimary = true
    this.timeline++
    this.#confirmed = 0
    this.#standby = null
  }

  /** A stopped server comes back as the standby of the other, rewound to its log. */
  static join(primary: SimServer, standby: SimServer): void {
    standby.#life++
    standby.isPrimary = false
    standby.timeline = primary.timeline
    standby.isUp = true
    standby.#standby = null
    standby.#wal.length = 0
    standby.#tables = new Map()
    standby.#receive(primary.#wal.slice(0, primary.#flushed))
    primary.#standby = standby
    primary.#isStreaming = true
    primary.#isSending = false
    primary.#confirmed = standby.#wal.length
    primary.#finishConfirmed()
    primary.#replicate()
  }
}
