// Hosted code of strangers who signed up by themselves and try it out without end: it sends what escapes worst, it logs without
// end, it sleeps and spins. None of it may end the sandbox or take what honest lookups and fulfillments need.
import { PRODUCTS, PROFILE, put } from '../../../support/biller-callers.ts'
import { GOOD_PRODUCTS } from '../../../support/biller-engine.ts'
import type { Client } from '../../../support/client.ts'
import type { TestServer } from '../../../support/server-fixture.ts'
import type { Attack, AttackFigures } from '../attack.ts'

interface HostedAttack {
  readonly name: string
  readonly title: string
  /** One for each merchant. */
  readonly codes: readonly string[]
  /** Of one merchant. */
  readonly runsAtOnce: number
}

const SLUG = 'essai'

const QUOTES = `async function onPaid() {
  const body = '"'.repeat(250000)
  await Promise.allSettled(Array.from({ length: 10 }, () => fetch('https://localhost:1/', { method: 'POST', body })))
}`
const LOUD = `async function onPaid() {
  for (let round = 0; round < 20; round++) {
    for (let line = 0; line < 500; line++) console.log('"\\\\' + line)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}`
const SLEEP = 'function onPaid() { return new Promise((resolve) => setTimeout(resolve, 4000)) }'
const SPIN = 'function onPaid() { for (const end = Date.now() + 4000; Date.now() < end; ); }'

export const HOSTED_QUOTES = hostedAttack({
  name: 'hosted-quotes',
  title: 'Two merchants try code out that sends ten bodies of 250 000 quotes at once.',
  codes: [QUOTES, QUOTES],
  runsAtOnce: 1,
})

export const HOSTED_LOGS = hostedAttack({
  name: 'hosted-logs',
  title: 'Four merchants try code out that logs 10 000 lines, far more than a log keeps.',
  codes: [LOUD, LOUD, LOUD, LOUD],
  runsAtOnce: 2,
})

export const HOSTED_SLEEPERS = hostedAttack({
  name: 'hosted-sleepers',
  title: 'Four merchants try code out that sleeps or spins for four seconds, ten runs of each at once.',
  codes: [SLEEP, SLEEP, SPIN, SPIN],
  runsAtOnce: 10,
})

function hostedAttack({ name, title, codes, runsAtOnce }: HostedAttack): Attack {
  return {
    name,
    title,
    prepare: async ({ server }) => {
      const clients = await Promise.all(codes.map((code, index) => openStranger(server, `Essai ${index}`, code)))
      return async (signal) => {
        const figures: Record<string, number> = { ended: 0, refused: 0, lost: 0 }
        const all = clients.flatMap((client) => Array.from({ length: runsAtOnce }, () => tryOut(client, figures, signal)))
        await Promise.all(all)
        return figures satisfies AttackFigures
      }
    },
    judge: ({ lost }) => (lost === 0 ? [] : [`${lost} runs saw the sandbox lost or refused`]),
  }
}

async function openStranger(server: TestServer, displayName: string, code: string): Promise<Client> {
  const { test } = await server.merchant(displayName)
  await put(test, { ...PROFILE, display_name: displayName })
  await test.post(PRODUCTS, { slug: SLUG, ...GOOD_PRODUCTS.user, fulfillment_mode: 'code', fulfillment_code: code })
  return test
}

async function tryOut(client: Client, figures: Record<string, number>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { text } = await client.post(`${PRODUCTS}/${SLUG}/test-fulfillment`, {})
    const figure = /sandbox was lost|sandbox is not available/.test(text)
      ? 'lost'
      : /too many runs|used up/.test(text)
        ? 'refused'
        : 'ended'
    figures[figure] = (figures[figure] ?? 0) + 1
  }
}
