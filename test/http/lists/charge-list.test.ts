// Lists over many charges: the same rows whichever way they are found, and a bounded amount of work for each page.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListChargesQuery } from '../../../engine/contract/charge.ts'
import { answerSlices } from '../../../http/lists/list-answers.ts'
import type { Call } from '../../../http/server/route.ts'
import { type ChargeFixture, cancel, createCharge, openSetup, pay, refund, VALIDITY_MS } from '../../support/charge-engine.ts'
import { outcomeStatus } from '../../support/outcome-status.ts'

interface SeenPage {
  readonly data: readonly { readonly token: string; readonly state: string }[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

function pageOf({ fixture, merchant }: ChargeFixture, query: ListChargesQuery): Promise<SeenPage> {
  return new Promise((resolve, reject) => {
    const call = {
      query,
      principal: { kind: 'merchant', account: merchant },
      answer: (_status: number, page: string) => resolve(JSON.parse(page) as SeenPage),
      refuse: (code: string) => reject(new Error(code)),
      fail: reject,
      sealCursor: (place: string) => place,
    }
    answerSlices(call as unknown as Call<unknown, ListChargesQuery>, (asked, slice) =>
      fixture.engine.query('charges.list', { account: merchant, query: asked, slice }),
    )
  })
}

/** All pages; answers the tokens and how many pages it took. */
async function walk(setup: ChargeFixture, query: ListChargesQuery): Promise<{ readonly tokens: string[]; readonly pages: number }> {
  const tokens: string[] = []
  let pages = 0
  for (let cursor: string | null | undefined; cursor !== null; pages++) {
    const page: SeenPage = await pageOf(setup, cursor === undefined ? query : { ...query, cursor })
    tokens.push(...page.data.map(({ token }) => token))
    assert.equal(page.has_more, page.next_cursor !== null)
    cursor = page.next_cursor
  }
  return { tokens, pages }
}

/** Sends all, then lets them through together. */
function sendAll({ fixture }: ChargeFixture, commands: readonly Parameters<ChargeFixture['fixture']['send']>[0][]): void {
  const sent = commands.map((command) => fixture.send(command))
  fixture.settle()
  for (const { outcome } of sent) assert.ok(outcome !== null && outcomeStatus(outcome) < 300)
}

async function openMany(count: number): Promise<{ readonly setup: ChargeFixture; readonly tokens: string[] }> {
  const setup = await openSetup(1_000_000)
  const commands = Array.from({ length: count }, () => createCharge(setup.merchant, { amount: 1 }))
  for (let from = 0; from < count; from += 1000) sendAll(setup, commands.slice(from, from + 1000))
  return { setup, tokens: commands.map(({ token }) => token).reverse() }
}

test('a charge past its time is expired in every list and no longer pending, before its timer has fired', async () => {
  const { setup, tokens } = await openMany(3)
  const { fixture } = setup
  // The clock goes on, and no alarm rings.
  fixture.loop.nowMs += VALIDITY_MS
  assert.equal(fixture.state.charges.pending.size, 3)
  const states = async (query: ListChargesQuery): Promise<string[]> => (await pageOf(setup, query)).data.map(({ state }) => state)
  assert.deepEqual(await states({}), ['expired', 'expired', 'expired'])
  assert.deepEqual(await states({ state: 'pending' }), [])
  assert.deepEqual((await walk(setup, { state: 'expired', limit: 2 })).tokens, tokens)
  const first = await pageOf(setup, { state: 'expired' })
  fixture.loop.advance(0)
  fixture.settle()
  assert.equal(fixture.state.charges.pending.size, 0)
  assert.deepEqual(await pageOf(setup, { state: 'expired' }), first, 'the same bytes as from its record')
})

test('few and many in a state are listed alike', async () => {
  const { setup, tokens } = await openMany(700)
  const paid = tokens.filter((_token, index) => index % 2 === 0)
  // The oldest first, so that they were not paid in the order of their creation.
  sendAll(
    setup,
    paid.toReversed().map((token) => pay(token, setup.payer)),
  )
  const cancelled = tokens.filter((_token, index) => index % 10 === 1)
  sendAll(
    setup,
    cancelled.map((token) => cancel(token, setup.merchant)),
  )
  const refunded = paid.slice(0, 100)
  sendAll(
    setup,
    refunded.map((token) => refund(token, setup.merchant)),
  )
  const gone = new Set([...paid, ...cancelled])
  const rows: Readonly<Record<string, string[]>> = {
    paid: paid.slice(100),
    cancelled,
    refunded,
    pending: tokens.filter((token) => !gone.has(token)),
  }
  for (const [state, expected] of Object.entries(rows)) {
    for (const limit of [7, 100]) {
      const seen = await walk(setup, { state: state as 'paid', limit })
      assert.deepEqual(seen.tokens, expected, `${state} by ${limit}`)
      assert.equal(seen.pages, Math.max(1, Math.ceil(expected.length / limit)))
    }
  }
  assert.deepEqual((await walk(setup, { limit: 100 })).tokens, tokens)
})

test('a page ends early rather than look at more than it may, and its cursor goes on', async () => {
  const { setup, tokens } = await openMany(5000)
  // More than a few, all of them at the far end.
  const paid = tokens.slice(-300)
  sendAll(
    setup,
    paid.map((token) => pay(token, setup.payer)),
  )
  const first = await pageOf(setup, { state: 'paid', limit: 100 })
  assert.deepEqual([first.data.length, first.has_more], [0, true])
  const { tokens: seen, pages } = await walk(setup, { state: 'paid', limit: 100 })
  assert.deepEqual(seen, paid)
  assert.ok(pages > 4, `${pages} pages, most of them short`)
})
