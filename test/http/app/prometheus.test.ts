// The alerts and the dashboard in a real Prometheus: it accepts the configuration, each alert fires by its condition and not without it,
// and each query of the dashboard has an answer from a server that it scrapes.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { parse, stringify } from 'yaml'
import { ALERT_CASES, HEALTHY_SERIES } from '../../support/alert-cases.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import { Prometheus, prometheusMissing, promtool } from '../../support/prometheus.ts'
import { newTag, TestServer } from '../../support/server-fixture.ts'

const DEPLOYMENT = join(import.meta.dirname, '..', '..', '..', 'http', 'app', 'deployment')
const alerts = parse(readFileSync(join(DEPLOYMENT, 'alerts.yaml'), 'utf8')) as {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[]
}
const NAMES = alerts.groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))
const HEALTHY_AT = '45m'

const dashboard = JSON.parse(readFileSync(join(DEPLOYMENT, 'grafana-dashboard.json'), 'utf8')) as {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[]
}
/** Panels of a cluster: one node alone has no such figures. */
const OF_CLUSTER = ['Lag of followers', 'Takeovers']
const TOKEN = 'jeton-des-mesures-0123456789abcdef'

const seriesOf = (values: Readonly<Record<string, string>>) => Object.entries(values).map(([series, text]) => ({ series, values: text }))

describe('Prometheus', { skip: prometheusMissing() }, () => {
  it('Prometheus accepts the configuration and the alerts', () => {
    for (const words of [
      ['check', 'config', 'prometheus.yaml'],
      ['check', 'rules', 'alerts.yaml'],
    ]) {
      const { isGood, output } = promtool(words)
      assert.ok(isGood, output)
    }
  })

  it('each alert fires by its condition after its time, and no alert fires for healthy nodes', () => {
    assert.deepEqual([...new Set(ALERT_CASES.map(({ alert }) => alert))], NAMES)
    const cases = ALERT_CASES.map(({ alert, series, pendingAt, firesAt, labels, summary }) => ({
      interval: '5s',
      input_series: seriesOf(series),
      alert_rule_test: [
        ...(pendingAt === undefined ? [] : [{ eval_time: pendingAt, alertname: alert, exp_alerts: [] }]),
        { eval_time: firesAt, alertname: alert, exp_alerts: [{ exp_labels: labels, exp_annotations: { summary } }] },
      ],
    }))
    const healthy = {
      interval: '5s',
      input_series: seriesOf(HEALTHY_SERIES),
      alert_rule_test: NAMES.map((alertname) => ({ eval_time: HEALTHY_AT, alertname, exp_alerts: [] })),
    }
    const text = stringify({ rule_files: ['alerts.yaml'], evaluation_interval: '5s', tests: [...cases, healthy] })
    const { isGood, output } = promtool(['test', 'rules', 'cases.yaml'], { 'cases.yaml': text })
    assert.ok(isGood, output)
  })
})

describe('the dashboard', { skip: prometheusMissing() }, () => {
  let server: TestServer
  let prometheus: Prometheus

  before(async () => {
    server = await TestServer.open({ settings: { METRICS_TOKEN: TOKEN } })
    const merchant = await server.fundedMerchant(1_000_000)
    const recipient = await server.wallet(merchant)
    prometheus = await Prometheus.start(server.process.port, TOKEN)
    // A counter that appears has no rate before it grows again.
    await eventuallyAsync(async () => {
      await merchant.test.post('/v1/biz/payouts', { recipient, amount: 1 }, { 'idempotency-key': newTag() })
      return (await prometheus.query('sum(rate(cauri_http_requests_total[1m])) > 0')).length > 0
    }, 'the rate of requests')
  })

  after(async () => {
    await prometheus?.stop()
    await server?.close()
  })

  for (const { title, targets } of dashboard.panels.filter((panel) => !OF_CLUSTER.includes(panel.title))) {
    it(`the panel "${title}" has figures of one server that pays`, async () => {
      for (const { expr } of targets) {
        // A scrape that a busy machine answers too late leaves no rows until the next one.
        await eventuallyAsync(async () => {
          const rows = await prometheus.query(expr)
          return rows.length > 0 && rows.every(({ value }) => Number.isFinite(Number(value[1])))
        }, expr)
      }
    })
  }

  it('the panels of a cluster have queries without errors', async () => {
    for (const { title, targets } of dashboard.panels) {
      if (OF_CLUSTER.includes(title)) for (const { expr } of targets) await prometheus.query(expr)
    }
  })
})
