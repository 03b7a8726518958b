// Runs inside the virtual machine: `console`. Each call is one line of the run's log.
import { LOG_LINE_LENGTH_MAX } from '../limits.ts'
import { show } from './text.ts'

type Write = (...values: unknown[]) => void

export function createConsole(log: (line: string) => void, nowMs: () => number): Readonly<Record<string, Write>> {
  const writer =
    (prefix: string): Write =>
    (...values) => {
      let line = prefix
      for (let index = 0; index < values.length && line.length <= LOG_LINE_LENGTH_MAX; index++) {
        line += (index === 0 ? '' : ' ') + show(values[index])
      }
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
