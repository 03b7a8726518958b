// A process that runs merchants' code and prints what came of it. At the lowest priority of a busy machine the sandbox may need longer
// than a run may wait: it is run again, until the sandbox gives up.
import { openSandbox } from '../../../sandbox-pool/sandbox.ts'

const sandbox = openSandbox({ threads: 1, fetchBroker: () => Promise.resolve({ error: '' }), onEvent: () => {} })
const source = 'function lookup() { return 42 }'
const run = () => sandbox.run({ merchantId: 'm', purpose: 'live', entry: 'lookup', source, argument: '{}', timeoutMs: 10_000 })
let outcome = await run()
while (!outcome.ok && !outcome.started && outcome.fault === 'timeout') outcome = await run()
console.log(outcome.ok ? outcome.value : outcome)
await sandbox.close()
