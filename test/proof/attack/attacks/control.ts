// The controls: attackers that send nothing. What honest traffic loses here is the harness's own noise, and what any work costs that
// the machine does beside the server.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Attack } from '../attack.ts'

export const CONTROL: Attack = {
  name: 'control',
  title: 'Nothing is attacked: shows the noise of the measurement itself.',
  prepare: () =>
    Promise.resolve(async (signal) => {
      if (!signal.aborted) await once(signal, 'abort')
      return {}
    }),
}

/** A thread that computes without end, at the attacker's priority. */
const SPIN = 'for (;;);'

/** An attacker's own program uses the machine too. No server could prevent what honest traffic loses here. */
export const BUSY_MACHINE: Attack = {
  name: 'busy-machine',
  title: 'Sends nothing, and uses a core of the same machine at the priority of an attacker.',
  prepare: () =>
    Promise.resolve(async (signal) => {
      const spinner = new Worker(SPIN, { eval: true })
      if (!signal.aborted) await once(signal, 'abort')
      await spinner.terminate()
      return {}
    }),
}
