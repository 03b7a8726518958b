// The attacker's process: `attacker.ts <attack> <base URL>`. It sets up, says `ready`, attacks from the line `go` to the line
// `stop` of its standard input, and prints its figures as one line of JSON. Its processor time has the lowest priority.
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { TestServer } from '../support/server-fixture.ts'
import { ATTACKS } from './attacks/all.ts'

const [name, baseUrl = ''] = process.argv.slice(2)
const attack = ATTACKS.find((one) => one.name === name)
if (attack === undefined) throw new Error(`no attack is called ${name}`)
setPriority(constants.priority.PRIORITY_LOW)

const lines = createInterface({ input: process.stdin })
const server = await TestServer.attached(baseUrl)
const run = await attack.prepare({ baseUrl, server })
const stop = new AbortController()
console.log('ready')
await once(lines, 'line')
lines.once('line', () => stop.abort())
// The harness is gone: nothing is left to attack.
lines.once('close', () => stop.abort())
const figures = await run(stop.signal)
console.log(JSON.stringify(figures))
await server.close()
process.exit(0)
