// Appends flushes of one to three batches to the log in argv[2] until it is killed, or the log refuses; says each step on standard output, at once.
import { writeSync } from 'node:fs'
import type { BatchesToAppend } from '../../../engine/actor/ports.ts'
import { hashBatch } from '../../../engine/actor/record-codec.ts'
import { LmdbLog } from '../../../wal/log/lmdb-log.ts'
import type { LogError } from '../../../wal/log/log-error.ts'
import { appendAll, BatchSource } from '../log-batches.ts'

const log = await LmdbLog.open({ path: process.argv[2] as string })
const last = log.batchAt(log.durableSequence)
const source = last === null ? new BatchSource() : BatchSource.after(log.durableSequence, hashBatch(last.bytes))
let calls = 0
for (let turn = 0; ; turn++) {
  const first = source.next(1 + (turn % 5), (turn * 977) % 20_000)
  const others = Array.from({ length: turn % 3 }, (_, index) => source.next(1 + index, (turn * 331) % 9000))
  const flush: BatchesToAppend = [first, ...others]
  writeSync(1, `begun ${source.lastSequence}\n`)
  const error = await appendAll(log, flush)
  calls++
  if (error !== null) {
    const again = await appendAll(log, flush)
    await log.close()
    writeSync(
      1,
      `${JSON.stringify({ code: (error as LogError).code, again: (again as LogError | null)?.code, calls, durable: log.durableSequence })}\n`,
    )
    process.exit(3)
  }
  writeSync(1, `${log.durableSequence}\n`)
}
