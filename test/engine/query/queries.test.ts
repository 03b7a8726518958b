// Every query of the table: its input and its answer are plain data, which the caller may send to another thread.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { QueryInput, QueryName } from '../../../engine/api.ts'
import type { IsPlain } from '../../../engine/query/plain-data.ts'
import { QUERIES } from '../../../engine/query/queries.ts'
import { EngineFixture, START_MS } from '../../support/engine-fixture.ts'
import { GOLDEN_SCENARIOS } from '../golden-scenarios.ts'
import { QUERY_SAMPLES, type QuerySample } from './query-samples.ts'

const stages = new Map<string, EngineFixture>()

before(async () => {
  for (const { scenario } of Object.values(QUERY_SAMPLES)) {
    if (stages.has(scenario)) continue
    const fixture = await EngineFixture.open()
    GOLDEN_SCENARIOS[scenario]?.(fixture)
    stages.set(scenario, fixture)
  }
})

/** The answer of the sample, after a check that input and answer survive structured clone. */
function cloned<Name extends QueryName>(name: Name): unknown {
  const { scenario, input: inputOf }: QuerySample<Name> = QUERY_SAMPLES[name]
  const fixture = stages.get(scenario)
  assert.ok(fixture !== undefined, `${scenario} was played`)
  const input = inputOf(fixture)
  const copied: QueryInput<Name> = structuredClone(input)
  assert.deepStrictEqual(copied, input)
  const answer = fixture.engine.query(name, copied)
  assert.deepStrictEqual(structuredClone(answer), answer)
  assert.deepStrictEqual(fixture.engine.query(name, input), answer)
  return answer
}

describe('queries', () => {
  for (const name of Object.keys(QUERIES) as QueryName[]) {
    it(`${name} takes and answers what structured clone copies`, () => {
      const answer = cloned(name)
      assert.ok(answer !== null && answer !== undefined, 'the sample finds something')
      const { rows } = answer as { readonly rows?: readonly unknown[] }
      if (rows !== undefined) assert.ok(rows.length > 0, 'the sample lists something')
    })
  }

  it('queries reject a cursor of another kind of list', () => {
    const fixture = stages.get('money-v1.json')
    assert.ok(fixture !== undefined)
    const cursor = Buffer.from('r01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f').toString('base64').replace(/=+$/, '')
    assert.equal(fixture.engine.query('payouts.list', { account: 7, query: { cursor } }), null)
  })

  it('queries read what the turn before has written, before it is durable', async () => {
    const fixture = await EngineFixture.open()
    fixture.send({ type: 'CreateMerchant', name: 'Kora', email: 'kora@example.com', currency: 'XOF' }, { key: 'made' })
    fixture.loop.turn()
    const known = fixture.engine.query('results.known', { scope: '0', key: 'made', fingerprint: null })
    assert.equal(known?.kind, 'created')
    assert.equal(fixture.engine.query('engine.figures', null).durableSequence, 0)
    let isOpen = false
    fixture.engine.whenDurable(() => {
      isOpen = true
    })
    assert.equal(isOpen, false)
    fixture.settle()
    assert.equal(isOpen, true)
  })

  it('queries answer the rejection of a key that belongs to another request', () => {
    const fixture = stages.get('money-v1.json')
    const reused = fixture?.engine.query('results.known', { scope: '7', key: 'payout', fingerprint: 'another' })
    assert.equal(reused?.kind, 'unprocessable')
  })

  it('queries are typed as plain data alone', () => {
    const plain: IsPlain<{ readonly a: readonly (string | null)[] }> = true
    const withMethod: IsPlain<{ a(): void }> = false
    const withMap: IsPlain<{ readonly a: ReadonlyMap<string, string> }> = false
    const nested: IsPlain<{ readonly a: { readonly b: () => void } }> = false
    assert.deepEqual([plain, withMethod, withMap, nested], [true, false, false, false])
  })
})

describe('subscribe', () => {
  it('subscribe hands out each durable record in order, before the answers of its batch, until it ends', async () => {
    const fixture = await EngineFixture.open()
    const seen: (number | string)[] = []
    const end = fixture.engine.subscribe(({ sequence }) => seen.push(sequence))
    const send = (tag: string) => fixture.send({ type: 'CreateTestWallet', tag }, { onSettle: () => seen.push(tag) })
    send('awa')
    send('moussa')
    fixture.settle()
    assert.deepEqual(seen, [1, 2, 'awa', 'moussa'])
    end()
    send('fatou')
    fixture.settle()
    assert.deepEqual(seen, [1, 2, 'awa', 'moussa', 'fatou'])
    assert.equal(fixture.engine.query('engine.time', null), START_MS)
  })
})
