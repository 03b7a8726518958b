// `get`, `post`, `put`, `delete`: any route of the API, also one that this version of the command does not know.
import type { Command } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { defined } from '../given.ts'
import { readData } from '../request-data.ts'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

const EXAMPLES = {
  GET: ["cauri get '/v1/biz/charges?state=paid&limit=1'", 'the newest paid charge'],
  POST: ['cauri post /v1/biz/charges --data \'{"amount": 2000}\' --key cmd-118', 'the same request again is answered from its key'],
  PUT: ['cauri put /v1/biz/biller --data @biller.json', 'a body from a file'],
  DELETE: ['cauri delete /v1/biz/webhook-endpoints/01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f', 'one endpoint'],
} as const

export const RAW_COMMANDS: readonly Command[] = METHODS.map((method) => ({
  name: [method.toLowerCase()],
  takes: '<path>',
  summary: `Send a ${method} to any path of the API`,
  about: 'Prints the JSON of the answer. Requests are authenticated and tried again as those of other commands.',
  options: {
    ...(method === 'POST' || method === 'PUT'
      ? { data: { type: 'string', value: 'JSON', about: 'the body, or @FILE, or - for standard input' } as const }
      : {}),
    ...(method === 'POST' ? { key: { type: 'string', value: 'KEY', about: 'Idempotency-Key; a new one without it' } as const } : {}),
  },
  examples: [EXAMPLES[method]],
  run: async ({ given, output, client, signal }) => {
    const data = given.text('data')
    const body = data === undefined ? undefined : readData(data)
    const path = given.argument('path')
    const answer = await client().request(method, path, body, defined({ idempotencyKey: given.text('key'), signal }))
    output.result(answer, [JSON.stringify(answer, null, 2)])
    return EXIT.done
  },
}))
