// The language of error messages: chosen by Accept-Language, named by Content-Language. One table of the ways by which an
// ErrorBody leaves the server, without and with HTTP threads.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ERRORS, type ErrorCode, errorValue, keptError } from '../../../engine/contract/errors.ts'
import { answerRefusal } from '../../../http/server/answer-refusal.ts'
import { ERROR_MESSAGES } from '../../../http/text/error-messages.ts'
import { eventually, type RawAnswer, RawClient, type RequestParts, request } from '../../support/raw-client.ts'
import {
  ACCOUNT,
  CREDENTIALS,
  openFakeServer,
  plainRoute,
  type ServerWithoutEngine,
  type ServerWithoutEngineOptions,
} from '../../support/server-without-engine.ts'

const COMMAND = { type: 'KeepAnswer', account: ACCOUNT, kind: 'ok' } as const

const ROUTES = [
  plainRoute('GET', '/refused', 'public', (call) => call.refuse('not_found')),
  plainRoute('GET', '/later', 'public', (call) => void setImmediate(() => call.refuse('lookup_timeout'))),
  plainRoute('GET', '/failed-later', 'public', (call) => void setImmediate(() => call.fail(new Error('a promise was rejected')))),
  plainRoute('GET', '/answered', 'public', (call) => call.answer(409, errorValue('charge_expired'))),
  plainRoute('GET', '/stream', 'stream', (call) => call.refuse('rate_limited')),
  plainRoute('POST', '/ask', 'key', (call) => call.ask(COMMAND, ACCOUNT, (outcome) => answerRefusal(call, outcome))),
  plainRoute('POST', '/once', 'key', (call) => call.once(COMMAND, ACCOUNT, '', (outcome) => answerRefusal(call, outcome))),
]

interface Way {
  readonly parts: RequestParts
  readonly code: ErrorCode
  /** The engine refuses the command, or settles it so. */
  readonly refusal?: ErrorCode
  readonly settles?: ErrorCode
}

const keyed = (path: string): RequestParts => ({ method: 'POST', path, headers: { ...CREDENTIALS, 'Idempotency-Key': 'k' }, body: '{}' })
const posted = (body: string, headers: Readonly<Record<string, string>> = {}): RequestParts => ({
  ...{ method: 'POST', path: '/echo', headers, body },
})

const WAYS: Readonly<Record<string, Way>> = {
  'an unknown path': { parts: { path: '/nowhere' }, code: 'not_found' },
  'a wrong method': { parts: { method: 'PATCH', path: '/things' }, code: 'method_not_allowed' },
  'a caller without credentials': { parts: { path: '/mine' }, code: 'unauthorized' },
  'a key that is missing': { parts: { ...keyed('/pay'), headers: CREDENTIALS }, code: 'idempotency_key_required' },
  'a body that is no JSON': { parts: posted('{'), code: 'invalid_json' },
  'a body that is too large': { parts: posted(' '.repeat(3000)), code: 'payload_too_large' },
  'a compressed body': { parts: posted('{}', { 'Content-Encoding': 'gzip' }), code: 'unsupported_media_type' },
  'a handler': { parts: { path: '/refused' }, code: 'not_found' },
  'a handler that throws': { parts: { path: '/broken' }, code: 'internal_error' },
  'a lookup that took too long': { parts: { path: '/later' }, code: 'lookup_timeout' },
  'a handler that fails later': { parts: { path: '/failed-later' }, code: 'internal_error' },
  'a body that a handler made': { parts: { path: '/answered' }, code: 'charge_expired' },
  'a stream that does not begin': { parts: { path: '/stream', headers: CREDENTIALS }, code: 'rate_limited' },
  'a full mailbox': { parts: keyed('/pay'), code: 'rate_limited', refusal: 'rate_limited' },
  'an engine that takes no command': { parts: keyed('/pay'), code: 'unavailable', refusal: 'unavailable' },
  'a turn': { parts: keyed('/pay'), code: 'insufficient_balance', settles: 'insufficient_balance' },
  'a turn of a route with an optional key': { parts: keyed('/act'), code: 'charge_not_pending', settles: 'charge_not_pending' },
  'a turn that a handler asked for': { parts: keyed('/ask'), code: 'rate_limited', settles: 'rate_limited' },
  'a turn whose answer has a secret': { parts: keyed('/once'), code: 'email_taken', settles: 'email_taken' },
}

