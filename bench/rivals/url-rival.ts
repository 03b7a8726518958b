// Any server as a rival, by its address and a request template in a JSON file.
import { readFileSync } from 'node:fs'
import type { LoadPlan, RequestShape } from '../load/plan.ts'
import type { Subject } from '../measure.ts'
import type { RivalOptions } from '../options.ts'

const METHODS: readonly RequestShape['method'][] = ['GET', 'POST', 'PUT', 'DELETE']

export interface UrlRival extends Subject {
  readonly requests: Pick<LoadPlan, 'shapes' | 'expect'>
}

/** Throws for another scheme than http, and for a template without its fields. */
export function readUrlRival({ url, template }: RivalOptions): UrlRival {
  const { protocol, hostname, port } = new URL(url)
  if (protocol !== 'http:') throw new Error(`--rival-url: only http is measured, not ${protocol}`)
  const requests = readTemplate(template, JSON.parse(readFileSync(template, 'utf8')))
  return { name: 'R', host: hostname, port: port === '' ? 80 : Number(port), pids: [], lastLines: [], requests }
}

function readTemplate(path: string, parsed: unknown): UrlRival['requests'] {
  const fail = (reason: string): Error => new Error(`${path}: ${reason}`)
  if (!isRecord(parsed)) throw fail('not a JSON object')
  const { method, path: target, headers = {}, body = '', expect = {} } = parsed
  const known = METHODS.find((one) => one === method)
  if (known === undefined) throw fail(`"method" must be one of ${METHODS.join(', ')}`)
  if (typeof target !== 'string' || !target.startsWith('/')) throw fail('"path" must begin with /')
  if (!isRecord(headers) || !isRecord(expect)) throw fail('"headers" and "expect" are objects')
  const { status = 200, bodyText = '' } = expect
  if (typeof status !== 'number' || typeof bodyText !== 'string') throw fail('"expect" has a number "status" and a text "bodyText"')
  const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { shapes: [{ method: known, path: target, headers: texts, body: text }], expect: { status, bodyText } }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
