// What an operator last decided about a biller, in an index in which the hashes of all slugs are equal.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from '../../../engine/domain/command.ts'
import { BillerFixture, GOOD_PRODUCTS, LOGOS } from '../../support/biller-engine.ts'
import { CollidingArchive } from '../../support/colliding-archive.ts'
import { openMerchant } from '../../support/commands.ts'

test('the last decision about a biller is of its own slug, and its products of then are its own, where all hashes are equal', async () => {
  const setup = await BillerFixture.open({ archive: (soon) => new CollidingArchive({ soon }) })
  const { fixture } = setup
  const { live: merchant } = openMerchant(fixture, 'autre')
  const approve = (slug: string): Command => ({
    ...{ type: 'CurateBiller', slug, curation: 'approved', reason: '', submittedAt: null, logosBase: LOGOS },
  })
  setup.complete()
  const own = setup.biller.slug
  setup.must(setup.save({ merchant, displayName: 'Eau du Sahel' }), 200)
  setup.must(setup.logo('second', { merchant }), 200)
  setup.must(setup.product('facture', GOOD_PRODUCTS.user, { merchant }), 201)
  const other = [...fixture.state.billers.profiles.values()].map(({ slug }) => slug).find((slug) => slug !== own) ?? ''
  // Decided after the product of the other was saved: the newest version under this hash is not its own.
  setup.must(setup.submit(), 200)
  setup.must(approve(own), 200)
  const compared = (slug: string) => fixture.engine.query('billers.comparison', { slug })
  const stored = (): void => {
    fixture.loop.advance(2000)
    fixture.settle()
    assert.equal(fixture.engine.history.tailEntries, 0, 'the archive has the whole index')
  }
  stored()
  assert.equal(compared(other)?.decided, null, 'the decision about the first is none about the second')

  setup.must({ ...setup.submit(), merchant } as Command, 200)
  setup.must(approve(other), 200)
  stored()
  for (const slug of [own, other]) {
    const comparison = compared(slug)
    assert.ok(comparison !== null)
    assert.equal(comparison.decided?.profile.slug, slug)
    assert.deepEqual(
      comparison.products.map(({ before }) => before),
      comparison.products.map(({ now }) => now),
      slug,
    )
  }
})
