// One QuickJS machine, made for one run and then discarded. Only this file uses the library. The code inside can only call the
// functions of GuestHost, and the host reads only strings and numbers from it.
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

/** WebAssembly modules, compiled once and shared by all threads of the process. */
export interface MachineParts {
  readonly engine: WasmModule
  readonly extensions: readonly { readonly name: string; readonly wasm: WasmModule }[]
  /** Script text whose completion value is the `install` of guest/globals.ts. */
  readonly globals: string
}

/** Error of the code inside, with the texts that it provided. */
export class GuestError extends Error {
  override readonly name = 'GuestError'
  readonly text: ErrorText

  constructor(text: ErrorText) {
    super(text.message)
    this.text = text
  }
}

/** The function, or the promise of its module with the name of the export. */
export interface Loaded {
  readonly handle: JSValueHandle
  readonly moduleExport: string | null
}

const EXTENSIONS = ['url', 'encoding', 'headers', 'crypto'] as const

/** Compiles the modules. `files`: paths of the library's files, by name. */
export async function compileParts(files: Readonly<Record<string, string>>, globals: string): Promise<MachineParts> {
  const read = (name: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(files[name] ?? ''))
  // Node 20 needs a flag for the extensions. An unknown flag is an error, so it is set only if needed.
  if (!validate(read('url.so'))) setFlagsFromString('--experimental-wasm-extended-const')
  const [engine, ...extensions] = await Promise.all([
    compile(withMemoryMax(read('quickjs.wasm'), VM_PAGES_MAX)),
    ...EXTENSIONS.map(async (name) => ({ name, wasm: await compile(read(`${name}.so`)) })),
  ])
  return { engine, extensions, globals }
}

const CONTROLS = ['begin', 'answer', 'fire', 'describe'] as const satisfies (keyof GuestControls)[]
type Controls = Readonly<Record<(typeof CONTROLS)[number], JSValueHandle>>

/** JavaScript built-ins without the clock of sub-millisecond precision. */
const INTRINSICS = (Intrinsics.ALL & ~Intrinsics.PERFORMANCE) >>> 0

/** Objects that keep the machine's memory alive. They are dropped when the machine ends. */
interface Inside {
  readonly vm: QuickJS
  readonly memory: WasmMemory
  readonly controls: Controls
}

/** Holder of the interrupt check: created before the machine, set when its run begins. */
interface Interrupt {
  mustStop: () => boolean
}

export class VirtualMachine {
  #inside: Inside | null
  readonly #interrupt: Interrupt
  #host: GuestHost | null = null

  static async create(parts: MachineParts): Promise<VirtualMachine> {
    const interrupt: Interrupt = { mustStop: () => false }
    const born = { memory: null as WasmMemory | null, seeding: true }
    const vm = await QuickJS.create({
      wasm: parts.engine,
      extensions: [...parts.extensions],
      intrinsics: INTRINSICS,
      memoryLimit: VM_HEAP_BYTES,
      maxStackSize: VM_STACK_BYTES,
      timezoneOffset: 0,
      interruptHandler: () => interrupt.mustStop(),
      moduleLoader: { load: refuseModule },
      wasi: (memory: WasmMemory) => {
        born.memory = memory
        return systemCalls(memory, () => born.seeding)
      },
    })
    born.seeding = false
    return new VirtualMachine(vm, born.memory as WasmMemory, interrupt, parts.globals)
  }

  private constructor(vm: QuickJS, memory: WasmMemory, interrupt: Interrupt, globals: string) {
    this.#interrupt = interrupt
    this.#inside = { vm, memory, controls: install(vm, globals, () => this.#host) }
  }

  get #open(): Inside {
    assert(this.#inside !== null, 'a machine is used after its end')
    return this.#inside
  }

  /** Connects the machine to a run. `mustStop` is called every few thousand steps; the code ends when it returns true. */
  bind(host: GuestHost, mustStop: () => boolean): void {
    this.#host = host
    this.#interrupt.mustStop = mustStop
  }

  /** Compiles and runs the top level of a script or a module. Throws GuestError. */
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

  /** Fires a timer. It runs merchant code directly, so it may throw. */
  fire(id: number): void {
    const { vm, controls } = this.#open
    this.#call(controls.fire, [vm.newNumber(id)])
  }

  /** Runs pending promise jobs until none is left. */
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

  /** Converts a thrown value by the guest's `describe`, which cannot fail. The library's own exception reads it unprotected. */
  #guestError(error: unknown): unknown {
    if (!(error instanceof JSException)) return error
    const { vm, controls } = this.#open
    return new GuestError(readErrorText(textIn(vm.callFunction(controls.describe, vm.undefined, error.handle))))
  }
}

/** Returns an expression for the function declared under the name (`const lookup = …` too), or exported as in CommonJS. */
function functionOfScript(entry: string): string {
  const exported = `typeof module !== 'object' ? undefined : typeof module.exports === 'function' ? module.exports : module.exports?.${entry}`
  return `typeof ${entry} === 'function' ? ${entry} : typeof exports === 'object' && typeof exports?.${entry} === 'function' ? exports.${entry} : ${exported}`
}

type Receive = (host: GuestHost, first: JSValueHandle | undefined, second: JSValueHandle | undefined) => void

/** Installs the globals before merchant code runs. `hostOf`: returns the current receiver of calls. */
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

/** Syntax that only a module may contain, at the start of a line. */
const MODULE_SYNTAX = /^\s*(?:export|import)\b/m

/** Reads an ErrorText from JSON that hostile code may have written. */
export function readErrorText(json: string): ErrorText {
  try {
    const { name, message, stack } = JSON.parse(json) as Record<string, unknown>
    return { name: shortText(name), message: shortText(message), stack: shortText(stack) }
  } catch {
    // Merchant code modified the function that describes its errors.
    return { name: '', message: 'an error without a readable message', stack: '' }
  }
}

function shortText(value: unknown): string {
  return typeof value === 'string' ? wellFormed(value.slice(0, ERROR_LENGTH_MAX)) : ''
}

/** Maximum of a text from the machine: longer than any valid one. */
const TEXT_LENGTH_MAX = FETCH_JSON_BYTES_MAX

/** Returns a string argument. The conversion of another type would run merchant code, so it gives an empty text, which is invalid JSON. */
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
 * System calls (WASI) of the machine. It seeds `Math.random` with the current time, which is easy to guess and equal for machines of
 * one millisecond. During the seeding, the time is therefore a random number.
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
    /** Rejects all writes. */
    fd_write: () => BAD_DESCRIPTOR,
  }
}

const BAD_DESCRIPTOR = 8
