// Every state of a profile against everything that may be done to it: what moves it on, and what is refused.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DIRECTORY_STATES } from '../../../../engine/contract/biller.ts'
import type { Curation } from '../../../../engine/domain/biller/biller-curation-decide.ts'
import { BILLER_MOVE_TABLE, BILLER_MOVES, type BillerMove, type DirectoryState } from '../../../../engine/domain/biller/biller-state.ts'
import type { Command } from '../../../../engine/domain/command.ts'
import { BillerFixture, LOGOS } from '../../../support/biller-engine.ts'
import { stateRows } from '../../../support/engine-fixture.ts'

function curate(setup: BillerFixture, curation: Curation, reason = 'Logo flou.'): Command {
  const isReasoned = curation === 'rejected' || curation === 'suspended'
  const { slug } = setup.biller
  return { type: 'CurateBiller', slug, curation, reason: isReasoned ? reason : '', submittedAt: null, logosBase: LOGOS }
}

function move(setup: BillerFixture, one: BillerMove): Command {
  return one === 'submitted' ? setup.submit() : curate(setup, one)
}

/** How each state is reached from a complete draft. */
const WAYS: Readonly<Record<DirectoryState, readonly BillerMove[]>> = {
  draft: [],
  in_review: ['submitted'],
  published: ['submitted', 'approved'],
  rejected: ['submitted', 'rejected'],
  suspended: ['submitted', 'approved', 'suspended'],
}

async function sceneIn(state: DirectoryState): Promise<BillerFixture> {
  const setup = await BillerFixture.open()
  setup.complete()
  for (const one of WAYS[state]) setup.must(move(setup, one), 200)
  assert.equal(setup.biller.directory_state, state)
  return setup
}

describe('every move from every state', () => {
  for (const state of DIRECTORY_STATES) {
    for (const one of BILLER_MOVES) {
      const { from, to } = BILLER_MOVE_TABLE[one]
      const isAllowed = (from as readonly DirectoryState[]).includes(state)
      test(`${state}: ${one} ${isAllowed ? `leads to ${to}` : 'is refused'}`, async () => {
        const setup = await sceneIn(state)
        const before = setup.biller
        assert.deepEqual(setup.ask(move(setup, one)), isAllowed ? [200, to] : [409, 'invalid_directory_state'])
        if (!isAllowed) assert.deepEqual(setup.biller, before)
      })
    }
  }
})

describe('a profile', () => {
  test('a profile is frozen in name and category once it was published, and only then', async () => {
    for (const state of DIRECTORY_STATES) {
      const setup = await sceneIn(state)
      const isFrozen = state === 'published' || state === 'suspended'
      const changes = [setup.save({ displayName: 'Autre nom' }), setup.save({ displayName: null, category: 'water' })] as const
      assert.equal(setup.do(changes[0]).body.code, isFrozen ? 'field_frozen' : undefined, state)
      assert.equal(setup.do(changes[1]).body.code, isFrozen ? 'field_frozen' : 'display_name_required', state)
      const { short_desc } = setup.must(setup.save({ shortDesc: 'Toujours libre.' }), 200)
      assert.equal(short_desc, 'Toujours libre.')
      const left = setup.do(setup.save({ displayName: null, category: null, shortDesc: 'Encore.' }))
      assert.deepEqual([left.status, left.body.param], isFrozen ? [200, undefined] : [400, 'display_name'], state)
    }
  })

  test('a profile keeps its slug after any change of its name', async () => {
    const setup = await BillerFixture.open()
    assert.equal(setup.must(setup.save(), 200).slug, 'senelec-fils')
    assert.equal(setup.must(setup.save({ displayName: 'Eau du Sahel' }), 200).slug, 'senelec-fils')
  })

  test('a profile is one for both environments', async () => {
    const setup = await BillerFixture.open()
    setup.must(setup.save({ merchant: setup.merchant.test }), 200)
    assert.equal(setup.must(setup.save({ displayName: 'Senelec' }), 200).slug, 'senelec-fils')
    assert.equal(setup.fixture.state.billers.profiles.size, 1)
  })

  test('a profile leaves no record when it is written as it is', async () => {
    const setup = await BillerFixture.open()
    setup.must(setup.save(), 200)
    const records = setup.fixture.records.length
    setup.must(setup.save(), 200)
    assert.equal(setup.fixture.records.length, records)
  })

  test('a profile needs a logo and an active product to be submitted', async () => {
    const setup = await BillerFixture.open()
    assert.deepEqual(setup.ask(setup.submit()), [404, 'biller_not_found'])
    setup.must(setup.save(), 200)
    assert.deepEqual(setup.ask(setup.submit()), [400, 'profile_incomplete'])
    setup.must(setup.logo('first'), 200)
    assert.deepEqual(setup.ask(setup.submit()), [400, 'products_required'])
    setup.must(setup.product('facture'), 201)
    setup.must({ type: 'SwitchProduct', merchant: setup.merchant.live, slug: 'facture', to: 'inactive' }, 200)
    assert.deepEqual(setup.ask(setup.submit()), [400, 'products_required'])
    setup.must({ type: 'SwitchProduct', merchant: setup.merchant.live, slug: 'facture', to: 'active' }, 200)
    assert.deepEqual(setup.ask(setup.submit()), [200, 'in_review'])
  })

  test('a profile shows why it was rejected or suspended, for as long as it is', async () => {
    const setup = await sceneIn('in_review')
    assert.equal(setup.must(curate(setup, 'rejected', 'Nom trompeur.'), 200).reject_reason, 'Nom trompeur.')
    assert.equal(setup.must(setup.submit(), 200).reject_reason, null)
    const approved = setup.must(curate(setup, 'approved'), 200)
    assert.ok(approved.published_at !== null && approved.submitted_at !== null && approved.live)
    assert.equal(setup.must(curate(setup, 'suspended', 'Plaintes.'), 200).suspend_reason, 'Plaintes.')
    assert.equal(setup.must(curate(setup, 'reinstated'), 200).suspend_reason, null)
  })
})

