// The page of the nodes on the operator's desk: with one node, and in a cluster while nodes, the standby and PostgreSQL go away.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { assertAccessible, assertFits, keepPicture, sharedBrowser } from '../support/browser.ts'
import { plain, textOf } from '../support/checkout-steps.ts'
import { ClusterServers } from '../support/cluster-servers.ts'
import { eventuallyAsync } from '../support/eventually.ts'
import { follow, onDesk } from '../support/operator-steps.ts'
import { newDatabase, type PostgresPair, postgresMissing, startPair } from '../support/postgres.ts'
import { TestServer } from '../support/server-fixture.ts'

const SMALL = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true } as const satisfies BrowserContextOptions
const WIDE = { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' } as const satisfies BrowserContextOptions

let browser: Browser

before(async () => {
  browser = await sharedBrowser()
})

async function look(page: Page, picture: string): Promise<string> {
  await assertFits(page)
  await assertAccessible(page)
  await keepPicture(page, `desk-cluster-${picture}`)
  return plain(await textOf(page, 'main'))
}

/** Reloads until the page has the text. */
async function shows(page: Page, text: RegExp): Promise<void> {
  await eventuallyAsync(async () => {
    await page.reload()
    return text.test(plain(await textOf(page, 'main')))
  }, String(text))
}

it('the desk says that there is one node when the log is on its own disk', async () => {
  const server = await TestServer.open()
  try {
    await onDesk(server, browser, SMALL, async (page) => {
      assert.match(plain(await textOf(page, '.tiles')), /Nœuds un seul nœud/)
      await follow(page, 'Nœuds')
      assert.match(await look(page, 'single'), /Il y a un seul nœud/)
    })
  } finally {
    await server.close()
  }
})

describe('the page of the nodes of a cluster', { skip: postgresMissing() }, () => {
  let pair: PostgresPair
  let servers: ClusterServers

  before(async () => {
    pair = await startPair()
    servers = new ClusterServers(pair.primary.url(await newDatabase(pair.primary)))
    await servers.start('kayes')
    await servers.becomesOwner('kayes')
    await servers.start('mopti')
    await servers.start('segou')
  })

  after(async () => {
    await servers?.remove()
    await pair?.remove()
  })

  async function onNode(name: string, options: BrowserContextOptions, steps: (page: Page) => Promise<void>): Promise<void> {
    const server = await TestServer.attached(servers.node(name).baseUrl)
    await onDesk(server, browser, options, async (page) => {
      await follow(page, 'Nœuds')
      await steps(page)
    })
  }

  for (const [name, options] of [
    ['360', SMALL],
    ['1280', WIDE],
  ] as const) {
    it(`the page of the nodes shows owner, followers and their latencies at each node: ${name}`, async () => {
      for (const node of ['kayes', 'mopti']) {
        await onNode(node, options, async (page) => {
          await shows(page, /possède le journal ; 3 nœuds répondent/)
          const text = await look(page, name)
          assert.match(text, /Le nœud kayes possède le journal/)
          assert.match(text, /Serveurs synchrones de PostgreSQL ?1/)
          assert.match(text, /Dernière prise du journal ?\d+ .*, il y a \d+ (?:s|min)/)
          // The owner's latency is there after its first append.
          await shows(page, /kayes\S*propriétaire(?:(?!suit).)*?[\d,]+ \/ [\d,]+ ms/)
          for (const follower of ['mopti', 'segou']) await shows(page, new RegExp(`${follower}\\S*suit\\S* ms`))
        })
      }
    })
  }

  it('the page of the nodes shows who is gone, who was stopped, and the new owner', async () => {
    await servers.node('segou').terminate()
    await onNode('mopti', {}, async (page) => {
      await shows(page, /segou\S*arrêté.*arrêté il y a \d+ s/)
    })
    await servers.node('kayes').kill()
    await servers.becomesOwner('mopti')
    await onNode('mopti', SMALL, async (page) => {
      await shows(page, /kayes\S*disparu.*disparu depuis \d+ s/)
      assert.match(await look(page, 'gone'), /Le nœud mopti possède le journal ; 1 nœud répond\./)
    })
  })

  it('the page of the nodes says that the standby is away, and that PostgreSQL does not answer', async () => {
    await onNode('mopti', SMALL, async (page) => {
      await pair.standby.remove()
      await shows(page, /Aucun serveur synchrone de PostgreSQL n’est connecté/)
      await look(page, 'standby')
      await pair.primary.remove()
      await shows(page, /PostgreSQL ne répond pas à ce nœud : .*Les autres nœuds sont montrés comme il y a \d+ s/)
      await look(page, 'postgres')
    })
  })
})
