// Runs the program of a compiled pattern over a text and counts what that costs, so that it has an end wherever it is run:
// a turn may ask it. The library that compiles is several times slower on programs made to be slow (its automaton is built
// as it goes: 110 ms for `((a?){10}){20}`), and cannot be stopped. Must never know what a pattern is for.

/** Remaining cost of a program, shared by all values of one form. */
export interface Steps {
  left: number
}

/** One instruction of re2's machine; `out` and `arg` are places in the program, or `arg` the conditions of an empty width. */
interface Instruction {
  readonly op: number
  readonly out: number
  readonly arg: number
  matchRune(rune: number): boolean
}

export interface Program {
  readonly inst: readonly Instruction[]
  readonly start: number
}

/** re2's instructions, by the numbers that RE2, Go and the library have in common. */
const ALT = 1
const ALT_MATCH = 2
const CAPTURE = 3
const EMPTY_WIDTH = 4
const MATCH = 6
const NOP = 7
const RUNE = 8
const RUNE1 = 9
const ANY = 10
const ANY_NOT_LINE_FEED = 11

const LINE_FEED = 0x0a
/** Before the first and behind the last character. */
const NOTHING = -1

/** Whether the whole text is what the program says; false too when there are no steps left to find out. */
export function runWhole({ inst, start }: Program, text: string, steps: Steps): boolean {
  let now = new Threads(inst, steps)
  let next = new Threads(inst, steps)
  let after = text.length === 0 ? NOTHING : (text.codePointAt(0) as number)
  now.add(start, conditions(NOTHING, after))
  for (let index = 0; after !== NOTHING; ) {
    const rune = after
    index += rune > 0xffff ? 2 : 1
    after = index < text.length ? (text.codePointAt(index) as number) : NOTHING
    const met = conditions(rune, after)
    for (let at = 0; at < now.count && steps.left > 0; at++) {
      const instruction = inst[now.places[at] as number] as Instruction
      if (takes(instruction, rune)) next.add(instruction.out, met)
    }
    if (steps.left <= 0 || next.count === 0) return false
    const done = now
    now = next
    next = done
    next.count = 0
  }
  return steps.left > 0 && now.isMatch()
}

function takes(instruction: Instruction, rune: number): boolean {
  switch (instruction.op) {
    case RUNE:
    case RUNE1:
      return instruction.matchRune(rune)
    case ANY:
      return true
    case ANY_NOT_LINE_FEED:
      return rune !== LINE_FEED
    default:
      return false
  }
}

/** Where a run may stand between two characters: each place once (a sparse set, so that it is emptied at once). */
class Threads {
  readonly #inst: readonly Instruction[]
  readonly #steps: Steps
  readonly places: Uint32Array
  readonly #indices: Uint32Array
  count = 0

  constructor(inst: readonly Instruction[], steps: Steps) {
    this.#inst = inst
    this.#steps = steps
    this.places = new Uint32Array(inst.length)
    this.#indices = new Uint32Array(inst.length)
  }

  /** The place, and every place that it leads to without a character under these conditions. */
  add(place: number, met: number): void {
    const waiting = [place]
    while (waiting.length > 0) {
      const pc = waiting.pop() as number
      if (--this.#steps.left <= 0) return
      if (!this.#enter(pc)) continue
      const { op, out, arg } = this.#inst[pc] as Instruction
      if (op === ALT || op === ALT_MATCH) waiting.push(arg, out)
      else if (op === CAPTURE || op === NOP || (op === EMPTY_WIDTH && (arg & ~met) === 0)) waiting.push(out)
    }
  }

  isMatch(): boolean {
    for (let at = 0; at < this.count; at++) if ((this.#inst[this.places[at] as number] as Instruction).op === MATCH) return true
    return false
  }

  /** False when it stands there already. */
  #enter(place: number): boolean {
    const index = this.#indices[place] as number
    if (index < this.count && this.places[index] === place) return false
    this.#indices[place] = this.count
    this.places[this.count++] = place
    return true
  }
}

/** What holds between two characters, as re2 numbers it. */
function conditions(before: number, after: number): number {
  const begins = before === NOTHING ? 1 | 4 : before === LINE_FEED ? 1 : 0
  const ends = after === NOTHING ? 2 | 8 : after === LINE_FEED ? 2 : 0
  return begins | ends | (isWord(before) === isWord(after) ? 32 : 16)
}

/** ASCII, as `\b` has it there. */
function isWord(rune: number): boolean {
  return (rune >= 0x30 && rune <= 0x39) || (rune >= 0x41 && rune <= 0x5a) || rune === 0x5f || (rune >= 0x61 && rune <= 0x7a)
}
