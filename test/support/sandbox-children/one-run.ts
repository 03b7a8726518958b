// A process that runs merchants' code and prints what came of it. At the lowest priority of a busy machine the sandbox may need longer
// than a run may wait: it is run again.
import { openSandbox } from '../../../sandbox-pool/sandbox.ts'

const sandbox = openSandbox({ threads: 1, fetchBroker: () => Promise.resolve({ error: '' }), onEvent: () => {} })
const source = 'function lookup() { return 42 }'
const run = () => sandbox.run({ merchantId: 'm', purpose: 'live', entry: 'lookup', source, argument: '{}', timeoutMs: 10_000 })
let outcome = await run()
for (let again = 0; again < 10 && !outcome.ok && !outcome.started; again++) outcome = await run()
console.log(outcome.ok ? outcome.value : outcome)
await sandbox.close()
