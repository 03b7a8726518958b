// Process of the load generator: receives one plan from its parent, runs it, sends the result back and ends.
import { LoadRun } from './load-run.ts'
import type { FromGenerator, ToGenerator } from './plan.ts'

process.once('message', async (message: ToGenerator) => {
  try {
    const result = await new LoadRun(message.plan).run((kind) => send({ kind }))
    send({ kind: 'result', result })
  } catch (error) {
    send({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
  }
  process.disconnect()
})

function send(message: FromGenerator): void {
  process.send?.(message)
}