const HEADERS: readonly (readonly [accept: string | null, language: 'fr' | 'en'])[] = [
  [null, 'fr'],
  ['*', 'fr'],
  ['fr-SN, en;q=0.5', 'fr'],
  ['en;q=0', 'fr'],
  ['en-GB, fr;q=0.5', 'en'],
  ['fr;q=0', 'en'],
]

for (const threads of [0, 2]) {
  describe(`an ErrorBody has the language of its reader, with ${threads} HTTP threads`, () => {
    let server: ServerWithoutEngine

    before(async () => {
      server = await openFakeServer({ threads, routes: ROUTES })
    })

    after(() => server.http.close())

    for (const [name, { parts, code, refusal = null, settles }] of Object.entries(WAYS)) {
      it(`from ${name}`, async () => {
        const { engine } = server
        engine.refusal = refusal
        for (const [accept, language] of HEADERS) {
          const answer = ask(server.port, accept, parts)
          if (settles !== undefined) {
            await eventually(() => engine.submitted.length === 1, 'the command')
            assert.equal(engine.submitted[0]?.envelope.language ?? 'fr', language)
            engine.settleAll({ kind: ERRORS[settles].kind, body: errorValue(settles) })
          }
          assertLanguage(await answer, code, language)
        }
      })
    }

    it('a stored rejection keeps its bytes, and its language is named', async () => {
      for (const [stored, language] of [
        [keptError(errorValue('charge_expired'), 'fr', 'first'), 'fr'],
        [keptError(errorValue('charge_expired'), 'en', 'first'), 'en'],
      ] as const) {
        server.engine.refusal = null
        const answer = ask(server.port, language === 'en' ? 'fr' : 'en', keyed('/pay'))
        await eventually(() => server.engine.submitted.length === 1, 'the command')
        server.engine.settleAll({ kind: 'conflict', body: stored, replayed: true })
        const { body, headers } = await answer
        assert.deepEqual(
          [JSON.parse(body), headers.get('content-language')],
          [{ code: 'charge_expired', message: ERROR_MESSAGES[language].charge_expired, request_id: 'first' }, language],
        )
      }
    })

    it('an answer without an error names no language', async () => {
      const { headers } = await ask(server.port, 'en', { path: '/things' })
      assert.equal(headers.has('content-language'), false)
    })
  })
}

describe('a server without its engine', () => {
  const states: Readonly<Record<string, ServerWithoutEngineOptions>> = {
    'that starts': { closed: true },
    'with threads': { closed: true, threads: 1 },
  }
  for (const [name, options] of Object.entries(states)) {
    it(`answers 503 in the language of the reader, ${name}`, async () => {
      const server = await openFakeServer(options)
      try {
        for (const [accept, language] of HEADERS) assertLanguage(await ask(server.port, accept, { path: '/mine' }), 'unavailable', language)
      } finally {
        await server.http.close()
      }
    })
  }
})

async function ask(port: number, accept: string | null, parts: RequestParts): Promise<RawAnswer> {
  const client = await RawClient.open(port)
  const headers = accept === null ? {} : { 'Accept-Language': accept }
  const answer = await client.send(request({ ...parts, headers: { ...parts.headers, ...headers } })).answer()
  client.close()
  return answer
}

function assertLanguage({ body, headers }: RawAnswer, code: ErrorCode, language: 'fr' | 'en'): void {
  const error = JSON.parse(body) as { readonly code: string; readonly message: string }
  const message = language === 'fr' ? ERROR_MESSAGES.fr[code] : ERROR_MESSAGES.en[code]
  assert.deepEqual([error.code, error.message], [code, message])
  assert.equal(headers.get('content-language'), language)
  assert.equal(headers.get('vary'), 'Accept-Language')
}
