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

test('a fetch may take all that is left of the ten seconds of its run', async () => {
  const before = stand.requests.length
  await stand.value(`async function lookup() {
    await fetch('https://a/'); await new Promise((done) => setTimeout(done, 30)); await fetch('https://a:8443/')
    return 1
  }`)
  const [first = 0, second = 0] = stand.requests.slice(before).map(({ withinMs }) => withinMs)
  assert.ok(first <= 10_000 && second > 0 && second <= first - 25, `${first} ms, then ${second} ms`)
})

test('the log fills the placeholders of a format', async () => {
  const { logs } = await stand.run(`function lookup() {
    console.log('%s a %d %i %j %O', 'x', '4.5', 4.5, { a: 1 }, [2], 'rest')
    console.log('100 %', 1); console.log('%s'); console.log('%% %s', 5); console.log('%x', 1); console.log(); console.log('%d', Symbol.iterator.description)
    console.table([{ a: 1 }]); console.assert(false, 'why'); console.assert(true, 'not'); console.count(); console.count(); console.group('g')
  }`)
  assert.deepEqual(logs, [
    'x a 4.5 4 {"a":1} [2] rest',
    ...['100 % 1', '%s', '% 5', '%x 1', '', 'NaN', '[{"a":1}]', 'error: Assertion failed why', 'default: 1', 'default: 2', 'g'],
  ])
})
