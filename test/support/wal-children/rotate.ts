// Rotates the master key of the data folder in argv[2], which keeps its key itself, and kills itself after the step in argv[3].
import { rotateMasterKey } from '../../../http/app/rotate-master-key.ts'

const [, , path = '', last] = process.argv
await rotateMasterKey({
  ...{ place: { kind: 'folder', path }, from: null, to: null, allowsUnsafe: false, onWarning: () => {} },
  onStep: (step) => {
    if (step === last) process.kill(process.pid, 'SIGKILL')
  },
})
