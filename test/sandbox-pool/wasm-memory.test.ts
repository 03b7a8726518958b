// The ceiling that is written into a WebAssembly module: seen to hold when the module asks for more, and refused where the
// module is not of the kind that is known.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { VM_PAGES_MAX } from '../../sandbox-pool/limits.ts'
import { machineFiles } from '../../sandbox-pool/scripts.ts'
import { withMemoryMax } from '../../sandbox-pool/wasm-memory.ts'
import { compile, validate } from '../../sandbox-pool/web-assembly.ts'

interface Instances {
  Instance: new (module: unknown) => { readonly exports: { readonly memory: { grow(pages: number): number } } }
  Module: { exports(module: unknown): readonly { readonly name: string; readonly kind: string }[] }
}
const { Instance, Module } = (globalThis as unknown as { readonly WebAssembly: Instances }).WebAssembly

const HEAD = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
/** One memory of one page, without a maximum. */
const MEMORY = [5, 3, 1, 0, 1]
/** Named `memory`. */
const EXPORT = [7, 10, 1, 6, ...Buffer.from('memory'), 2, 0]
const bytes = (...parts: readonly (readonly number[])[]): Uint8Array<ArrayBuffer> => Uint8Array.from(parts.flat())

for (const pagesMax of [1, 2, 127, 128, 768, 65_536]) {
  test(`a memory of at most ${pagesMax} pages grows to that and not beyond`, async () => {
    const module = await compile(withMemoryMax(bytes(HEAD, MEMORY, EXPORT), pagesMax))
    const { memory } = new Instance(module).exports
    assert.throws(() => memory.grow(pagesMax), /RangeError/)
    if (pagesMax <= 768) assert.equal(memory.grow(pagesMax - 1), 1)
  })
}

test('the engine of hosted code has a memory that can be limited, and is itself otherwise', async () => {
  const engine = new Uint8Array(readFileSync(machineFiles()['quickjs.wasm'] ?? ''))
  const limited = withMemoryMax(engine, VM_PAGES_MAX)
  assert.ok(validate(limited))
  assert.deepEqual(Module.exports(await compile(limited)), Module.exports(await compile(engine)))
  assert.ok(limited.length - engine.length < 8)
})

const UNKNOWN: Readonly<Record<string, readonly (readonly number[])[]>> = {
  'no memory': [HEAD, EXPORT],
  'a maximum of its own': [HEAD, [5, 4, 1, 1, 1, 2], EXPORT],
  'two memories': [HEAD, [5, 5, 2, 0, 1, 0, 1]],
  'no memory of its own': [HEAD, [5, 1, 0]],
  'an end in the middle of a number': [HEAD, [1, 0x80]],
}

for (const [name, parts] of Object.entries(UNKNOWN)) {
  test(`an input is rejected: ${name}`, () => assert.throws(() => withMemoryMax(bytes(...parts), 4)))
}
