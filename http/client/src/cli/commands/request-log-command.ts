// `logs tail`: the API requests that the service has answered to test keys of the merchant, as they happen.
import { pause } from '../../retry-plan.ts'
import type { Row } from '../../types.ts'
import type { Command, CommandContext } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { type Output, shown } from '../output.ts'

const POLL_MS = 1_000
const LINES_DEFAULT = 10
/** All that the service keeps of a merchant. */
const LINES_MAX = 100

type Request = Row<'listTestRequests'>

export const TAIL_LOGS: Command = {
  name: ['logs', 'tail'],
  summary: 'Follow the API requests of your test keys: method, path, status, error code, request id',
  about: `Needs test keys. The service keeps the newest ${LINES_MAX} requests of a merchant in memory, without bodies and queries; requests of live
keys are not kept. The runs of hosted code: cauri code logs.`,
  options: {
    lines: {
      type: 'string',
      value: 'COUNT',
      about: `requests of the past that it begins with; ${LINES_DEFAULT} without it, ${LINES_MAX} at most`,
    },
    failed: { type: 'boolean', about: 'only requests that were rejected or failed' },
    'no-follow': { type: 'boolean', about: 'end after the requests of the past' },
  },
  examples: [
    ['cauri logs tail --failed', 'what your program gets wrong, while you try it'],
    ['cauri logs tail --no-follow --lines 100 --json', 'for a script'],
  ],
  run: tail,
}

async function tail({ given, output, client, signal }: CommandContext): Promise<ExitCode> {
  const api = client()
  const seen = new Set<string>()
  let wanted = Math.min(given.whole('lines', 0) ?? LINES_DEFAULT, LINES_MAX)
  for (;;) {
    const { data } = await api.test.requests({ limit: LINES_MAX }, { signal }).page()
    const wished = given.flag('failed') ? data.filter(({ status }) => status >= 400) : data
    const fresh = wished.filter(({ id }) => !seen.has(id)).reverse()
    for (const request of wanted === 0 ? [] : fresh.slice(-wanted)) show(output, request)
    seen.clear()
    for (const { id } of data) seen.add(id)
    if (given.flag('no-follow')) return EXIT.done
    wanted = LINES_MAX
    await pause(POLL_MS, signal)
  }
}

function show(output: Output, request: Request): void {
  const { created_at, method, path, status, code, duration_ms, request_id } = request
  const words = [created_at, method, shown(path), String(status), ...(code === null ? [] : [code]), `${duration_ms} ms`, shown(request_id)]
  output.result(request, [words.join('  ')])
}
