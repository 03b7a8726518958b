// `trigger`: makes an event happen in the test environment, by the steps that make it happen in life.
import type { Cauri } from '../../cauri.ts'
import type { Command } from '../command.ts'
import { CommandError, UsageError } from '../command-errors.ts'
import { EXIT } from '../exit-codes.ts'
import { fields } from '../output.ts'

const AMOUNT = 1000
/** Reference of all that a trigger makes, deposits included, so that it is found in statements. */
const REFERENCE = 'cauri trigger'
const DAY_MS = 86_400_000

/** What each trigger makes; returns what it made. */
const TRIGGERS: Readonly<Record<string, (api: Cauri) => Promise<{ readonly id?: string | null; readonly state?: string }>>> = {
  'charge.succeeded': paidCharge,
  'charge.expired': async (api) => api.test.expireCharge((await newCharge(api)).token),
  'charge.cancelled': async (api) => api.charges.cancel((await newCharge(api)).token),
  'charge.refunded': async (api) => api.charges.refund((await paidCharge(api)).token),
  'payout.paid': async (api) => api.payouts.create(await fundedPayout(api)),
  'payout.failed': (api) => api.payouts.create(payoutTo(newTag())),
  'batch.completed': async (api) => api.batches.create({ items: [await fundedPayout(api)], reference: REFERENCE }),
  'schedule.run_failed': failedRun,
  'mandate.cancelled': cancelledMandate,
}

export const TRIGGER: Command = {
  name: ['trigger'],
  takes: '<event type>',
  choices: Object.keys(TRIGGERS),
  summary: 'Make an event happen in the test environment',
  about: `Types: ${Object.keys(TRIGGERS).join(', ')}.

Needs test keys, and makes real records of the test environment: wallets, charges, payouts, each with the reference "${REFERENCE}".
A wallet that pays gets ${AMOUNT} XOF first. payout.paid and batch.completed first deposit ${AMOUNT} XOF on your own test balance, which
they then pay out; the deposit is a line of your statement. charge.succeeded leaves you the ${AMOUNT} XOF of the charge.

The other types are not here. bill.paid and mandate.approved, .rejected, .paused and .charged need the customer's phone: on a
development server the simulated one at /dev/phone. biller.approved and .rejected decide the one biller that you have: submit it, then
POST /v1/biz/test/billers/approve. A ping goes to one endpoint: POST /v1/biz/webhook-endpoints/{id}/ping.`,
  options: {},
  examples: [
    ['cauri trigger charge.succeeded', 'a test wallet pays a charge; endpoints and cauri listen get the event'],
    ['cauri trigger payout.failed --json', 'a payout to a wallet that does not exist'],
  ],
  run: async ({ given, output, client }) => {
    const type = given.argument('event type')
    const make = Object.hasOwn(TRIGGERS, type) ? TRIGGERS[type] : undefined
    if (make === undefined) throw new UsageError(`types: ${Object.keys(TRIGGERS).join(', ')}`)
    const api = client()
    const { environment } = await api.ping()
    if (environment !== 'test') throw new CommandError('these are live keys: trigger needs test keys, and nothing was made')
    const made = await make(api)
    output.result({ type, made }, fields({ type, id: made.id, state: made.state }))
    return EXIT.done
  },
}

function newTag(): string {
  return `t_${Math.random().toString(36).slice(2, 10)}${Date.now().toString(36)}`.slice(0, 20)
}

function newCharge(api: Cauri) {
  return api.charges.create({ amount: AMOUNT, description: REFERENCE, reference: REFERENCE })
}

async function newWallet(api: Cauri): Promise<string> {
  return (await api.test.createWallet(newTag())).tag
}

async function paidCharge(api: Cauri) {
  const { token, id } = await newCharge(api)
  const payer = await newWallet(api)
  await api.test.deposit({ recipient: payer, amount: AMOUNT, reference: REFERENCE })
  await api.test.payCharge(token, { payer_tag: payer })
  return { token, id, state: 'paid' }
}

function payoutTo(recipient: string) {
  return { recipient, amount: AMOUNT, reference: REFERENCE }
}

/** Puts the amount on the merchant's balance. Returns its payout to a new wallet. */
async function fundedPayout(api: Cauri) {
  await api.test.deposit({ amount: AMOUNT, reference: REFERENCE })
  return payoutTo(await newWallet(api))
}

/** A run whose only line is to a wallet that does not exist. */
async function failedRun(api: Cauri) {
  const start_at = new Date(Date.now() + DAY_MS).toISOString()
  const { id } = await api.schedules.create({ recurrence: 'once', start_at, reference: REFERENCE, items: [payoutTo(newTag())] })
  return api.test.runSchedule(id)
}

async function cancelledMandate(api: Cauri) {
  const terms = { amount: AMOUNT, interval: 'on_demand', reference: REFERENCE } as const
  const { id } = await api.mandates.create({ customer_tag: await newWallet(api), ...terms })
  return api.mandates.cancel(id)
}
