// The attacker's process: `attacker.ts <base URL>`. It obeys lines of its standard input: `prepare <attack>` sets up and is answered by
// `ready`, `go` begins the attack, `stop` ends it and is answered by its figures as one line of JSON. Its processor time has a lower
// priority than that of the server.
import { constants, getPriority, setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { TestServer } from '../../support/server-fixture.ts'
import type { AttackFigures } from './attack.ts'
import { ATTACKS } from './attacks/all.ts'

const [baseUrl = ''] = process.argv.slice(2)
setPriority(getPriority() + constants.priority.PRIORITY_LOW)

const server = await TestServer.attached(baseUrl)
let run: (signal: AbortSignal) => Promise<AttackFigures> = () => Promise.reject(new Error('no attack is prepared'))
let stop = new AbortController()
let figures: Promise<AttackFigures> = Promise.resolve({})

for await (const line of createInterface({ input: process.stdin })) {
  const [command = '', name = ''] = line.split(' ')
  if (command === 'prepare') {
    const attack = ATTACKS.find((one) => one.name === name)
    if (attack === undefined) throw new Error(`no attack is called ${name}`)
    run = await attack.prepare({ baseUrl, server })
    console.log('ready')
  } else if (command === 'go') {
    stop = new AbortController()
    figures = run(stop.signal)
  } else if (command === 'stop') {
    stop.abort()
    console.log(JSON.stringify(await figures))
  }
}
// The harness is gone: nothing is left to attack.
process.exit(0)
