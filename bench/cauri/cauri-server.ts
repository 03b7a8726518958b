// Cauri itself as a subject of the rows: the program that `npm start` runs, with its rate limits off and nothing else
// changed, on a data folder that the bench has filled.
import { builtProgram } from '../../http/app/dist.ts'
import type { Subject } from '../measure.ts'
import { type ServerProcess, startServer } from '../process/server-process.ts'

export interface CauriOptions {
  readonly dataDir: string
  readonly masterKey: Uint8Array
  readonly projectFolder: string
  /** Where it leaves a CPU profile when it ends; null: it runs without the profiler. */
  readonly profileFolder: string | null
  /** Lets `sweepHeap` in; it costs a little memory and no time. */
  readonly isInspected: boolean
}

/** What the server says of its recovery. */
export interface Recovery {
  readonly replayedRecords: number
  readonly durationMs: number
}

export interface CauriServer extends Subject {
  readonly recovery: Recovery
  /** From the start of the process to its `listening` line. */
  readonly startMs: number
  /** Rejects when it does not end as it should. */
  stop(): Promise<void>
}

export async function startCauri({ dataDir, masterKey, projectFolder, profileFolder, isInspected }: CauriOptions): Promise<CauriServer> {
  const profiler = profileFolder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`]
  const server = await startServer({
    name: 'Cauri',
    args: [...profiler, ...(isInspected ? ['--inspect=127.0.0.1:0'] : []), builtProgram('http/main.ts')],
    cwd: projectFolder,
    env: {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      MASTER_KEY: Buffer.from(masterKey).toString('base64'),
      RATE_LIMIT_LIVE: '0',
      RATE_LIMIT_TEST: '0',
      LOG_LEVEL: 'info',
      WAL: 'lmdb',
    },
  })
  const stop = async (): Promise<void> => {
    const code = await server.stop()
    if (code !== 0) throw new Error(`Cauri ended with ${code ?? 'a signal'}:\n${server.lastLines.join('\n')}`)
  }
  const { pid, port, lastLines, startMs } = server
  return { name: 'Cauri', port, pids: [pid], lastLines, startMs, recovery: recoveryOf(server), stop }
}

function recoveryOf({ lastLines }: ServerProcess): Recovery {
  for (const line of lastLines) {
    if (!line.includes('"recovered"')) continue
    const { replayed_records, duration_ms } = JSON.parse(line) as { replayed_records: number; duration_ms: number }
    return { replayedRecords: replayed_records, durationMs: duration_ms }
  }
  throw new Error(`Cauri listens without having said what it recovered:\n${lastLines.join('\n')}`)
}
