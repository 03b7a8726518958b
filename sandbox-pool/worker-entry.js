// What the pool loads in a worker thread: runs the script that it is handed. Plain JavaScript, so that no loader is needed.
import { workerData } from 'node:worker_threads'

export const { serve } = await import(`data:text/javascript;base64,${Buffer.from(workerData.script).toString('base64')}`)
