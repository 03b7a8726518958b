// One QuickJS machine, made for one run and then discarded: a copy of a prepared machine that has never run merchant code. The code
// inside can only call the functions of GuestHost, and the host reads only strings and numbers from it.
import { randomFillSync } from 'node:crypto'
import { EvalFlags, JSException, type JSValueHandle, QuickJS } from 'quickjs-wasi'
import { assert } from '../engine/kernel/assert.ts'
import type { ErrorText, GuestHost } from './guest/host.ts'
import { ERROR_LENGTH_MAX, FETCH_JSON_BYTES_MAX } from './limits.ts'
import { CONTROLS, type HOST_FUNCTIONS, MACHINE_LIMITS, type MachineParts } from './machine-parts.ts'
import { wellFormed } from './run-log.ts'
import type { WasmMemory } from './web-assembly.ts'

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

type Controls = Readonly<Record<(typeof CONTROLS)[number], JSValueHandle>>

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

  /** Copies the prepared machine. */
  static async create(parts: MachineParts): Promise<VirtualMachine> {
    const interrupt: Interrupt = { mustStop: () => false }
    let memory: WasmMemory | null = null
    const vm = await QuickJS.restore(parts.prepared, {
      wasm: parts.engine,
      extensions: [...parts.extensions],
      ...MACHINE_LIMITS,
      interruptHandler: () => interrupt.mustStop(),
      moduleLoader: { load: refuseModule },
      wasi: (born: WasmMemory) => {
        memory = born
        return systemCalls(born)
      },
    })
    assert(memory !== null, 'a machine has a memory')
    return new VirtualMachine(vm, memory, interrupt, parts)
  }

  private constructor(vm: QuickJS, memory: WasmMemory, interrupt: Interrupt, parts: MachineParts) {
    this.#interrupt = interrupt
    // All copies have the same state: the numbers of one merchant would tell those of another.
    randomFillSync(new Uint8Array(memory.buffer, parts.randomStateAt, RANDOM_STATE_BYTES))
    connect(vm, () => this.#host)
    const controls = Object.fromEntries(CONTROLS.map((name) => [name, vm.importHandle(parts.controls[name])])) as Controls
    this.#inside = { vm, memory, controls }
  }

  get #open(): Inside {
    assert(this.#inside !== null, 'a machine is used after its end')
    return this.#inside
  }

  /** Connects the machine to a run. `mustStop` is called every few thousand steps; the code ends when it returns true. */
  bind(host: GuestHost, mustStop: () => boolean): void {
    this.#host = host
    this.#interrupt.mustStop = mustStop
    this.#call(this.#open.controls.start, [])
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

type Given = JSValueHandle | undefined
type HostFunction = (typeof HOST_FUNCTIONS)[number]
type Question = 'intl' | 'crypto' | 'random'

const QUESTIONS: Readonly<Record<Question, (to: GuestHost, given: Given) => string>> = {
  intl: (to, question) => to.intl(textIn(question)),
  crypto: (to, request) => to.crypto(textIn(request)),
  random: (to, sizeBytes) => to.random(numberIn(sizeBytes)),
}

const RECEIVERS: Readonly<Record<Exclude<HostFunction, Question>, (to: GuestHost, first: Given, second: Given) => void>> = {
  done: (to, value) => to.done(textIn(value)),
  failed: (to, error) => to.failed(textIn(error)),
  missing: (to) => to.missing(),
  log: (to, line) => to.log(textIn(line)),
  fetch: (to, id, request) => to.fetch(numberIn(id), textIn(request)),
  startTimer: (to, id, delayMs) => to.startTimer(numberIn(id), numberIn(delayMs)),
  stopTimer: (to, id) => to.stopTimer(numberIn(id)),
}

/** Connects the host functions of the copy. `hostOf`: returns the current receiver of calls. */
function connect(vm: QuickJS, hostOf: () => GuestHost | null): void {
  for (const [name, receive] of Object.entries(RECEIVERS)) {
    vm.registerHostCallback(name, (first?: JSValueHandle, second?: JSValueHandle) => {
      const host = hostOf()
      if (host !== null) receive(host, first, second)
      return vm.undefined
    })
  }
  for (const [name, answer] of Object.entries(QUESTIONS)) {
    vm.registerHostCallback(name, (given?: JSValueHandle) => {
      const host = hostOf()
      return host === null ? vm.undefined : vm.newString(answer(host, given))
    })
  }
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

const RANDOM_STATE_BYTES = 8

/** System calls (WASI) of the machine. */
function systemCalls(memory: WasmMemory): Record<string, (...given: never[]) => number> {
  return {
    clock_time_get(_clock: number, _precision: bigint, at: number): number {
      new DataView(memory.buffer).setBigUint64(at, BigInt(Date.now() * 1e6), true)
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
