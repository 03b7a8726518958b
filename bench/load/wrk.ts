// The same load by wrk, if it is installed: a check of closed-loop maxima by a generator in C. It is optional: figures come from the
// bench's own generator.
import { execFile, execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LoadPlan, RequestShape } from './plan.ts'

export interface WrkResult {
  readonly perSecond: number
  /** Number of answers other than 2xx and 3xx, and of socket errors. */
  readonly failures: number
}

export function wrkVersion(): string | null {
  try {
    // `wrk -v` prints its usage and ends with 1.
    execFileSync('wrk', ['-v'], { stdio: ['ignore', 'pipe', 'ignore'] })
    return null
  } catch (error) {
    const output = typeof error === 'object' && error !== null && 'stdout' in error ? String(error.stdout) : ''
    return /wrk (\S+)/.exec(output)?.[1] ?? null
  }
}

/** Runs wrk with one thread, the connections of the plan and no pipelining. wrk has no warm-up, so its rate is slightly low. */
export function runWrk(plan: LoadPlan, folder: string): Promise<WrkResult> {
  const script = join(folder, 'payouts.lua')
  writeFileSync(script, luaScript(plan))
  const args = ['-t1', `-c${plan.connections}`, `-d${Math.ceil(plan.seconds)}s`, '-s', script, `http://127.0.0.1:${plan.port}/`]
  return new Promise((resolve, reject) => {
    execFile('wrk', args, (error, output) => {
      if (error !== null) return reject(error)
      const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1])
      const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0)
      const socketErrors = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output)?.slice(1) ?? []
      resolve({ perSecond, failures: socketErrors.reduce((sum, count) => sum + Number(count), refused) })
    })
  })
}

/** Returns a script with one format string per shape. Each request uses the next shape. */
function luaScript(plan: LoadPlan): string {
  const shapes = plan.shapes.map((shape) => luaShape(shape, `127.0.0.1:${plan.port}`))
  return `math.randomseed(${plan.seed})
local sequence = 0
local random = math.random
local shapes = {
${shapes.join(',\n')}
}
function request()
  sequence = sequence + 1
  return shapes[sequence % #shapes + 1](sequence)
end
`
}

function luaShape(shape: RequestShape, host: string): string {
  const values: string[] = []
  const withFormats = (text: string): string =>
    text
      .replaceAll('%', '%%')
      .replace(/\{\{(sequence|random):(\d+)(?::(\d+))?\}\}/g, (_, kind: string, width: string, drawFrom: string) => {
        values.push(kind === 'sequence' ? 'n' : `random(0, ${Number(drawFrom) - 1})`)
        return `%0${width}d`
      })
  const lengthOf = (body: string): number =>
    body.replace(/\{\{\w+:(\d+)(?::\d+)?\}\}/g, (_, width: string) => '0'.repeat(Number(width))).length
  const head = [
    `${shape.method} ${shape.path} HTTP/1.1`,
    `Host: ${host}`,
    ...Object.entries(shape.headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${lengthOf(shape.body)}`,
  ]
  const format = withFormats(`${head.join('\r\n')}\r\n\r\n${shape.body}`)
  return `  function(n) return string.format(${JSON.stringify(format)}, ${values.join(', ')}) end`
}
