// The load generator's process: takes one plan from its parent, runs it, sends the result back and ends.
import { LoadRun } from './load-run.ts'
import type { FromGenerator, ToGenerator } from './plan.ts'

process.once('message', async (message: ToGenerator) => {
  try {
    const result = await new LoadRun(message.plan).run((kind) => tell({ kind }))
    tell({ kind: 'result', result })
  } catch (error) {
    tell({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
  }
  process.disconnect()
})

function tell(message: FromGenerator): void {
  process.send?.(message)
}