describe('a review', () => {
  test('a review is of what the operator has seen: a change of name or logo is a new submission', async () => {
    const setup = await sceneIn('in_review')
    for (const change of [setup.save({ displayName: 'Autre nom' }), setup.logo('second')]) {
      const seen = setup.biller.submitted_at
      setup.must(change, 200)
      assert.deepEqual(setup.ask({ ...curate(setup, 'approved'), submittedAt: seen } as Command), [409, 'invalid_directory_state'])
    }
    const seen = setup.biller.submitted_at
    setup.must(setup.save({ displayName: 'Autre nom', shortDesc: 'Une description se change.' }), 200)
    assert.deepEqual(setup.ask({ ...curate(setup, 'approved'), submittedAt: seen } as Command), [200, 'published'])
  })

  test('a review by the test helper is none: live wallets wait for an operator', async () => {
    const setup = await sceneIn('in_review')
    const helper: Command = { type: 'ApproveTestBiller', merchant: setup.merchant.test, logosBase: LOGOS }
    assert.deepEqual(setup.ask(helper), [200, 'published'])
    assert.equal(setup.biller.live, false)
    assert.deepEqual(setup.ask(helper), [409, 'invalid_directory_state'])
    assert.equal(setup.do(setup.save({ displayName: 'Autre nom' })).body.code, 'field_frozen')
    const approved = setup.must(curate(setup, 'approved'), 200)
    assert.deepEqual([approved.directory_state, approved.live], ['published', true])
    assert.deepEqual(setup.ask(curate(setup, 'approved')), [409, 'invalid_directory_state'])
  })

  test('a review can still reject or suspend what only the test helper approved', async () => {
    for (const [curation, to] of [
      ['rejected', 'rejected'],
      ['suspended', 'suspended'],
    ] as const) {
      const setup = await sceneIn('in_review')
      setup.must({ type: 'ApproveTestBiller', merchant: setup.merchant.test, logosBase: LOGOS }, 200)
      assert.deepEqual(setup.ask(curate(setup, curation)), [200, to])
    }
  })

  test('a review leaves a line in the audit trail and an event for the endpoints that ask, in both environments', async () => {
    const setup = await sceneIn('in_review')
    for (const merchant of [setup.merchant.live, setup.merchant.test]) {
      const endpoint = { url: 'https://hook.example', events: ['biller.approved', 'biller.rejected'], description: '' } as const
      assert.equal(setup.do({ type: 'CreateEndpoint', merchant, ...endpoint, sealedSecret: 'sealed' }).status, 201)
    }
    setup.must(curate(setup, 'approved'), 200)
    const events = (setup.fixture.records.at(-1)?.events ?? []).filter(({ type }) => type !== 'log.counted')
    assert.deepEqual(
      events.map(({ type, account }) => [type, account]),
      [
        ['biller.approved', setup.merchant.live],
        ['operator.acted', 0],
        ['merchant_event.recorded', setup.merchant.live],
        ['merchant_event.recorded', setup.merchant.test],
      ],
    )
    const told = events
      .slice(2)
      .map(({ text }) => JSON.parse(text) as { environment: string; data: { slug: string; directory_state: string } })
    assert.deepEqual(
      told.map(({ environment, data }) => [environment, data.slug, data.directory_state]),
      [
        ['live', 'senelec-fils', 'published'],
        ['test', 'senelec-fils', 'published'],
      ],
    )
  })
})

