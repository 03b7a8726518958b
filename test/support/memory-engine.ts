// A real engine in memory on the real event loop, with a clock that tests move: for what stands between HTTP and engine.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Engine } from '../../engine/actor/engine.ts'
import type { Outcome } from '../../engine/actor/envelope.ts'
import type { EngineApi } from '../../engine/api.ts'
import type { Command } from '../../engine/domain/command.ts'
import type { LogRecord } from '../../engine/domain/record.ts'
import { systemRandom } from '../../http/app/clock.ts'
import { loopScheduler } from '../../http/app/scheduler.ts'
import { withQueries } from './engine-with-queries.ts'
import { MemoryArchive } from './memory-archive.ts'
import { MemoryLog } from './memory-log.ts'

export class MemoryEngine {
  readonly engine: Engine & EngineApi
  readonly #clock: { nowMs: number }

  private constructor(engine: Engine & EngineApi, clock: { nowMs: number }) {
    this.engine = engine
    this.#clock = clock
  }

  static async open(onRecord: (record: LogRecord) => void = () => {}): Promise<MemoryEngine> {
    const clock = { nowMs: Date.now() }
    const onFatal = (error: Error): void => {
      throw error
    }
    const log = new MemoryLog()
    const engine = await Engine.open({
      log,
      localLog: log,
      archive: new MemoryArchive(),
      clock: { now: () => clock.nowMs },
      random: systemRandom,
      scheduler: loopScheduler,
      onFatal,
      onRecord,
    })
    return new MemoryEngine(withQueries(engine), clock)
  }

  advance(byMs: number): void {
    this.#clock.nowMs += byMs
  }

  do(command: Command, mailbox = 0): Promise<Outcome> {
    return new Promise((settle, reject) => {
      const refusal = this.engine.submit({ command, mailbox, idempotency: null }, { settle })
      if (refusal !== null) reject(new Error(refusal))
    })
  }

  close(): Promise<void> {
    return this.engine.close()
  }
}

/** A folder that the test removes. */
export function newFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'cauri-wallet-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
