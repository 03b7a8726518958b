// What a follower forwards of a request, and which requests it may send twice.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { passedOnHeaders } from '../../../http/server/cluster-role.ts'
import { forwardedHead, sentTarget } from '../../../http/server/forwarding.ts'
import { readWholeHead } from '../../../http/server/head-reader.ts'
import type { RequestSource } from '../../../http/server/request-source.ts'
import type { RouteShape } from '../../../http/server/route.ts'

interface Sent {
  readonly method?: string
  readonly url?: string
  readonly query?: string
  readonly headers?: readonly (readonly [string, string])[]
}

function source({ method = 'post', url = '/v1/biz/payouts', query }: Sent): RequestSource {
  return {
    getMethod: () => method,
    getUrl: () => url,
    getQuery: () => query,
    getParameter: () => undefined,
  }
}

type Row = Pick<RouteShape, 'idempotency' | 'path'>
const PAYOUTS: Row = { path: '/v1/biz/payouts', idempotency: 'accepted' }

function forwarded(sent: Sent, route: Row = PAYOUTS) {
  const head = readWholeHead({
    forEach: (visit) => {
      for (const [name, value] of sent.headers ?? []) visit(name, value)
    },
  })
  const { method } = { method: 'post', ...sent }
  return forwardedHead({ method, target: sentTarget(source(sent)), route, head, requestId: 'req_of_this_node' })
}

describe('a forwarded request', () => {
  test('it has the path and query of the caller, byte for byte', () => {
    const bytes = Buffer.from('/pay/é€').toString('latin1')
    assert.equal(forwarded({ url: '/pay/é€', query: 'a=%20b' }).path, `${bytes}?a=%20b`)
    assert.equal(sentTarget(source({ url: '/x', query: '' })), '/x')
  })

  test('it has the headers of the caller but those of the connection and of proxies', () => {
    const headers = [
      ...[
        ['host', 'pay.example'],
        ['cookie', 'a=1'],
        ['cookie', 'b=2'],
        ['x-forwarded-proto', 'https'],
        ['accept', 'x'],
      ],
      ...[
        ['connection', 'close'],
        ['Transfer-Encoding', 'chunked'],
        ['content-length', '3'],
        ['expect', '100-continue'],
      ],
      ...[
        ['x-forwarded-for', '1.2.3.4'],
        ['forwarded', 'for=1.2.3.4'],
        ['cauri-node', 'forged'],
        ['', 'nameless'],
        ['a b', 'no token'],
      ],
    ] as [string, string][]
    const kept = ['host', 'pay.example', 'cookie', 'a=1', 'cookie', 'b=2', 'x-forwarded-proto', 'https', 'accept', 'x']
    assert.deepEqual(forwarded({ headers }).headers, [...kept, 'X-Request-Id', 'req_of_this_node'])
  })

  test('it keeps a valid request id of the caller', () => {
    const { headers } = forwarded({ headers: [['x-request-id', 'mine']] })
    assert.deepEqual(headers, ['x-request-id', 'mine'])
  })

  test('a value beyond ASCII is written as its bytes, and a control character as an invalid byte', () => {
    assert.deepEqual(passedOnHeaders(['x', 'é€', 'y', 'a\u0001b', 'z', 'tab\tbed']), [
      ...['x', Buffer.from('é€').toString('latin1')],
      ...['y', 'a\u0080b', 'z', 'tab\tbed'],
    ])
  })

  test('it may be sent twice when it has a key that the route reads, when it only reads, and when it is a form with a key', () => {
    const key = [['idempotency-key', 'k']] as const
    const rows: readonly (readonly [Sent, Row, boolean])[] = [
      [{ headers: key }, PAYOUTS, true],
      [{}, PAYOUTS, false],
      [{ headers: key }, { path: '/v1/auth/phone/verify', idempotency: 'none' }, false],
      [{ method: 'get' }, { path: '/dev', idempotency: 'none' }, true],
      [{ method: 'head' }, { path: '/dev', idempotency: 'none' }, true],
      [{ method: 'delete' }, PAYOUTS, false],
      [{}, { path: '/dashboard/{environment}/batches', idempotency: 'none' }, true],
      [{}, { path: '/operator/funding/confirm', idempotency: 'none' }, true],
      [{}, { path: '/dashboard/{environment}/account/password', idempotency: 'none' }, false],
      [{}, { path: '/dashboard/login', idempotency: 'none' }, false],
      [{}, { path: '/pay/{token}/pay', idempotency: 'none' }, false],
    ]
    for (const [sent, route, isRepeatable] of rows) {
      assert.equal(forwarded(sent, route).isRepeatable, isRepeatable, `${sent.method ?? 'post'} ${route.path}`)
    }
  })
})
