// The report of a run: plots, the HTML file, the comparison of two runs, and the options that lead to them.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Limits } from '../../bench/limits/limits.ts'
import { parseOptions } from '../../bench/options.ts'
import { watchedMemory } from '../../bench/process/memory-watch.ts'
import { type BenchResult, readResult, resultOf } from '../../bench/report/bench-result.ts'
import { compareRuns, formatComparison } from '../../bench/report/compare.ts'
import type { Plot } from '../../bench/report/plot.ts'
import { drawPlot } from '../../bench/report/plot-svg.ts'
import { reportHtml } from '../../bench/report/report-html.ts'
import { PayoutGroups } from '../../bench/rivals/payout-groups.ts'
import { readUrlRival } from '../../bench/rivals/url-rival.ts'
import { atLeast, atMost, type Claim } from '../../bench/row.ts'
import type { Spread } from '../../bench/statistics.ts'

const PERCENTILES = { count: 1, p50Us: 200, p90Us: 250, p99Us: 300, p999Us: 700, maxUs: 900 }
const LIMITS: Limits = {
  machine: { cores: 2, processor: 'Test <1>', memoryBytes: 1e9, kernel: 'Linux', node: 'v20', v8: '11', packages: {}, commit: 'abc' },
  flush: [{ bytes: 1024, latency: PERCENTILES }],
  loopback: { roundTrip: PERCENTILES, perSecond: 30_000 },
  sha256PerSecond: 1e6,
}
const LINES: Plot = {
  title: 'Rate & <more>',
  kind: 'lines',
  xLabel: 'connections',
  yLabel: 'payouts/s',
  yScale: 'log',
  series: [
    {
      name: 'N',
      points: [
        { x: 1, y: 1000 },
        { x: 256, y: 80_000, min: 70_000, max: 90_000 },
      ],
    },
    { name: 'Cauri', points: [{ x: 1, y: 900 }] },
  ],
}

function runWith(claims: readonly Claim[], repeat = 3, limits = LIMITS): BenchResult {
  const options = parseOptions(['--repeat', String(repeat)], [1])
  const row = { number: 1, title: 'a row', run: () => Promise.reject(new Error('not run')) }
  return resultOf(options, limits, [{ row, result: { claims, notes: ['a <note>'], measurements: [], plots: [LINES] } }])
}

function claim(what: string, [min, median, max]: readonly [number, number, number], must = atLeast(1)): Claim {
  return { what, figure: '', value: { median, min, max } satisfies Spread, must, aim: null }
}

test('a plot is one SVG text with a mark for each point', () => {
  const svg = drawPlot(LINES)
  assert.match(svg, /^<svg xmlns/)
  assert.match(svg, /Rate &amp; &lt;more&gt;/)
  assert.equal(svg.match(/<circle/g)?.length, 3)
  assert.doesNotMatch(svg, /NaN|Infinity|undefined/)
  const bars = drawPlot({
    ...LINES,
    kind: 'bars',
    series: [
      {
        name: 'all',
        points: [
          { x: 'N', y: 80_000 },
          { x: 'Cauri', y: 0 },
        ],
      },
    ],
  })
  assert.equal(bars.match(/<rect/g)?.length, 4)
  assert.doesNotMatch(bars, /NaN|Infinity|undefined|height="-/)
})

test('plots without points, with one point and with zeros can be drawn', () => {
  for (const points of [
    [],
    [{ x: 0, y: 0 }],
    [
      { x: 0, y: 5 },
      { x: 10, y: 5 },
    ],
  ]) {
    for (const yScale of ['log', 'linear'] as const) {
      const svg = drawPlot({ ...LINES, yScale, series: [{ name: 'one', points }] })
      assert.doesNotMatch(svg, /NaN|Infinity|undefined/)
    }
  }
})

test('the report is one file that loads nothing, with every claim and note escaped', () => {
  const html = reportHtml(runWith([claim('payouts/s <N>', [1, 2, 3])]), runWith([claim('payouts/s <N>', [4, 5, 6])]))
  assert.match(html, /payouts\/s &lt;N&gt;/)
  assert.match(html, /a &lt;note&gt;/)
  assert.match(html, /<td class="worse">worse<\/td>/)
  assert.doesNotMatch(html, /<script|<link|src=|href=|<note>/)
})

const CHANGES = [
  { name: 'ranges that touch', before: [1, 2, 3], after: [2.5, 3, 4], change: 'noise' },
  { name: 'a higher rate', before: [1, 2, 3], after: [4, 5, 6], change: 'better' },
  { name: 'a lower rate', before: [4, 5, 6], after: [1, 2, 3], change: 'worse' },
  { name: 'a lower latency', before: [4, 5, 6], after: [1, 2, 3], must: atMost(9), change: 'better' },
  { name: 'a single repeat', before: [2, 2, 2], after: [3, 3, 3], repeat: 1, change: 'one repeat' },
] as const

for (const { name, before, after, change, ...more } of CHANGES) {
  test(`a comparison of two runs names ${name}: ${change}`, () => {
    const must = 'must' in more ? more.must : atLeast(1)
    const [old, now] = [before, after].map((values) => runWith([claim('x', values, must)], 'repeat' in more ? more.repeat : 3))
    assert.equal(compareRuns(old as BenchResult, now as BenchResult)[0]?.change, change)
  })
}

test('a comparison warns of another machine and of claims that one run lacks', () => {
  const faster: Limits = { ...LIMITS, loopback: { ...LIMITS.loopback, perSecond: 60_000 } }
  const text = formatComparison(runWith([claim('old', [1, 1, 1])]), runWith([claim('new', [1, 1, 1])], 3, faster))
  assert.match(text, /caution: loopback 30 000\/s, now 60 000\/s/)
  assert.match(text, /not in both/)
})

test('a result is read back from its file, and another file is refused', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'cauri-report-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const run = runWith([claim('x', [1, 2, 3])])
  writeFileSync(join(folder, 'run.json'), JSON.stringify(run))
  writeFileSync(join(folder, 'other.json'), '{}')
  assert.deepEqual(readResult(join(folder, 'run.json')), JSON.parse(JSON.stringify(run)))
  assert.throws(() => readResult(join(folder, 'other.json')), /not a result of the bench/)
})

