// A process that runs merchants' code once and prints what came of it.
import { openSandbox } from '../../../sandbox-pool/sandbox.ts'

const sandbox = openSandbox({ threads: 1, fetchBroker: () => Promise.resolve({ error: '' }), onEvent: () => {} })
const source = 'function lookup() { return 42 }'
const outcome = await sandbox.run({ merchantId: 'm', purpose: 'live', entry: 'lookup', source, argument: '{}', timeoutMs: 10_000 })
console.log(outcome.ok ? outcome.value : outcome)
await sandbox.close()
