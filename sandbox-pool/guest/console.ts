// Runs inside the virtual machine: `console`. Each call is one line of the run's log.
import { LOG_LINE_LENGTH_MAX } from '../limits.ts'
import { uncurry } from './bytes.ts'
import { show } from './text.ts'

type Write = (...values: unknown[]) => void

const { isNaN: isNoNumber } = Number
const slice = uncurry(String.prototype.slice)

/** Fills `%s`, `%d`, `%i`, `%f`, `%j`, `%o` and `%O` of the first value. Returns the text and the number of values used. */
function formatted(values: readonly unknown[]): readonly [text: string, used: number] {
  const format = values[0]
  if (values.length === 0) return ['', 0]
  if (typeof format !== 'string' || values.length === 1) return [show(format), 1]
  const length = Math.min(format.length, LOG_LINE_LENGTH_MAX)
  let text = ''
  let used = 1
  for (let at = 0; at < length; at++) {
    const filled = format[at] === '%' && used < values.length ? filledBy(format[at + 1], values[used]) : null
    if (filled === null) {
      text += format[at]
      // Two percent signs stand for one, and begin no placeholder.
      if (format[at] === '%' && format[at + 1] === '%') at += 1
      continue
    }
    text += filled
    used += 1
    at += 1
  }
  return [slice(text, 0, LOG_LINE_LENGTH_MAX), used]
}

function filledBy(kind: string | undefined, value: unknown): string | null {
  if (kind === 's' || kind === 'j' || kind === 'o' || kind === 'O') return show(value)
  if (kind !== 'd' && kind !== 'i' && kind !== 'f') return null
  const number = typeof value === 'object' ? Number.NaN : Number(value)
  return show(kind === 'i' && !isNoNumber(number) ? Math.trunc(number) : number)
}

export function createConsole(log: (line: string) => void, nowMs: () => number): Readonly<Record<string, Write>> {
  const writer =
    (prefix: string): Write =>
    (...values) => {
      const [first, used] = formatted(values)
      let line = prefix + first
      for (let index = used; index < values.length && line.length <= LOG_LINE_LENGTH_MAX; index++) line += ` ${show(values[index])}`
      log(line)
    }
  const write = writer('')
  const counts = new Map<string, number>()
  const begun = new Map<string, number>()
  const elapsed = (label: unknown): string => `${label}: ${nowMs() - (begun.get(`${label}`) ?? nowMs())}ms`
  return {
    log: write,
    info: write,
    debug: write,
    dir: (value) => write(value),
    table: (value) => write(value),
    group: write,
    groupCollapsed: write,
    groupEnd() {},
    trace: writer('Trace: '),
    warn: writer('warning: '),
    error: writer('error: '),
    assert(condition, ...values) {
      if (!condition) writer('error: Assertion failed')(...(values.length === 0 ? [] : ['', ...values]))
    },
    count(label = 'default') {
      const next = (counts.get(`${label}`) ?? 0) + 1
      counts.set(`${label}`, next)
      write(`${label}: ${next}`)
    },
    countReset(label = 'default') {
      counts.delete(`${label}`)
    },
    time(label = 'default') {
      begun.set(`${label}`, nowMs())
    },
    timeLog: (label = 'default', ...values) => write(elapsed(label), ...values),
    timeEnd(label = 'default') {
      write(elapsed(label))
      begun.delete(`${label}`)
    },
  }
}
