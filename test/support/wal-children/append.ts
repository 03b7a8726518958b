// Appends batches to the log in argv[2] until it is killed, or the log refuses; says each step on standard output, at once.
import { writeSync } from 'node:fs'
import { hashBatch } from '../../../engine/actor/record-codec.ts'
import { LmdbLog } from '../../../wal/log/lmdb-log.ts'
import type { LogError } from '../../../wal/log/log-error.ts'
import { append, BatchSource } from '../log-batches.ts'

const log = await LmdbLog.open({ path: process.argv[2] as string })
const last = log.batchAt(log.durableSequence)
const source = last === null ? new BatchSource() : BatchSource.after(log.durableSequence, hashBatch(last.bytes))
let calls = 0
for (let turn = 0; ; turn++) {
  const batch = source.next(1 + (turn % 5), (turn * 977) % 20_000)
  const error = await append(log, batch)
  calls++
  if (error !== null) {
    const again = await append(log, batch)
    await log.close()
    writeSync(
      1,
      `${JSON.stringify({ code: (error as LogError).code, again: (again as LogError | null)?.code, calls, durable: log.durableSequence })}\n`,
    )
    process.exit(3)
  }
  writeSync(1, `${log.durableSequence}\n`)
}
