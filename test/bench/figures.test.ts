// Figures of documents come from result files: a document is what its templates render, and has no other figure.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type KeptResults, renderDocument, withoutBlocks } from '../../bench/figures/figures.ts'
import { DOCUMENTS, readKept, readTemplate, takenFrom } from '../../bench/figures/kept-results.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const RUN = { date: '2026-11-28T10:00:00.000Z', commit: 'abc1234', machine: '2 cores', node: 'v20.20.2', runs: 3 }
const RESULTS: KeptResults = {
  'row 1': { ...RUN, figures: { 'rate: of all': { median: 46_100, min: 42_600.5, max: 49_900, text: '46 100/s : 110 000/s' } } },
  kills: { ...RUN, figures: { rounds: 2000 } },
}
const rendered = (template: string): string => renderDocument('a\n<!-- figures x -->\nold\n<!-- end -->\nb', () => template, RESULTS)

/** What is measured: times below a second, rates, ratios, and the units of the bench. Results that are calculated say so. */
const MEASURED = /\d (?:ms|µs)\b|\d ?(?:payouts|lines|records)?\/s\b|\d(?:\.\d+)? ×(?! \d)|\d\.\d+ [NPF]\b|\bat [0-9a-f]{8}\b/
/** Figures that others have published. */
const OF_OTHERS = /^## Beside [\s\S]*?(?=^## )/m

for (const document of DOCUMENTS) {
  const text = readFileSync(join(ROOT, document), 'utf8')

  test(`${document} has the figures of the kept results (npm run figures)`, () => {
    assert.equal(renderDocument(text, readTemplate, readKept()), text)
  })

  test(`${document} has no figure that no result file has`, () => {
    const lines = withoutBlocks(text).replace(OF_OTHERS, '').split('\n')
    assert.deepEqual(
      lines.filter((line) => MEASURED.test(line) && !line.includes('(calculated)')),
      [],
    )
  })
}

test('each template belongs to a document', () => {
  const texts = DOCUMENTS.map((document) => readFileSync(join(ROOT, document), 'utf8')).join('\n')
  const names = readdirSync(join(ROOT, 'bench', 'figures', 'blocks')).map((file) => file.replace(/\.md$/, ''))
  assert.deepEqual(
    names.filter((name) => !texts.includes(`<!-- figures ${name} -->`)),
    [],
  )
})

test('a block takes median, range, text and run of a result, and replaces what stood there', () => {
  const template =
    '{row 1: rate: of all}; {row 1: rate: of all @range}; {row 1: rate: of all @text}; {kills: rounds}; {kills @commit} {kills @date}\n'
  const line = '46 100; 46 100 (42 600–49 900); 46 100/s; 2 000; abc1234 2026-11-28'
  assert.equal(rendered(template), `a\n<!-- figures x -->\n${line}\n<!-- end -->\nb`)
  assert.equal(withoutBlocks(rendered(template)), 'a\n\nb')
})

for (const reference of ['{row 2: rate}', '{row 1: other}', '{kills: rounds @range}', '{kills @weather}', '{kills}']) {
  test(`a reference without a figure is an error: ${reference}`, () => {
    assert.throws(() => rendered(reference), new RegExp(reference.replace(/[{}]/g, '.').slice(0, 6)))
  })
}

test('a result file of the bench or of a proof is taken, and any other file is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cauri-figures-'))
  const path = join(folder, 'result.json')
  try {
    const claim = { what: 'rate', figure: '1/s : 2/s', value: { median: 0.5, min: 0.4, max: 0.6 }, must: null, aim: null, verdict: 'pass' }
    const rows = [{ number: 7, title: '', claims: [claim, { ...claim, what: 'not measured', value: null }] }]
    const machine = { cores: 2, processor: 'AMD EPYC-Rome Processor', commit: 'abc1234', node: 'v20.20.2' }
    const write = (on: object) =>
      writeFileSync(path, JSON.stringify({ date: RUN.date, limits: { machine: { ...machine, ...on } }, options: { repeat: 3 }, rows }))
    const figures = { rate: { median: 0.5, min: 0.4, max: 0.6, text: '1/s : 2/s' } }
    write({})
    assert.deepEqual(takenFrom(path), { 'row 7': { ...RUN, machine: '2 cores of an AMD EPYC-Rome', figures } })
    write({ processor: 'Intel(R) Xeon(R) Processor' })
    assert.deepEqual(takenFrom(path), { 'row 7 on Intel Xeon': { ...RUN, machine: '2 cores of an Intel Xeon', figures } })
    write({ node: 'v22.22.0' })
    assert.deepEqual(Object.keys(takenFrom(path)), ['row 7 on Node 22'])
    write({ processor: 'Intel(R) Xeon(R) Processor', node: 'v22.22.0' })
    assert.deepEqual(Object.keys(takenFrom(path)), ['row 7 on Intel Xeon, Node 22'])
    writeFileSync(path, JSON.stringify({ proof: 'keys', ...RUN, figures: { keys: 5 } }))
    assert.deepEqual(takenFrom(path), { keys: { ...RUN, figures: { keys: 5 } } })
    writeFileSync(path, '{}')
    assert.throws(() => takenFrom(path), /no result of the bench and none of a proof/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
