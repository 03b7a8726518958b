// Every state of a profile against everything that may be done to it: what moves it on, and what is refused.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DIRECTORY_STATES } from '../../../../engine/contract/biller.ts'
import type { Curation } from '../../../../engine/domain/biller/biller-curation-decide.ts'
import { BILLER_MOVE_TABLE, BILLER_MOVES, type BillerMove, type DirectoryState } from '../../../../engine/domain/biller/biller-state.ts'
import type { Command } from '../../../../engine/domain/command.ts'
import { BillerFixture, LOGOS } from '../../../support/biller-engine.ts'
import { stateRows } from '../../../support/engine-fixture.ts'

function curate(scene: BillerFixture, curation: Curation, reason = 'Logo flou.'): Command {
  const isReasoned = curation === 'rejected' || curation === 'suspended'
  const { slug } = scene.biller
  return { type: 'CurateBiller', slug, curation, reason: isReasoned ? reason : '', submittedAt: null, logosBase: LOGOS }
}

function move(scene: BillerFixture, one: BillerMove): Command {
  return one === 'submitted' ? scene.submit() : curate(scene, one)
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
  const scene = await BillerFixture.open()
  scene.complete()
  for (const one of WAYS[state]) scene.must(move(scene, one), 200)
  assert.equal(scene.biller.directory_state, state)
  return scene
}

describe('every move from every state', () => {
  for (const state of DIRECTORY_STATES) {
    for (const one of BILLER_MOVES) {
      const { from, to } = BILLER_MOVE_TABLE[one]
      const isAllowed = (from as readonly DirectoryState[]).includes(state)
      test(`${state}: ${one} ${isAllowed ? `leads to ${to}` : 'is refused'}`, async () => {
        const scene = await sceneIn(state)
        const before = scene.biller
        assert.deepEqual(scene.ask(move(scene, one)), isAllowed ? [200, to] : [409, 'invalid_directory_state'])
        if (!isAllowed) assert.deepEqual(scene.biller, before)
      })
    }
  }
})

describe('a profile', () => {
  test('a profile is frozen in name and category once it was published, and only then', async () => {
    for (const state of DIRECTORY_STATES) {
      const scene = await sceneIn(state)
      const isFrozen = state === 'published' || state === 'suspended'
      const changes = [scene.save({ displayName: 'Autre nom' }), scene.save({ displayName: null, category: 'water' })] as const
      assert.equal(scene.do(changes[0]).body.code, isFrozen ? 'field_frozen' : undefined, state)
      assert.equal(scene.do(changes[1]).body.code, isFrozen ? 'field_frozen' : 'display_name_required', state)
      const { short_desc } = scene.must(scene.save({ shortDesc: 'Toujours libre.' }), 200)
      assert.equal(short_desc, 'Toujours libre.')
      const left = scene.do(scene.save({ displayName: null, category: null, shortDesc: 'Encore.' }))
      assert.deepEqual([left.status, left.body.param], isFrozen ? [200, undefined] : [400, 'display_name'], state)
    }
  })

  test('a profile keeps its slug after any change of its name', async () => {
    const scene = await BillerFixture.open()
    assert.equal(scene.must(scene.save(), 200).slug, 'senelec-fils')
    assert.equal(scene.must(scene.save({ displayName: 'Eau du Sahel' }), 200).slug, 'senelec-fils')
  })

  test('a profile is one for both environments', async () => {
    const scene = await BillerFixture.open()
    scene.must(scene.save({ merchant: scene.merchant.test }), 200)
    assert.equal(scene.must(scene.save({ displayName: 'Senelec' }), 200).slug, 'senelec-fils')
    assert.equal(scene.stage.state.billers.profiles.size, 1)
  })

  test('a profile leaves no record when it is written as it is', async () => {
    const scene = await BillerFixture.open()
    scene.must(scene.save(), 200)
    const records = scene.stage.records.length
    scene.must(scene.save(), 200)
    assert.equal(scene.stage.records.length, records)
  })

  test('a profile needs a logo and an active product to be submitted', async () => {
    const scene = await BillerFixture.open()
    assert.deepEqual(scene.ask(scene.submit()), [404, 'biller_not_found'])
    scene.must(scene.save(), 200)
    assert.deepEqual(scene.ask(scene.submit()), [400, 'profile_incomplete'])
    scene.must(scene.logo('first'), 200)
    assert.deepEqual(scene.ask(scene.submit()), [400, 'products_required'])
    scene.must(scene.product('facture'), 201)
    scene.must({ type: 'SwitchProduct', merchant: scene.merchant.live, slug: 'facture', to: 'inactive' }, 200)
    assert.deepEqual(scene.ask(scene.submit()), [400, 'products_required'])
    scene.must({ type: 'SwitchProduct', merchant: scene.merchant.live, slug: 'facture', to: 'active' }, 200)
    assert.deepEqual(scene.ask(scene.submit()), [200, 'in_review'])
  })

  test('a profile shows why it was rejected or suspended, for as long as it is', async () => {
    const scene = await sceneIn('in_review')
    assert.equal(scene.must(curate(scene, 'rejected', 'Nom trompeur.'), 200).reject_reason, 'Nom trompeur.')
    assert.equal(scene.must(scene.submit(), 200).reject_reason, null)
    const approved = scene.must(curate(scene, 'approved'), 200)
    assert.ok(approved.published_at !== null && approved.submitted_at !== null && approved.live)
    assert.equal(scene.must(curate(scene, 'suspended', 'Plaintes.'), 200).suspend_reason, 'Plaintes.')
    assert.equal(scene.must(curate(scene, 'reinstated'), 200).suspend_reason, null)
  })
})

