// The documents on a phone of 360 px: tables are cards that need no scrolling to the side.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { WRITTEN_NAMES } from '../../http/pages/docs/written-pages.ts'
import { assertAccessible, assertFits, keepPicture, openPage, type SeenPage, sharedBrowser } from '../support/browser.ts'
import type { TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer
let seen: SeenPage

before(async () => {
  server = await sharedServer()
  seen = await openPage(await sharedBrowser(), { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true })
})

after(async () => {
  await seen.context.close()
})

test('no table of the documents scrolls to the side, and each cell below the first has the name of its column', async () => {
  const { page, faults } = seen
  for (const name of [...WRITTEN_NAMES, 'errors']) {
    await page.goto(`${server.process.baseUrl}/docs/${name}`)
    await assertFits(page)
    const wide = await page.$$eval('.scroll', (boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth).length)
    assert.equal(wide, 0, name)
    const labels = await page.$$eval('.scroll td', (cells) => cells.map((cell) => cell.getAttribute('data-label') ?? ''))
    assert.ok(
      labels.every((label) => label !== ''),
      name,
    )
  }
  await page.goto(`${server.process.baseUrl}/docs/operations`)
  assert.equal(await page.getByRole('columnheader', { name: 'Mesure' }).count(), 1)
  await assertAccessible(page)
  await page.locator('.scroll').first().scrollIntoViewIfNeeded()
  await keepPicture(page, 'docs-operations')
  assert.deepEqual(faults, [])
})

test('a link above the article leads to the contents below it, and a wide window does not show it', async () => {
  const { page, faults } = seen
  await page.goto(`${server.process.baseUrl}/docs/webhooks`)
  const link = page.getByRole('link', { name: 'Sommaire' })
  await assertAccessible(page)
  await link.tap()
  await page.getByRole('navigation', { name: 'Sommaire' }).getByRole('link', { name: 'Rapprochement' }).tap()
  await page.waitForURL(/docs\/reconciliation$/)
  await page.setViewportSize({ width: 1280, height: 740 })
  assert.equal(await link.isVisible(), false)
  await page.setViewportSize({ width: 360, height: 740 })
  assert.equal(await link.isVisible(), true)
  assert.deepEqual(faults, [])
})
