// Entry of an HTTP thread: see thread-server.ts. It ends in order, because the end of a thread with open sockets ends the
// process.
import { getHeapStatistics } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '../../../engine/kernel/assert.ts'
import { HEAP_CHECK_MS } from './thread-limits.ts'
import { ThreadServer, type ThreadStart } from './thread-server.ts'

/** From the thread to the engine's thread, besides the ring. `WAKE`: the ring has frames. */
export type ThreadNotice = typeof WAKE | { readonly listening: boolean } | { readonly failure: string }
/** To the thread, besides the ring. `THROW` is for tests of a thread that fails. */
export type ThreadOrder = typeof WAKE | typeof CLOSE | typeof THROW

export const WAKE = 0
export const CLOSE = 1
export const THROW = 2

const port = parentPort
if (port !== null) run(port)

function run(toEngine: NonNullable<typeof parentPort>): void {
  const tell = (notice: ThreadNotice): void => toEngine.postMessage(notice)
  const start = workerData as ThreadStart
  const server = new ThreadServer(
    start,
    () => tell(WAKE),
    () => process.exit(0),
  )
  const end = (error: unknown): void => {
    tell({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    server.close()
  }
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
  toEngine.on('message', (order: ThreadOrder) => {
    if (order === WAKE) server.wake()
    else if (order === CLOSE) server.close()
    else assert(false, 'a test asked for the end of the thread')
  })
  // A heap that reaches its limit would end the process.
  const checkHeap = (): void => {
    const { used_heap_size: usedBytes } = getHeapStatistics()
    if (usedBytes > start.heapBytesMax) end(new Error(`the heap of an HTTP thread reached ${usedBytes} bytes`))
  }
  setInterval(checkHeap, HEAP_CHECK_MS).unref()
  server.wake()
  server.listen().then((listening) => tell({ listening }), end)
}