describe('a review', () => {
  test('a review is of what the operator has seen: a change of name or logo is a new submission', async () => {
    const scene = await sceneIn('in_review')
    for (const change of [scene.save({ displayName: 'Autre nom' }), scene.logo('second')]) {
      const seen = scene.biller.submitted_at
      scene.must(change, 200)
      assert.deepEqual(scene.ask({ ...curate(scene, 'approved'), submittedAt: seen } as Command), [409, 'invalid_directory_state'])
    }
    const seen = scene.biller.submitted_at
    scene.must(scene.save({ displayName: 'Autre nom', shortDesc: 'Une description se change.' }), 200)
    assert.deepEqual(scene.ask({ ...curate(scene, 'approved'), submittedAt: seen } as Command), [200, 'published'])
  })

  test('a review by the test helper is none: live wallets wait for an operator', async () => {
    const scene = await sceneIn('in_review')
    const helper: Command = { type: 'ApproveTestBiller', merchant: scene.merchant.test, logosBase: LOGOS }
    assert.deepEqual(scene.ask(helper), [200, 'published'])
    assert.equal(scene.biller.live, false)
    assert.deepEqual(scene.ask(helper), [409, 'invalid_directory_state'])
    assert.equal(scene.do(scene.save({ displayName: 'Autre nom' })).body.code, 'field_frozen')
    const approved = scene.must(curate(scene, 'approved'), 200)
    assert.deepEqual([approved.directory_state, approved.live], ['published', true])
    assert.deepEqual(scene.ask(curate(scene, 'approved')), [409, 'invalid_directory_state'])
  })

  test('a review can still reject or suspend what only the test helper approved', async () => {
    for (const [curation, to] of [
      ['rejected', 'rejected'],
      ['suspended', 'suspended'],
    ] as const) {
      const scene = await sceneIn('in_review')
      scene.must({ type: 'ApproveTestBiller', merchant: scene.merchant.test, logosBase: LOGOS }, 200)
      assert.deepEqual(scene.ask(curate(scene, curation)), [200, to])
    }
  })

  test('a review leaves a line in the audit trail and an event for the endpoints that ask, in both environments', async () => {
    const scene = await sceneIn('in_review')
    for (const merchant of [scene.merchant.live, scene.merchant.test]) {
      const endpoint = { url: 'https://hook.example', events: ['biller.approved', 'biller.rejected'], description: '' } as const
      assert.equal(scene.do({ type: 'CreateEndpoint', merchant, ...endpoint, sealedSecret: 'sealed' }).status, 201)
    }
    scene.must(curate(scene, 'approved'), 200)
    const events = (scene.stage.records.at(-1)?.events ?? []).filter(({ type }) => type !== 'log.counted')
    assert.deepEqual(
      events.map(({ type, account }) => [type, account]),
      [
        ['biller.approved', scene.merchant.live],
        ['operator.acted', 0],
        ['merchant_event.recorded', scene.merchant.live],
        ['merchant_event.recorded', scene.merchant.test],
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
    const scene = await sceneIn('published')
    assert.deepEqual(scene.do(scene.logo('second')).body, { logo_url: `${LOGOS}first.png`, pending: true })
    assert.equal(scene.biller.pending_logo?.file, 'second.png')
    const approved = scene.must(
      { type: 'CurateLogo', slug: scene.biller.slug, curation: 'logo_approved', file: null, logosBase: LOGOS },
      200,
    )
    assert.deepEqual([approved.logo_url, approved.pending_logo_url], [`${LOGOS}second.png`, null])
    scene.must(scene.logo('third'), 200)
    const rejected = scene.must(
      { type: 'CurateLogo', slug: scene.biller.slug, curation: 'logo_rejected', file: null, logosBase: LOGOS },
      200,
    )
    assert.deepEqual([rejected.logo_url, rejected.pending_logo_url], [`${LOGOS}second.png`, null])
    assert.deepEqual(scene.ask({ type: 'CurateLogo', slug: scene.biller.slug, curation: 'logo_approved', file: null, logosBase: LOGOS }), [
      409,
      'invalid_directory_state',
    ])
  })

  test('a logo is found as long as some profile shows it or has it waiting, and its bytes are kept once', async () => {
    const scene = await sceneIn('draft')
    const { billers } = scene.stage.state
    const bytesOf = (file: string): unknown => {
      const position = billers.logoAt(file)
      return position === undefined ? null : JSON.parse(scene.stage.engine.history.eventAt(position).text)
    }
    assert.equal((bytesOf('first.png') as { base64: string }).base64, Buffer.from('first').toString('base64'))
    scene.must(scene.logo('second'), 200)
    assert.equal(bytesOf('first.png'), null)
    scene.must(scene.logo('second'), 200)
    const stored = scene.stage.records.flatMap(({ events }) => events.filter(({ type }) => type === 'logo.stored'))
    assert.equal(stored.length, 2)
  })

  test('a logo of two billers goes when both have let it go', async () => {
    const scene = await sceneIn('draft')
    const { billers } = scene.stage.state
    const other = scene.do({ type: 'CreateMerchant', name: 'autre', email: 'a@example.com', currency: 'XOF' }).body.id as string
    const { live } = scene.stage.state.merchants.merchants.get(other)?.accounts ?? { live: -1 }
    scene.must(scene.save({ merchant: live }), 200)
    scene.must(scene.logo('first', { merchant: live }), 200)
    scene.must(scene.logo('second'), 200)
    assert.notEqual(billers.logoAt('first.png'), undefined)
    scene.must(scene.logo('second', { merchant: live }), 200)
    assert.equal(billers.logoAt('first.png'), undefined)
  })

  test('a logo is refused when the biller has written too much for one day', async () => {
    const scene = await sceneIn('draft')
    const base64 = 'A'.repeat(700_000)
    let uploads = 0
    while (scene.do(scene.logo(`logo-${uploads}`, { base64 })).status === 200) uploads++
    assert.ok(uploads > 50 && uploads < 100, String(uploads))
    assert.deepEqual(scene.ask(scene.logo('one-more', { base64 })), [429, 'rate_limited'])
    scene.stage.loop.advance(86_400_000)
    scene.must(scene.logo('next-day', { base64 }), 200)
  })
})

test('restart: profiles, products and logos are what they were, from the snapshot and from the log alone', async () => {
  const scene = await sceneIn('published')
  scene.must(scene.logo('second'), 200)
  scene.must(scene.product('recharge', undefined, { sealedSecret: 'sealed:v1:x' }), 201)
  const before = stateRows(scene.stage.state)
  await scene.stage.close()
  await scene.stage.start()
  assert.deepEqual(stateRows(scene.stage.state), before)
  await scene.stage.startWithoutArchive()
  assert.deepEqual(stateRows(scene.stage.state), before)
  const { billers } = scene.stage.state
  assert.notEqual(billers.logoAt('second.png'), undefined)
  const product = billers.product(scene.biller.slug, 'recharge')
  assert.ok(product !== undefined)
  assert.equal(product.sealed_secret, 'sealed:v1:x')
  assert.equal(billers.definitionOf(product, scene.stage.engine.history).lookup_url, 'https://facturier.example/lookup')
})
