// Medians, ratios, verdicts and the profile reader: what turns measurements into claims.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { readMainThreadProfile, readWorkerProfiles, selfTimes } from '../../bench/cpu-profile.ts'
import { parseOptions } from '../../bench/options.ts'
import { atLeast, atMost, verdictOf } from '../../bench/row.ts'
import { formatNumber, formatSpread, ratios, spreadOf } from '../../bench/statistics.ts'

test('medians and ranges are computed', () => {
  assert.deepEqual(spreadOf([3, 1, 2]), { median: 2, min: 1, max: 3 })
  assert.deepEqual(spreadOf([4, 1, 2, 3]), { median: 2.5, min: 1, max: 4 })
  assert.throws(() => spreadOf([]), /no values/)
})

test('ratios are taken round by round', () => {
  assert.deepEqual(ratios([10, 30, 60], [10, 10, 10]), { median: 3, min: 1, max: 6 })
  assert.throws(() => ratios([1], [1, 2]), /as many repeats/)
})

test('numbers are printed', () => {
  for (const [value, text] of [
    [0.5, '0.50'],
    [12.34, '12.3'],
    [100, '100'],
    [69_055.4, '69 055'],
    [1_234_567, '1 234 567'],
  ] as const) {
    assert.equal(formatNumber(value), text)
  }
  assert.equal(formatSpread({ median: 2, min: 1, max: 3 }), '2.00 (1.00–3.00)')
})

test('verdicts judge the median', () => {
  const claim = (median: number) => ({ what: '', figure: '', value: { median, min: 0, max: 99 }, must: atLeast(0.4), aim: atLeast(0.6) })
  assert.equal(verdictOf(claim(0.39)), 'FAIL')
  assert.equal(verdictOf(claim(0.4)), 'pass')
  assert.equal(verdictOf(claim(0.6)), 'aim')
  assert.equal(verdictOf({ ...claim(4), must: atMost(3), aim: null }), 'FAIL')
  assert.equal(verdictOf({ ...claim(3), must: atMost(3), aim: null }), 'pass')
  assert.equal(verdictOf({ ...claim(3), value: null }), 'not measured')
})

test('options are read', () => {
  const options = parseOptions(['--rows', '4,1', '--seconds', '2', '--repeat', '5', '--profile', '--pool', '16'], [1, 2, 4])
  const { rows, seconds, repeat, profile, poolSize, json } = options
  assert.deepEqual(
    { rows, seconds, repeat, profile, poolSize, json },
    { rows: [1, 4], seconds: 2, repeat: 5, profile: true, poolSize: 16, json: null },
  )
  assert.deepEqual(parseOptions([], [1, 2]).rows, [1, 2])
  assert.equal(parseOptions([], [1]).poolSize, null)
  assert.throws(() => parseOptions(['--rows', '3'], [1, 2]), /no row 3/)
  assert.throws(() => parseOptions(['--seconds', '0'], [1]), /not a positive number/)
  assert.throws(() => parseOptions(['--fast'], [1]), TypeError)
})

test('self times of a profile add up by function, within the window', () => {
  const href = `${new URL('../..', import.meta.url).href}engine/actor/turn.ts`
  const frame = (functionName: string, url: string) => ({ functionName, url, lineNumber: 0, columnNumber: 0 })
  const profile = {
    nodes: [
      { id: 1, callFrame: frame('(root)', '') },
      { id: 2, callFrame: frame('turn', href) },
      { id: 3, callFrame: frame('turn', href) },
      { id: 4, callFrame: frame('(idle)', '') },
      { id: 5, callFrame: frame('', 'node:net') },
    ],
    startTime: 50_000,
    samples: [5, 2, 3, 4, 2, 5],
    timeDeltas: [500, 1000, 2000, 4000, 1000, 9000],
  }
  assert.deepEqual(selfTimes(profile, { fromUs: 51_000, toUs: 60_000 }), [
    { place: 'turn engine/actor/turn.ts', selfMs: 4, share: 0.5 },
    { place: '(idle)', selfMs: 4, share: 0.5 },
  ])
  assert.deepEqual(selfTimes(profile, { fromUs: 0, toUs: 51_000 }), [{ place: '(anonymous) node:net', selfMs: 0.5, share: 1 }])
})

test('functions that were compiled are named after their source', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'cauri-profile-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  // The third line of main.js comes from turn.ts.
  const map = { version: 3, sources: ['main.ts', 'below/turn.ts'], names: [], mappings: 'AAAA;;ACAA' }
  writeFileSync(join(folder, 'main.js.map'), JSON.stringify(map))
  const { href } = pathToFileURL(join(folder, 'main.js'))
  const nodes = [0, 2].map((lineNumber, id) => ({ id, callFrame: { functionName: `f${id}`, url: href, lineNumber, columnNumber: 4 } }))
  const profile = { nodes, startTime: 0, samples: [0, 1], timeDeltas: [3000, 1000] }
  const places = selfTimes(profile, { fromUs: 0, toUs: 4000 }).map(({ place }) => place.replace(pathToFileURL(folder).href, ''))
  assert.deepEqual(places, ['f0 /main.ts', 'f1 /below/turn.ts'])
})

test('each named thread of a process under the profiler has a profile', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'cauri-profile-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const threads = `import { Worker } from 'node:worker_threads'; new Worker('setTimeout(() => {}, 20)', { eval: true, execArgv: [], name: 'http-0' })`
  const preload = new URL('../../bench/cauri/profile-threads.js', import.meta.url).href
  const options = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--import', preload, '--input-type=module', '--eval', threads]
  const { pid, status, stderr } = spawnSync(process.execPath, options, { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.deepEqual([...readWorkerProfiles(folder, pid).keys()], ['http-0'])
  assert.ok(readMainThreadProfile(folder, pid).samples.length > 0)
})
