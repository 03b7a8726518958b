// `trigger`: makes an event happen in the test environment, by the steps that make it happen in life.
import type { Cauri } from '../../cauri.ts'
import type { Command } from '../command.ts'
import { UsageError } from '../command-errors.ts'
import { EXIT } from '../exit-codes.ts'
import { fields } from '../output.ts'

const AMOUNT = 1000
const DESCRIPTION = 'cauri trigger'

/** What each trigger makes; returns what it made. */
const TRIGGERS: Readonly<Record<string, (api: Cauri) => Promise<{ readonly id?: string | null; readonly state?: string }>>> = {
  'charge.succeeded': paidCharge,
  'charge.expired': async (api) => api.test.expireCharge((await newCharge(api)).token),
  'charge.cancelled': async (api) => api.charges.cancel((await newCharge(api)).token),
  'charge.refunded': async (api) => api.charges.refund((await paidCharge(api)).token),
  'payout.paid': async (api) => api.payouts.create({ recipient: await fundedWallet(api), amount: AMOUNT, reference: DESCRIPTION }),
  'payout.failed': (api) => api.payouts.create({ recipient: newTag(), amount: AMOUNT, reference: DESCRIPTION }),
  'batch.completed': async (api) =>
    api.batches.create({ items: [{ recipient: await fundedWallet(api), amount: AMOUNT }], reference: DESCRIPTION }),
}

export const TRIGGER: Command = {
  name: ['trigger'],
  takes: '<event type>',
  summary: 'Make an event happen in the test environment',
  about: `Types: ${Object.keys(TRIGGERS).join(', ')}. Needs test keys. New test wallets pay and are paid.`,
  options: {},
  examples: [
    ['cauri trigger charge.succeeded', 'a test wallet pays a charge; endpoints and cauri listen get the event'],
    ['cauri trigger payout.failed --json', 'a payout to a wallet that does not exist'],
  ],
  run: async ({ given, output, client }) => {
    const type = given.argument('event type')
    const make = Object.hasOwn(TRIGGERS, type) ? TRIGGERS[type] : undefined
    if (make === undefined) throw new UsageError(`types: ${Object.keys(TRIGGERS).join(', ')}`)
    const made = await make(client())
    output.result({ type, made }, fields({ type, id: made.id, state: made.state }))
    return EXIT.done
  },
}

function newTag(): string {
  return `t_${Math.random().toString(36).slice(2, 10)}${Date.now().toString(36)}`.slice(0, 20)
}

function newCharge(api: Cauri) {
  return api.charges.create({ amount: AMOUNT, description: DESCRIPTION })
}

/** Makes a test wallet with money, and gives the merchant as much. Returns the wallet's tag. */
async function fundedWallet(api: Cauri): Promise<string> {
  const { tag } = await api.test.createWallet(newTag())
  await api.test.deposit({ recipient: tag, amount: AMOUNT })
  await api.test.deposit({ amount: AMOUNT })
  return tag
}

async function paidCharge(api: Cauri) {
  const { token, id } = await newCharge(api)
  await api.test.payCharge(token, { payer_tag: await fundedWallet(api) })
  return { token, id, state: 'paid' }
}
