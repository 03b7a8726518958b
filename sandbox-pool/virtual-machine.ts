// One QuickJS machine: made fresh, used for one run, thrown away. The one file that knows the library. The code inside meets
// nothing of the host but the functions of GuestHost, and nothing but strings and numbers is ever read from it.
import { randomBytes, randomFillSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { EvalFlags, Intrinsics, JSException, type JSValueHandle, QuickJS } from 'quickjs-wasi'
import { assert } from '../engine/kernel/assert.ts'
import type { ErrorText, GuestControls, GuestHost } from './guest/host.ts'
import { ERROR_LENGTH_MAX, FETCH_JSON_BYTES_MAX, VM_HEAP_BYTES, VM_PAGES_MAX, VM_STACK_BYTES } from './limits.ts'
import { wellFormed } from './run-log.ts'
import { withMemoryMax } from './wasm-memory.ts'
import { compile, validate, type WasmMemory, type WasmModule } from './web-assembly.ts'

/** Compiled once for the process; its threads share the code. */
export interface MachineParts {
  readonly engine: WasmModule
  readonly extensions: readonly { readonly name: string; readonly wasm: WasmModule }[]
  /** Script text whose completion value is the `install` of guest/globals.ts. */
  readonly globals: string
}

/** What the code inside threw, in its own words. */
export class GuestError extends Error {
  override readonly name = 'GuestError'
  readonly text: ErrorText

  constructor(text: ErrorText) {
    super(text.message)
    this.text = text
  }
}

/** The function, or the promise of its module and the export's name. */
export interface Loaded {
  readonly handle: JSValueHandle
  readonly moduleExport: string | null
}

const EXTENSIONS = ['url', 'encoding', 'headers', 'crypto'] as const

/** `files`: paths of the library's files, by name. */
export async function compileParts(files: Readonly<Record<string, string>>, globals: string): Promise<MachineParts> {
  const read = (name: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(files[name] ?? ''))
  // Node 20 knows what the extensions need, but keeps it behind a flag; unknown flags are an error, so it is set where needed.
  if (!validate(read('url.so'))) setFlagsFromString('--experimental-wasm-extended-const')
  const [engine, ...extensions] = await Promise.all([
    compile(withMemoryMax(read('quickjs.wasm'), VM_PAGES_MAX)),
    ...EXTENSIONS.map(async (name) => ({ name, wasm: await compile(read(`${name}.so`)) })),
  ])
  return { engine, extensions, globals }
}

const CONTROLS = ['begin', 'answer', 'fire', 'describe'] as const satisfies (keyof GuestControls)[]
type Controls = Readonly<Record<(typeof CONTROLS)[number], JSValueHandle>>

/** JavaScript's own, less the clock that is finer than a millisecond. */
const INTRINSICS = (Intrinsics.ALL & ~Intrinsics.PERFORMANCE) >>> 0

/** What must not be held any longer than the machine lives: its memory hangs on each of these. */
interface Inside {
  readonly vm: QuickJS
  readonly memory: WasmMemory
  readonly controls: Controls
}

/** Made before the machine is, changed when its run begins. */
interface Gate {
  mustStop: () => boolean
}

export class VirtualMachine {
  #inside: Inside | null
  readonly #gate: Gate
  #host: GuestHost | null = null

  static async create(parts: MachineParts): Promise<VirtualMachine> {
    const gate: Gate = { mustStop: () => false }
    const born = { memory: null as WasmMemory | null, seeding: true }
    const vm = await QuickJS.create({
      wasm: parts.engine,
      extensions: [...parts.extensions],
      intrinsics: INTRINSICS,
      memoryLimit: VM_HEAP_BYTES,
      maxStackSize: VM_STACK_BYTES,
      timezoneOffset: 0,
      interruptHandler: () => gate.mustStop(),
      moduleLoader: { load: refuseModule },
      wasi: (memory: WasmMemory) => {
        born.memory = memory
        return systemCalls(memory, () => born.seeding)
      },
    })
    born.seeding = false
    return new VirtualMachine(vm, born.memory as WasmMemory, gate, parts.globals)
  }

  private constructor(vm: QuickJS, memory: WasmMemory, gate: Gate, globals: string) {
    this.#gate = gate
    this.#inside = { vm, memory, controls: install(vm, globals, () => this.#host) }
  }

  get #open(): Inside {
    assert(this.#inside !== null, 'a machine is used after its end')
    return this.#inside
  }

  /** `mustStop` is asked every few thousand steps of the code; once it is true the code ends. */
  bind(host: GuestHost, mustStop: () => boolean): void {
    this.#host = host
    this.#gate.mustStop = mustStop
  }

  /** Compiles and runs the top level of a script or, where it is none, of a module. Throws GuestError. */
  load(source: string, fileName: string, entry: string): Loaded {
    const { vm } = this.#open
    try {
      vm.evalCode(source, fileName, EvalFlags.COMPILE_ONLY).dispose()
    } catch (scriptError) {
      return { handle: this.#loadModule(source, fileName, scriptError), moduleExport: entry }
    }
    return this.#explained(() => {
      vm.evalCode(source, fileName).dispose()
      return { handle: vm.evalCode(functionOfScript(entry), '<entry>'), moduleExport: null }
    })
  }

  begin(loaded: Loaded, argument: string | null): void {
    const { vm, controls } = this.#open
    const textOrNull = (text: string | null): JSValueHandle => (text === null ? vm.null : vm.newString(text))
    this.#call(controls.begin, [loaded.handle, textOrNull(loaded.moduleExport), textOrNull(argument)])
  }

  answer(id: number, answer: string): void {
    const { vm, controls } = this.#open
    this.#call(controls.answer, [vm.newNumber(id), vm.newString(answer)])
  }

  /** Runs merchant code directly, so it may throw. */
  fire(id: number): void {
    const { vm, controls } = this.#open
    this.#call(controls.fire, [vm.newNumber(id)])
  }

  /** Until no promise has anything to do. */
  runJobs(): void {
    this.#open.vm.executePendingJobs()
  }

  get memoryBytes(): number {
    return this.#inside?.memory.buffer.byteLength ?? 0
  }

  dispose(): void {
    this.#host = null
    this.#inside?.vm.dispose()
    this.#inside = null
  }

  #loadModule(source: string, fileName: string, scriptError: unknown): JSValueHandle {
    try {
      return this.#open.vm.evalCode(source, fileName, EvalFlags.TYPE_MODULE)
    } catch (moduleError) {
      throw this.#guestError(MODULE_SYNTAX.test(source) ? moduleError : scriptError)
    }
  }

  #call(control: JSValueHandle, given: readonly JSValueHandle[]): void {
    const { vm } = this.#open
    this.#explained(() => vm.callFunction(control, vm.undefined, ...given).dispose())
    for (const handle of given) handle.dispose()
  }

  #explained<Result>(run: () => Result): Result {
    try {
      return run()
    } catch (error) {
      throw this.#guestError(error)
    }
  }

  /** The library's own exception asks the thrown value for its texts; the guest's `describe` is the one that cannot fail. */
  #guestError(error: unknown): unknown {
    if (!(error instanceof JSException)) return error
    const { vm, controls } = this.#open
    return new GuestError(readErrorText(textIn(vm.callFunction(controls.describe, vm.undefined, error.handle))))
  }
}

