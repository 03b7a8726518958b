// Listener process: executes requests of its parent one by one, and ends with it.
import { ListenerRun } from './listener-run.ts'
import type { FromListener, ToListener } from './plan.ts'

const run = new ListenerRun((reason) => send({ kind: 'failed', reason }))

process.on('message', async (message: ToListener) => {
  try {
    if (message.kind === 'window-closes') return send({ kind: 'received', received: run.windowCloses() })
    if (message.kind === 'call') await run.call(message.plan)
    else if (message.kind === 'open') await run.open(message.plan)
    else run.windowOpens()
    send({ kind: 'done' })
  } catch (error) {
    send({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
  }
})

process.once('disconnect', () => run.close())

function send(message: FromListener): void {
  process.send?.(message)
}
