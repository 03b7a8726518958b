// Entry of a worker thread of the pool: runs the script in its data. Plain JavaScript, so that no loader is needed.
import { workerData } from 'node:worker_threads'

export const { serve } = await import(`data:text/javascript;base64,${Buffer.from(workerData.script).toString('base64')}`)
