// The control: an attacker that does nothing. What honest traffic loses here is the harness's own noise.
import { once } from 'node:events'
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
