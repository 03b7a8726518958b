// Cauri as a subject of the rows: the program of `npm start` with rate limits off and otherwise unchanged, on a data folder that the
// bench has filled.
import { processEntry } from '../../engine/kernel/script-entry.ts'
import { builtProgram } from '../../http/app/dist.ts'
import type { Subject } from '../measure.ts'
import { type ServerProcess, startServer } from '../process/server-process.ts'
import { TRACE_VARIABLE } from '../trace/trace-file.ts'

/** The bench and the tests start it from what they have built. */
export const PROGRAM = new URL('../../http/main.ts', import.meta.url)

/** The bench builds it beside the server. */
export const TRACER = 'bench/trace/tracer.ts'

/**
 * As in the Dockerfile and in `npm start`. With 16 MB a scavenge takes 1.5 to 2.7 ms instead of 5 to 10, but over 64 connections 3.1 % of
 * the time instead of 1.8 %, and the maximum falls by 5 to 9 % (busy machine). With V8's own growth and memory reducer a run of row 1
 * had 9 to 11 mark-sweeps, with these flags 2, both at the start.
 */
export const HEAP_FLAGS: readonly string[] = ['--max-semi-space-size=64', '--no-memory-reducer', '--heap-growing-percent=200']

/**
 * As in the Dockerfile and in `npm start`: glibc's malloc asks for huge pages (madvise), other C libraries ignore it. After 5 000 000
 * payouts with keys the filters of the index are 46 MB, and a new key touches one line in each: a payout had 0.90 (0.84 to 1.02) of the
 * cost with pages of 4 KiB, p99 13.2 instead of 20.3 ms; after 100 000 payouts 1.00 (0.90 to 1.05) of it, 12.1 and 12.8 ms. Ten rounds
 * side by side on an idle machine.
 */
export const MALLOC_VARIABLES: Readonly<Record<string, string>> = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' }

const PROFILE_THREADS = new URL('./profile-threads.js', import.meta.url).href

export interface CauriOptions {
  readonly dataDir: string
  readonly masterKey: Uint8Array
  readonly projectFolder: string
  /** Folder for its CPU profile; null: it runs without the profiler. */
  readonly profileFolder: string | null
  /** Starts V8's inspector, which `sweptMemory` needs. It costs little memory and no time. */
  readonly isInspected: boolean
  /** HTTP_THREADS. */
  readonly httpThreads: number
  /** File for the trace of the stall tracer; null: it runs without the tracer. */
  readonly traceFile: string | null
  /** RATE_LIMIT_LIVE; 0: no limit. */
  readonly rateLimit: number
  /** Further flags of V8. They override those of `npm start`. */
  readonly nodeFlags?: readonly string[]
}

/** Interval between two samples of the CPU profile under the tracer, in microseconds. */
const TRACED_SAMPLE_US = 250

/** Recovery figures from the server's log. */
export interface Recovery {
  readonly replayedRecords: number
  readonly durationMs: number
}

export interface CauriServer extends Subject {
  readonly pids: readonly [number]
  readonly recovery: Recovery
  /** Time from the start of the process to its `listening` line. */
  readonly startMs: number
  /** Stops the server. Rejects when its exit code is not 0. */
  stop(): Promise<void>
}

export async function startCauri(options: CauriOptions): Promise<CauriServer> {
  const { dataDir, masterKey, projectFolder, profileFolder, isInspected, httpThreads, traceFile, rateLimit, nodeFlags = [] } = options
  const profiler = profileFolder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`, '--import', PROFILE_THREADS]
  const tracer = traceFile === null ? [] : [`--cpu-prof-interval=${TRACED_SAMPLE_US}`, '--import', builtProgram(TRACER)]
  const server = await startServer({
    name: 'Cauri',
    args: [
      ...HEAP_FLAGS,
      ...nodeFlags,
      ...profiler,
      ...tracer,
      ...(isInspected ? ['--inspect=127.0.0.1:0'] : []),
      ...processEntry(PROGRAM),
    ],
    cwd: projectFolder,
    env: {
      ...MALLOC_VARIABLES,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      MASTER_KEY: Buffer.from(masterKey).toString('base64'),
      RATE_LIMIT_LIVE: String(rateLimit),
      RATE_LIMIT_TEST: '0',
      LOG_LEVEL: 'info',
      WAL: 'lmdb',
      HTTP_THREADS: String(httpThreads),
      ...(traceFile === null ? {} : { [TRACE_VARIABLE]: traceFile }),
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
  throw new Error(`Cauri listens, but its log has no recovery figures:\n${lastLines.join('\n')}`)
}
