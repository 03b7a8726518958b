// The engine on a data folder without a server, for commands at full speed. It needs exclusive access to the folder, and it closes the
// folder like a clean stop.

import { Engine } from '../../engine/actor/engine.ts'
import type { Envelope, Outcome, Reply } from '../../engine/actor/envelope.ts'
import { isSuccess } from '../../engine/contract/outcome-kind.ts'
import { systemClock, systemRandom } from '../../http/app/clock.ts'
import { loopScheduler } from '../../http/app/scheduler.ts'
import { type OpenDataFolder, openDataFolder } from '../../wal/folder/open-folder.ts'
import { FrozenSnapshot } from './frozen-snapshot.ts'

/** Half of a mailbox: enough for full log batches, and never rejected. */
const UNDER_WAY_MAX = 2048

export interface OfflineOptions {
  readonly dataDir: string
  /** `frozen`: the snapshot is not updated, so the next start replays all records written from now on. */
  readonly snapshot: 'fresh' | 'frozen'
}

export class OfflineEngine {
  readonly engine: Engine
  readonly #folder: OpenDataFolder

  private constructor(engine: Engine, folder: OpenDataFolder) {
    this.engine = engine
    this.#folder = folder
  }

  /** Opens the folder, runs `use` and closes the folder, also after an error. */
  static async using<Result>(options: OfflineOptions, use: (offline: OfflineEngine) => Promise<Result>): Promise<Result> {
    const offline = await OfflineEngine.#open(options)
    try {
      return await use(offline)
    } finally {
      await offline.#close()
    }
  }

  static async #open({ dataDir, snapshot }: OfflineOptions): Promise<OfflineEngine> {
    const folder = await openDataFolder({ dataDir, onWarning: stop })
    const { log } = folder
    const archive = snapshot === 'frozen' ? new FrozenSnapshot(folder.archive) : folder.archive
    const ports = { log, localLog: log, archive, clock: systemClock, random: systemRandom, scheduler: loopScheduler, onFatal: stop }
    return new OfflineEngine(await Engine.open(ports), folder)
  }

  /** Runs all commands, many at a time. Outcomes arrive in order. Rejects at the first rejection or unwanted outcome. */
  runAll(
    envelopes: Iterable<Envelope>,
    isWanted: (outcome: Outcome) => boolean = () => true,
    underWayMax: number = UNDER_WAY_MAX,
  ): Promise<void> {
    const source = envelopes[Symbol.iterator]()
    return new Promise((resolve, reject) => {
      let underWay = 0
      const fill = (): void => {
        while (underWay < underWayMax) {
          const next = source.next()
          if (next.done === true) {
            if (underWay === 0) resolve()
            return
          }
          underWay++
          const refusal = this.engine.submit(next.value, reply)
          if (refusal !== null) return reject(new Error(`the engine rejected ${next.value.command.type}: ${refusal}`))
        }
      }
      const reply: Reply = {
        settle: (outcome) => {
          underWay--
          if (!isSuccess(outcome.kind) || !isWanted(outcome)) {
            return reject(new Error(`unexpected outcome ${outcome.kind}: ${outcome.body}`))
          }
          fill()
        },
      }
      fill()
    })
  }

  async #close(): Promise<void> {
    await this.engine.close()
    await this.#folder.close()
  }
}

/** Throws: the bench's folder must not cause warnings, and a failed engine must not continue. */
function stop(reason: Error | string): never {
  throw reason instanceof Error ? reason : new Error(reason)
}
