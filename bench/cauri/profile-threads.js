// Preloaded by a server under the profiler: its worker threads, which get no arguments of the process, write profiles too. A profile is
// named after its thread.
import { syncBuiltinESMExports } from 'node:module'
import threads from 'node:worker_threads'

const { Worker } = threads
const folder = process.execArgv.find((argument) => argument.startsWith('--cpu-prof-dir='))

threads.Worker = class extends Worker {
  constructor(source, { name, execArgv = [], ...options } = {}) {
    const profiler = ['--cpu-prof', folder, `--cpu-prof-name=${process.pid}.${name}.cpuprofile`]
    super(source, { ...options, name, execArgv: name === undefined ? execArgv : [...execArgv, ...profiler] })
  }
}
syncBuiltinESMExports()
