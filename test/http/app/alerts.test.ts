// The alerts for Prometheus and the dashboard for Grafana: each metric that they name is in the real text of /metrics, and the operations
// page names each alert.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { parse } from 'yaml'
import type { TestServer } from '../../support/server-fixture.ts'
import { ownServer } from '../../support/shared-server.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

interface Alert {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string }
}

const file = parse(readFileSync(join(ROOT, 'http', 'app', 'deployment', 'alerts.yaml'), 'utf8')) as {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Alert[] }[]
}
const alerts = file.groups.flatMap(({ rules }) => rules)

interface Panel {
  readonly id: number
  readonly title: string
  readonly datasource: { readonly uid: string }
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[]
}

const deployed = (name: string): string => readFileSync(join(ROOT, 'http', 'app', 'deployment', name), 'utf8')
const { panels } = JSON.parse(deployed('grafana-dashboard.json')) as { readonly panels: readonly Panel[] }

/** Names of metrics in an expression, without the suffixes of a histogram. `up` is Prometheus's own. */
function metricsOf({ expr }: Pick<Alert, 'expr'>): string[] {
  return [...expr.matchAll(/\b(?:cauri|process)_[a-z_]+/g)].map(([name]) => name.replace(/_(?:bucket|sum|count)$/, ''))
}

describe('the alerts', () => {
  let server: TestServer
  let metrics: string

  before(async () => {
    server = await ownServer()
    await fetch(`${server.process.baseUrl}/v1/biz/ping`)
    metrics = await (await fetch(`${server.process.baseUrl}/metrics`)).text()
  })

  after(() => server?.close())

  it('the alerts name metrics that the server has', () => {
    const known = new Set([...metrics.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name))
    const named = alerts.flatMap(metricsOf)
    assert.ok(named.length >= alerts.length)
    assert.deepEqual(
      named.filter((name) => !known.has(name)),
      [],
    )
  })

  it('the alerts on one node alone name metrics that have a figure there', () => {
    const figures = new Set(
      [...metrics.matchAll(/^([a-z_]+)(?:\{[^}]*\})? /gm)].map(([, name]) => name?.replace(/_(?:bucket|sum|count)$/, '')),
    )
    const single = alerts.flatMap(metricsOf).filter((name) => !name.startsWith('cauri_cluster_') && !name.startsWith('cauri_snapshot_age'))
    assert.deepEqual(
      single.filter((name) => !figures.has(name)),
      [],
    )
  })

  it('the alerts have a name of their own, a severity and a sentence for the operator', () => {
    const names = alerts.map(({ alert }) => alert)
    assert.equal(new Set(names).size, names.length)
    for (const { alert, labels, annotations } of alerts) {
      assert.match(alert, /^Cauri[A-Z][A-Za-z]+$/)
      assert.ok(['critical', 'warning'].includes(labels.severity), alert)
      assert.ok(annotations.summary.length > 20, alert)
    }
  })

  it('the alerts stand in the operations page, each with what to do', () => {
    const text = readFileSync(join(ROOT, 'http', 'app', 'deployment', 'README.md'), 'utf8')
    const page = text.slice(text.indexOf('\n## Alerts'))
    const explained = new Set([...page.matchAll(/`(Cauri[A-Za-z]+)`/g)].map(([, name]) => name))
    assert.deepEqual([...explained].sort(), alerts.map(({ alert }) => alert).sort())
  })

  it('the dashboard names metrics that the server has, from the data source of compose.yaml', () => {
    const known = new Set([...metrics.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name))
    const named = panels.flatMap(({ targets }) => targets.flatMap(metricsOf))
    assert.ok(named.length > 30, `${named.length} metrics`)
    assert.deepEqual(
      named.filter((name) => !known.has(name)),
      [],
    )
    const { datasources } = parse(deployed('grafana-datasource.yaml')) as { readonly datasources: readonly { readonly uid: string }[] }
    for (const { title, datasource } of panels) assert.equal(datasource.uid, datasources[0]?.uid, title)
  })

  it('the dashboard shows each metric of one node that an alert watches', () => {
    const shown = new Set(panels.flatMap(({ targets }) => targets.flatMap(metricsOf)))
    const watched = alerts.flatMap(metricsOf).filter((name) => !name.startsWith('cauri_cluster_') && name !== 'cauri_snapshot_age_seconds')
    assert.deepEqual(
      watched.filter((name) => !shown.has(name)),
      [],
    )
  })

  it('the dashboard places each panel once, without an overlap', () => {
    assert.equal(new Set(panels.map(({ title }) => title)).size, panels.length)
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    )
    assert.equal(new Set(cells).size, cells.length)
    assert.ok(panels.every(({ gridPos: { x, w } }) => x + w <= 24))
  })
})
