// Code of public packages runs unchanged in the sandbox, with the results of Node.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, test } from 'node:test'
import { runInThisContext } from 'node:vm'
import { CROSSING_BYTES_MAX } from '../../sandbox-pool/limits.ts'
import { MERCHANT_PACKAGES, MODULE_PACKAGE, type PackageRow } from '../support/merchant-packages.ts'
import { openStand } from '../support/sandbox-fixture.ts'

const stand = openStand({ threads: 2 })
after(() => stand.sandbox.close())

const MODULES = new URL('../../node_modules/', import.meta.url)
const nodeRequire = createRequire(import.meta.url)
const textOf = (path: string): string => readFileSync(new URL(path, MODULES), 'utf8')

/** The files as CommonJS modules, which find each other by the row's specifiers alone. */
function hostedSource({ files, requires = {}, exercise }: PackageRow): string {
  const modules = Object.entries(files).map(
    ([name, path]) => `loaded.${name} = (() => {
  const module = { exports: {} }
  ;(function (module, exports, require) {
${textOf(path)}
  }).call(module.exports, module, module.exports, requireFrom)
  return module.exports
})()`,
  )
  return `const loaded = {}
const requireFrom = (name) => name in ${JSON.stringify(requires)} ? loaded[${JSON.stringify(requires)}[name]] : require(name)
${modules.join('\n')}
function lookup() { return (${exercise})(loaded) }`
}

function valueInNode({ files, exercise }: PackageRow): unknown {
  const loaded = Object.fromEntries(
    Object.entries(files).map(([name, path]) => [name, nodeRequire(new URL(path, MODULES).pathname) as unknown]),
  )
  return JSON.parse(JSON.stringify((runInThisContext(exercise) as (loaded: object) => unknown)(loaded)))
}

for (const [name, row] of Object.entries(MERCHANT_PACKAGES)) {
  test(`packages run unchanged: ${name}`, async () => {
    const source = hostedSource(row)
    assert.ok(Buffer.byteLength(source) <= CROSSING_BYTES_MAX, `${Buffer.byteLength(source)} bytes`)
    // Code that computes runs in the idle class: beside other tests it may wait for long.
    assert.deepEqual(await stand.value(source, { timeoutMs: 120_000 }), valueInNode(row))
  })
}

test('a package that is a module runs unchanged: XML of objects', async () => {
  const { file, exercise } = MODULE_PACKAGE
  const { toXML } = (await import(new URL(file, MODULES).href)) as { toXML: unknown }
  const inNode = (runInThisContext(exercise) as (toXML: unknown) => unknown)(toXML)
  assert.deepEqual(await stand.value(`${textOf(file)}\nexport const lookup = () => (${exercise})(toXML)`), inNode)
})

test('the packages have more than 2 000 lines together', () => {
  const files = [...Object.values(MERCHANT_PACKAGES).flatMap((row) => Object.values(row.files)), MODULE_PACKAGE.file]
  assert.ok(files.reduce((lines, path) => lines + textOf(path).split('\n').length, 0) > 2_000)
})