describe('a logo', () => {
  test('a logo is shown at once before the publication, and waits for an operator after it', async () => {
    const setup = await sceneIn('published')
    assert.deepEqual(setup.do(setup.logo('second')).body, { logo_url: `${LOGOS}first.png`, pending: true })
    assert.equal(setup.biller.pending_logo?.file, 'second.png')
    const approved = setup.must(
      { type: 'CurateLogo', slug: setup.biller.slug, curation: 'logo_approved', file: null, logosBase: LOGOS },
      200,
    )
    assert.deepEqual([approved.logo_url, approved.pending_logo_url], [`${LOGOS}second.png`, null])
    setup.must(setup.logo('third'), 200)
    const rejected = setup.must(
      { type: 'CurateLogo', slug: setup.biller.slug, curation: 'logo_rejected', file: null, logosBase: LOGOS },
      200,
    )
    assert.deepEqual([rejected.logo_url, rejected.pending_logo_url], [`${LOGOS}second.png`, null])
    assert.deepEqual(setup.ask({ type: 'CurateLogo', slug: setup.biller.slug, curation: 'logo_approved', file: null, logosBase: LOGOS }), [
      409,
      'invalid_directory_state',
    ])
  })

  test('a logo is found as long as some profile shows it or has it waiting, and its bytes are kept once', async () => {
    const setup = await sceneIn('draft')
    const { billers } = setup.fixture.state
    const bytesOf = (file: string): unknown => {
      const position = billers.logos.at(file)
      return position === undefined ? null : JSON.parse(setup.fixture.engine.history.eventAt(position).text)
    }
    assert.equal((bytesOf('first.png') as { base64: string }).base64, Buffer.from('first').toString('base64'))
    setup.must(setup.logo('second'), 200)
    assert.equal(bytesOf('first.png'), null)
    setup.must(setup.logo('second'), 200)
    const stored = setup.fixture.records.flatMap(({ events }) => events.filter(({ type }) => type === 'logo.stored'))
    assert.equal(stored.length, 2)
  })

  test('a logo of two billers goes when both have let it go', async () => {
    const setup = await sceneIn('draft')
    const { billers } = setup.fixture.state
    const other = setup.do({ type: 'CreateMerchant', name: 'autre', email: 'a@example.com', currency: 'XOF' }).body.id as string
    const { live } = setup.fixture.state.merchants.merchants.get(other)?.accounts ?? { live: -1 }
    setup.must(setup.save({ merchant: live }), 200)
    setup.must(setup.logo('first', { merchant: live }), 200)
    setup.must(setup.logo('second'), 200)
    assert.notEqual(billers.logos.at('first.png'), undefined)
    setup.must(setup.logo('second', { merchant: live }), 200)
    assert.equal(billers.logos.at('first.png'), undefined)
  })

  test('a logo is refused when the biller has written too much for one day', async () => {
    const setup = await sceneIn('draft')
    const base64 = 'A'.repeat(700_000)
    let uploads = 0
    while (setup.do(setup.logo(`logo-${uploads}`, { base64 })).status === 200) uploads++
    assert.ok(uploads > 50 && uploads < 100, String(uploads))
    assert.deepEqual(setup.ask(setup.logo('one-more', { base64 })), [429, 'rate_limited'])
    setup.fixture.loop.advance(86_400_000)
    setup.must(setup.logo('next-day', { base64 }), 200)
  })
})

test('restart: profiles, products and logos are what they were, from the snapshot and from the log alone', async () => {
  const setup = await sceneIn('published')
  setup.must(setup.logo('second'), 200)
  setup.must(setup.product('recharge', undefined, { sealedSecret: 'sealed:v1:x' }), 201)
  const before = stateRows(setup.fixture.state)
  await setup.fixture.close()
  await setup.fixture.start()
  assert.deepEqual(stateRows(setup.fixture.state), before)
  await setup.fixture.startWithoutArchive()
  assert.deepEqual(stateRows(setup.fixture.state), before)
  const { billers } = setup.fixture.state
  assert.notEqual(billers.logos.at('second.png'), undefined)
  const product = billers.product(setup.biller.slug, 'recharge')
  assert.ok(product !== undefined)
  assert.equal(product.sealed_secret, 'sealed:v1:x')
  assert.equal(billers.definitionOf(product, setup.fixture.engine.history).lookup_url, 'https://facturier.example/lookup')
})
