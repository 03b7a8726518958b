// What all machines of the process share: compiled modules, and the memory of a machine in which the globals are defined. A run gets
// a copy of that memory, so large globals cost each run a copy and no evaluation.
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { CompileFlags, Intrinsics, type JSValueHandle, QuickJS, type Snapshot } from 'quickjs-wasi'
import { assert } from '../engine/kernel/assert.ts'
import type { GuestControls, GuestHost } from './guest/host.ts'
import { VM_HEAP_BYTES, VM_PAGES_MAX, VM_STACK_BYTES } from './limits.ts'
import { withMemoryMax } from './wasm-memory.ts'
import { compile, validate, type WasmMemory, type WasmModule } from './web-assembly.ts'

export const CONTROLS = ['start', 'begin', 'answer', 'fire', 'describe'] as const satisfies (keyof GuestControls)[]
export const HOST_FUNCTIONS = [
  ...(['done', 'failed', 'missing', 'log', 'fetch', 'startTimer', 'stopTimer'] as const),
  ...(['intl', 'crypto', 'random'] as const),
] as const satisfies (keyof GuestHost)[]

/** Options that a machine and its copies have in common. */
export const MACHINE_LIMITS = { memoryLimit: VM_HEAP_BYTES, maxStackSize: VM_STACK_BYTES, timezoneOffset: 0 } as const

/** Shared by all threads of the process. */
export interface MachineParts {
  readonly engine: WasmModule
  readonly extensions: readonly { readonly name: string; readonly wasm: WasmModule; readonly initFn: string }[]
  /** Its memory is a SharedArrayBuffer. */
  readonly prepared: Snapshot
  /** Positions of the control functions in the prepared memory. */
  readonly controls: Readonly<Record<(typeof CONTROLS)[number], number>>
  /** Address of the state of `Math.random`: 8 bytes, to be replaced in each copy. */
  readonly randomStateAt: number
}

const EXTENSIONS = ['url', 'encoding', 'headers', 'structured-clone'] as const

/** Compiles the modules and prepares the machine. `files`: paths of the library's files, by name. */
export async function compileParts(files: Readonly<Record<string, string>>, globals: string): Promise<MachineParts> {
  const read = (name: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(files[name] ?? ''))
  // Node 20 needs a flag for the extensions. An unknown flag is an error, so it is set only if needed.
  if (!validate(read('url.so'))) setFlagsFromString('--experimental-wasm-extended-const')
  const [engine, ...extensions] = await Promise.all([
    compile(withMemoryMax(read('quickjs.wasm'), VM_PAGES_MAX)),
    ...EXTENSIONS.map(async (name) => ({
      name,
      wasm: await compile(read(`${name}.so`)),
      initFn: `qjs_ext_${name.replace('-', '_')}_init`,
    })),
  ])
  return { engine, extensions, ...(await prepare({ engine, extensions }, globals)) }
}

/** JavaScript built-ins without the clock of sub-millisecond precision. */
const INTRINSICS = (Intrinsics.ALL & ~Intrinsics.PERFORMANCE) >>> 0

async function prepare(
  { engine, extensions }: Pick<MachineParts, 'engine' | 'extensions'>,
  globals: string,
): Promise<Pick<MachineParts, 'prepared' | 'controls' | 'randomStateAt'>> {
  let memory: WasmMemory | null = null
  const vm = await QuickJS.create({
    wasm: engine,
    extensions: [...extensions],
    intrinsics: INTRINSICS,
    ...MACHINE_LIMITS,
    wasi: (born: WasmMemory) => {
      memory = born
      return {}
    },
  })
  assert(memory !== null, 'a machine has a memory')
  const randomStateAt = findRandomState(vm, memory)
  const host = vm.newObject()
  for (const name of HOST_FUNCTIONS) {
    vm.setProp(
      host,
      name,
      vm.newFunction(name, () => vm.undefined),
    )
  }
  const found = vm.callFunction(vm.evalBytecode(await compiled(engine, globals)), vm.undefined, host)
  const controls = CONTROLS.map((name): readonly [string, number] => [name, vm.exportHandle(kept(found.getProp(name)))])
  vm.runGC()
  const snapshot = vm.snapshot()
  const shared = new Uint8Array(new SharedArrayBuffer(snapshot.memory.byteLength))
  shared.set(snapshot.memory)
  vm.dispose()
  const prepared = { ...snapshot, memory: shared as unknown as Uint8Array<ArrayBuffer> }
  return { prepared, controls: Object.fromEntries(controls) as MachineParts['controls'], randomStateAt }
}

/** Compiles in another machine: the compiler's memory would stay in each copy. */
async function compiled(engine: WasmModule, globals: string): Promise<Uint8Array> {
  const vm = await QuickJS.create({ wasm: engine })
  const bytecode = vm.compile(globals, '<globals>', 0, CompileFlags.STRIP_SOURCE | CompileFlags.STRIP_DEBUG)
  vm.dispose()
  return bytecode
}

/** A handle that is exported must not be disposed before the snapshot. */
function kept(handle: JSValueHandle): JSValueHandle {
  assert(vmTypeOf(handle) === 'function', 'the globals have all control functions')
  return handle
}

function vmTypeOf(handle: JSValueHandle): string {
  return handle.vm.typeof(handle)
}

const STATE_BYTES = 8

/** Finds the state, which one `Math.random` advances by a step of xorshift64* (Vigna 2016, section 3). */
function findRandomState(vm: QuickJS, memory: WasmMemory): number {
  const before = new BigUint64Array(memory.buffer.slice(0))
  vm.evalCode('Math.random()').dispose()
  const after = new BigUint64Array(memory.buffer)
  const found: number[] = []
  before.forEach((word, index) => {
    if (word !== after[index] && after[index] === advanced(word)) found.push(index * STATE_BYTES)
  })
  assert(found.length === 1, 'the state of Math.random is at one place')
  return found[0] as number
}

function advanced(state: bigint): bigint {
  const one = state ^ (state >> 12n)
  const two = BigInt.asUintN(64, one ^ (one << 25n))
  return two ^ (two >> 27n)
}
