// The listener's process: does what its parent asks, one thing after the other, and ends with it.
import { ListenerRun } from './listener-run.ts'
import type { FromListener, ToListener } from './plan.ts'

const run = new ListenerRun((reason) => tell({ kind: 'failed', reason }))

process.on('message', async (message: ToListener) => {
  try {
    if (message.kind === 'window-closes') return tell({ kind: 'heard', heard: run.windowCloses() })
    if (message.kind === 'call') await run.call(message.plan)
    else if (message.kind === 'open') await run.open(message.plan)
    else run.windowOpens()
    tell({ kind: 'done' })
  } catch (error) {
    tell({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
  }
})

process.once('disconnect', () => run.close())

function tell(message: FromListener): void {
  process.send?.(message)
}
