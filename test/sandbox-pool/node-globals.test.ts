// The globals of Node.js 18 in hosted code: each expression gives what it gives in Node itself.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, test } from 'node:test'
import { runInThisContext } from 'node:vm'
import { NODE_GLOBAL_ROWS, ROW_PRELUDE } from '../support/node-global-rows.ts'
import { openStand } from '../support/sandbox-fixture.ts'

const stand = openStand({ threads: 2 })
after(() => stand.sandbox.close())

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const argument = {
  rsaPrivate: rsa.privateKey.export({ format: 'pem', type: 'pkcs8' }),
  rsaPublic: rsa.publicKey.export({ format: 'pem', type: 'spki' }),
  rsaJwk: rsa.privateKey.export({ format: 'jwk' }),
  ecPrivate: ec.privateKey.export({ format: 'pem', type: 'pkcs8' }),
  ecPublic: ec.publicKey.export({ format: 'pem', type: 'spki' }),
}

/** Source of a function that gives the value of each expression, or its error. */
function functionOf(expressions: readonly string[]): string {
  const rows = expressions.map((expression) => `async () => await (${expression})`).join(',\n')
  return `async function lookup(args) {
    ${ROW_PRELUDE}
    const rows = [${rows}]
    const values = []
    for (const row of rows) {
      try { const value = await row(); values.push(value === undefined ? 'undefined' : value) }
      catch (error) { values.push('failed: ' + error.name + ': ' + error.message) }
    }
    return values
  }`
}

/** Node formats in its own time zone and locale, which the rows name where they matter. */
async function valuesInNode(expressions: readonly string[]): Promise<unknown[]> {
  const lookup = runInThisContext(`(${functionOf(expressions)})`) as (args: object) => Promise<unknown[]>
  return JSON.parse(JSON.stringify(await lookup(argument))) as unknown[]
}

for (const [name, expressions] of Object.entries(NODE_GLOBAL_ROWS)) {
  test(`hosted code gets the values of Node from ${name}`, async () => {
    const [inside, inNode] = await Promise.all([
      stand.value(functionOf(expressions), { argument }) as Promise<unknown[]>,
      valuesInNode(expressions),
    ])
    const pairs = expressions.map((expression, at) => [expression, inside[at], inNode[at]] as const)
    for (const [expression, , expected] of pairs) assert.doesNotMatch(String(expected), /^failed: /, expression)
    assert.deepEqual(
      pairs.map(([expression, value]) => [expression, value]),
      pairs.map(([expression, , expected]) => [expression, expected]),
    )
  })
}