test('a request template of another server is read, and a wrong one is refused with its reason', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'cauri-rival-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const template = join(folder, 'request.json')
  const read = (content: unknown, url = 'http://10.1.2.3:9000') => {
    writeFileSync(template, JSON.stringify(content))
    return readUrlRival({ url, template })
  }
  const rival = read({ method: 'POST', path: '/pay', headers: { A: 1 }, body: { to: '{{random:3:9}}' }, expect: { status: 200 } })
  assert.deepEqual([rival.host, rival.port, rival.requests.expect], ['10.1.2.3', 9000, { status: 200, bodyText: '' }])
  assert.deepEqual(rival.requests.shapes, [{ method: 'POST', path: '/pay', headers: { A: '1' }, body: '{"to":"{{random:3:9}}"}' }])
  assert.throws(() => read({ method: 'PATCH', path: '/' }), /"method" must be one of/)
  assert.throws(() => read({ method: 'GET', path: 'pay' }), /"path" must begin/)
  assert.throws(() => read({ method: 'GET', path: '/' }, 'https://10.1.2.3'), /only http/)
})

test('a quick run has short windows and leaves out slow rows and row 13; a soak runs alone', () => {
  const all = [1, 9, 11, 12, 13]
  const { rows, seconds, repeat, poolSize } = parseOptions(['--quick'], all)
  assert.deepEqual({ rows, seconds, repeat, poolSize }, { rows: [1], seconds: 1, repeat: 1, poolSize: 32 })
  assert.deepEqual(parseOptions([], all).rows, [1, 9, 11, 13])
  assert.deepEqual(parseOptions(['--soak', '30'], all).rows, [12])
  assert.throws(() => parseOptions(['--rival-url', 'http://localhost'], all), /belong together/)
})

test('the growth of memory compares the last quarter with the second one', () => {
  assert.equal(watchedMemory([]), null)
  assert.deepEqual(watchedMemory([9, 10, 10, 11]), { growth: 1.1, peakBytes: 11 })
})

test('groups take all waiting payouts, bounded in size and number, and give each its own answer', async () => {
  const sizes: number[] = []
  const release: (() => void)[] = []
  const groups = new PayoutGroups<number, string>(1, async (group) => {
    sizes.push(group.length)
    await new Promise<void>((resolve) => release.push(resolve))
    if (group.includes(-1)) throw new Error('rolled back')
    return group.map((value) => `paid ${value}`)
  })
  const releaseNext = async (): Promise<void> => {
    while (release.length === 0) await new Promise((resolve) => setImmediate(resolve))
    release.shift()?.()
  }
  const first = groups.add(0)
  const rest = Array.from({ length: 501 }, (_, index) => groups.add(index + 1))
  await releaseNext()
  assert.equal(await first, 'paid 0')
  await releaseNext()
  assert.equal(await rest[499], 'paid 500')
  while (sizes.length < 3) await new Promise((resolve) => setImmediate(resolve))
  const failing = assert.rejects(groups.add(-1), /rolled back/)
  await releaseNext()
  assert.equal(await rest[500], 'paid 501')
  await releaseNext()
  await failing
  assert.deepEqual(sizes, [1, 500, 1, 1])
})
