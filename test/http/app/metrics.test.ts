// Metrics: who may read them, how often their text is made, and its form.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { metricsRoute } from '../../../http/app/metrics.ts'
import { histogramSamples, label, PrometheusText } from '../../../http/app/prometheus-text.ts'
import { OperatorToken } from '../../../http/auth/operator/operator.ts'
import { Tally } from '../../../http/server/tally.ts'
import { TimedValue } from '../../../http/server/timed-value.ts'
import { RawClient, request } from '../../support/raw-client.ts'
import { openFakeServer, type ServerWithoutEngine } from '../../support/server-without-engine.ts'

const TOKEN = 'token-of-the-metrics'

async function openWithMetrics(proxyHops: number): Promise<ServerWithoutEngine> {
  const metrics = { text: () => Promise.resolve(Buffer.from('up 1\n')) }
  const access = { token: new OperatorToken(TOKEN), onFailure: (error: unknown) => assert.fail(String(error)) }
  return await openFakeServer({ routes: [metricsRoute(metrics, access)], alwaysOpen: ['/metrics'], proxyHops })
}

const ROWS: readonly (readonly [name: string, proxyHops: number, headers: Readonly<Record<string, string>>, status: number])[] = [
  ['from the loopback', 0, {}, 200],
  ['from the loopback, with a header that a proxy wrote', 0, { 'X-Forwarded-For': '127.0.0.1' }, 401],
  ['from the loopback, with another header that a proxy wrote', 0, { Via: '1.1 proxy' }, 401],
  ['with the token, through a proxy', 0, { 'X-Forwarded-For': '203.0.113.9', Authorization: `Bearer ${TOKEN}` }, 200],
  ['with a wrong token, through a proxy', 0, { 'X-Forwarded-For': '203.0.113.9', Authorization: `Bearer ${TOKEN}x` }, 401],
  ['with a wrong token, from the loopback', 0, { Authorization: 'Bearer wrong' }, 200],
  ['forwarded from a public address', 1, { 'X-Forwarded-For': '203.0.113.9' }, 401],
  ['forwarded from a private address', 1, { 'X-Forwarded-For': '10.1.2.3' }, 200],
  ['forwarded from a public address that claims a private one', 1, { 'X-Forwarded-For': '10.1.2.3, 203.0.113.9' }, 401],
  ['without a forwarded address behind a proxy', 1, {}, 401],
  ['with the token behind a proxy', 1, { 'X-Forwarded-For': '203.0.113.9', Authorization: `Bearer ${TOKEN}` }, 200],
]

describe('GET /metrics', () => {
  for (const [name, proxyHops, headers, status] of ROWS) {
    it(`${name}: ${status}`, async () => {
      const server = await openWithMetrics(proxyHops)
      try {
        const client = await RawClient.open(server.port)
        const answer = await client.send(request({ path: '/metrics', headers })).answer()
        client.close()
        assert.equal(answer.status, status)
        if (status === 200) assert.equal(answer.body, 'up 1\n')
        else assert.equal((JSON.parse(answer.body) as { code: string }).code, 'unauthorized')
      } finally {
        await server.http.close()
      }
    })
  }

  it('GET /metrics is refused when a header line without a name hides the forwarded address', async () => {
    const server = await openWithMetrics(1)
    try {
      const client = await RawClient.open(server.port)
      client.send('GET /metrics HTTP/1.1\r\nHost: a\r\n: x\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n')
      assert.equal((await client.answer()).status, 401)
      client.close()
    } finally {
      await server.http.close()
    }
  })
})

describe('a value that is kept for a time', () => {
  it('a value that is kept for a time is made once for all who ask within the time, and again after it', async () => {
    let nowMs = 0
    let made = 0
    const value = new TimedValue(
      async () => ++made,
      1000,
      () => nowMs,
    )
    assert.deepEqual(await Promise.all([value.get(), value.get()]), [1, 1])
    nowMs = 999
    assert.equal(await value.get(), 1)
    nowMs = 1000
    assert.equal(await value.get(), 2)
  })

  it('a value that is kept for a time is made again at once after a failure', async () => {
    let made = 0
    const make = async (): Promise<number> => {
      if (++made === 1) throw new Error('the first one fails')
      return made
    }
    const value = new TimedValue(make, 1000, () => 0)
    await assert.rejects(value.get(), /the first one fails/)
    assert.equal(await value.get(), 2)
  })
})

describe('the text format of Prometheus', () => {
  it('the text format of Prometheus has a head for each metric, cumulative buckets, and no line for a figure that is not known', async () => {
    const text = new PrometheusText()
    const tally = new Tally([1, 2])
    for (const value of [0.5, 1.5, 9]) tally.add(value)
    text.add('histogram', 'duration', 'How long.', () => histogramSamples(tally, 0.5, label('operation', 'pay')))
    text.addSingle('gauge', 'absent', 'Not known yet.', () => undefined)
    text.addSingle('counter', 'sum', 'All.', () => 3)
    assert.equal(
      await text.text(),
      [
        '# HELP duration How long.',
        '# TYPE duration histogram',
        'duration_bucket{operation="pay",le="0.5"} 1',
        'duration_bucket{operation="pay",le="1"} 2',
        'duration_bucket{operation="pay",le="+Inf"} 3',
        'duration_sum{operation="pay"} 5.5',
        'duration_count{operation="pay"} 3',
        '# HELP absent Not known yet.',
        '# TYPE absent gauge',
        '# HELP sum All.',
        '# TYPE sum counter',
        'sum 3',
        '',
      ].join('\n'),
    )
  })

  it('the text format of Prometheus escapes what would end a label', () => {
    assert.equal(label('a', 'b"c\\d\ne'), 'a="b\\"c\\\\d\\ne"')
  })
})