/** What was declared under the name (also `const lookup = …`, which is no property of anything), or exported as in CommonJS. */
function functionOfScript(entry: string): string {
  const exported = `typeof module !== 'object' ? undefined : typeof module.exports === 'function' ? module.exports : module.exports?.${entry}`
  return `typeof ${entry} === 'function' ? ${entry} : typeof exports === 'object' && typeof exports?.${entry} === 'function' ? exports.${entry} : ${exported}`
}

type Receive = (host: GuestHost, first: JSValueHandle | undefined, second: JSValueHandle | undefined) => void

/** Before merchant code exists. `hostOf`: who listens at the time of a call. */
function install(vm: QuickJS, globals: string, hostOf: () => GuestHost | null): Controls {
  const host = vm.newObject()
  const expose = (name: keyof GuestHost, receive: Receive): void => {
    const callback = vm.newFunction(name, (first?: JSValueHandle, second?: JSValueHandle) => {
      const listener = hostOf()
      if (listener !== null) receive(listener, first, second)
      return vm.undefined
    })
    vm.setProp(host, name, callback)
  }
  expose('done', (to, value) => to.done(textIn(value)))
  expose('failed', (to, error) => to.failed(textIn(error)))
  expose('missing', (to) => to.missing())
  expose('log', (to, line) => to.log(textIn(line)))
  expose('fetch', (to, id, request) => to.fetch(numberIn(id), textIn(request)))
  expose('startTimer', (to, id, delayMs) => to.startTimer(numberIn(id), numberIn(delayMs)))
  expose('stopTimer', (to, id) => to.stopTimer(numberIn(id)))
  const controls = vm.callFunction(vm.evalCode(globals, '<globals>'), vm.undefined, host)
  return Object.fromEntries(CONTROLS.map((name) => [name, controls.getProp(name)])) as Controls
}

/** What only a module may contain, at the beginning of a line. */
const MODULE_SYNTAX = /^\s*(?:export|import)\b/m

/** Of an error's text as JSON; everything in it comes from hostile code. */
export function readErrorText(json: string): ErrorText {
  try {
    const { name, message, stack } = JSON.parse(json) as Record<string, unknown>
    return { name: shortText(name), message: shortText(message), stack: shortText(stack) }
  } catch {
    // Merchant code broke the function that describes its errors.
    return { name: '', message: 'an error without a readable message', stack: '' }
  }
}

function shortText(value: unknown): string {
  return typeof value === 'string' ? wellFormed(value.slice(0, ERROR_LENGTH_MAX)) : ''
}

/** Longer than anything that may cross. */
const TEXT_LENGTH_MAX = FETCH_JSON_BYTES_MAX

/** A string as it is; anything else would run merchant code to become one. The empty text, which is no JSON, stands for what is refused. */
function textIn(handle: JSValueHandle | undefined): string {
  return handle?.isString === true && handle.length <= TEXT_LENGTH_MAX ? handle.toString() : ''
}

function numberIn(handle: JSValueHandle | undefined): number {
  return handle?.isNumber === true ? handle.toNumber() : 0
}

function refuseModule(name: string): string {
  throw new Error(`nothing can be imported here: '${name.slice(0, 100)}'`)
}

/**
 * What the machine asks of its system. `Math.random` is seeded with the time at which the machine is made, the same for all
 * that are made in one millisecond and easy to guess: while it is being seeded, time is a random number.
 */
function systemCalls(memory: WasmMemory, isSeeding: () => boolean): Record<string, (...given: never[]) => number> {
  return {
    clock_time_get(_clock: number, _precision: bigint, at: number): number {
      const nowNs = isSeeding() ? randomBytes(6).readUIntLE(0, 6) : Date.now() * 1e6
      new DataView(memory.buffer).setBigUint64(at, BigInt(nowNs), true)
      return 0
    },
    random_get(at: number, size: number): number {
      randomFillSync(new Uint8Array(memory.buffer, at, size))
      return 0
    },
    /** Nothing is written anywhere. */
    fd_write: () => BAD_DESCRIPTOR,
  }
}

const BAD_DESCRIPTOR = 8
