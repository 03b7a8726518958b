// `charges create` with its QR code, and `links create`.

import type { Cauri } from '../../cauri.ts'
import { pause } from '../../retry-plan.ts'
import type { Charge } from '../../types.ts'
import type { Command, CommandContext } from '../command.ts'
import { CommandError, UsageError } from '../command-errors.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { defined } from '../given.ts'
import { fields, money, type Output } from '../output.ts'
import { qrLines } from '../qr-terminal.ts'

/** Interval of the question whether a charge is paid. */
const STATUS_MS = 1_000

export const CREATE_CHARGE: Command = {
  name: ['charges', 'create'],
  summary: 'Ask for a payment',
  options: {
    amount: { type: 'string', value: 'AMOUNT', about: 'whole XOF', isRequired: true },
    reference: { type: 'string', value: 'TEXT', about: 'your order number' },
    description: { type: 'string', value: 'TEXT', about: 'what the customer sees' },
    customer: { type: 'string', value: 'TAG', about: 'only this wallet may pay' },
    key: { type: 'string', value: 'KEY', about: 'Idempotency-Key; a new one without it' },
    qr: { type: 'boolean', about: 'show the QR code that the app scans; it changes every 15 seconds' },
    wait: { type: 'boolean', about: 'wait until it is paid, cancelled or expired; exit code 1 unless paid' },
  },
  examples: [
    ['cauri charges create --amount 2000 --reference CMD-1 --qr --wait', 'a till: shows the code until the customer has paid'],
    ['cauri charges create --amount 2000 --json', 'for a script'],
  ],
  run: createCharge,
}

async function createCharge({ given, output, client, signal }: CommandContext): Promise<ExitCode> {
  const amount = given.whole('amount', 1)
  if (amount === undefined) throw new UsageError('--amount is required')
  const body = { amount, reference: given.text('reference'), description: given.text('description'), customer_tag: given.text('customer') }
  const api = client()
  const charge = await api.charges.create(defined(body), defined({ idempotencyKey: given.text('key'), signal }))
  const { token, state, checkout_url, reference, currency } = charge
  output.result(charge, fields({ amount: money(charge.amount, currency), state, reference, token, checkout_url }))
  if (given.flag('qr') && !given.flag('wait')) await draw(api, charge, output, 0)
  return given.flag('wait') ? waitFor(api, charge, output, signal, given.flag('qr')) : EXIT.done
}

/** Draws the code over the `above` lines of the one before. Returns its lines and when it changes. */
async function draw(api: Cauri, { token }: Charge, output: Output, above: number): Promise<{ lines: number; changesAtMs: number }> {
  const { svg, payload, expires_in } = await api.checkout.qr(token)
  const lines = qrLines(svg, output.isTerminal)
  if (lines === null) throw new CommandError('the service sent a QR code of an unknown form')
  if (output.isJson) output.result({ payload, expires_in }, [])
  else output.raw(`${above === 0 ? '' : `\x1b[${above}A`}${lines.join('\n')}\n`)
  return { lines: lines.length, changesAtMs: Date.now() + expires_in * 1000 }
}

async function waitFor(api: Cauri, charge: Charge, output: Output, signal: AbortSignal, hasCode: boolean): Promise<ExitCode> {
  let code = { lines: 0, changesAtMs: 0 }
  for (;;) {
    const { state } = await api.checkout.status(charge.token, { signal })
    if (state !== 'pending') {
      output.result({ token: charge.token, state }, [state])
      return state === 'paid' ? EXIT.done : EXIT.rejected
    }
    const isFirst = code.lines === 0
    if (hasCode && (isFirst || (output.isTerminal && Date.now() >= code.changesAtMs))) code = await draw(api, charge, output, code.lines)
    await pause(STATUS_MS, signal)
  }
}

export const CREATE_LINK: Command = {
  name: ['links', 'create'],
  summary: 'Make a payment link: one address for many payments',
  options: {
    description: { type: 'string', value: 'TEXT', about: 'what customers see', isRequired: true },
    amount: { type: 'string', value: 'AMOUNT', about: 'of each payment; without it the customer types it' },
    reference: { type: 'string', value: 'TEXT', about: 'reference of every charge of the link' },
    'max-payments': { type: 'string', value: 'COUNT', about: 'the payment that reaches it closes the link' },
    'expires-at': { type: 'string', value: 'TIME', about: 'RFC 3339, for example 2027-01-31T18:00:00Z' },
    key: { type: 'string', value: 'KEY', about: 'Idempotency-Key; a new one without it' },
  },
  examples: [
    ['cauri links create --description "Caisse 1"', 'the customer types the amount'],
    ['cauri links create --description Concert --amount 5000 --max-payments 200', 'two hundred tickets'],
  ],
  run: async ({ given, output, client, signal }) => {
    const body = {
      description: given.required('description'),
      amount: given.whole('amount', 1),
      reference: given.text('reference'),
      max_payments: given.whole('max-payments', 1),
      expires_at: given.text('expires-at'),
    }
    const link = await client().paymentLinks.create(defined(body), defined({ idempotencyKey: given.text('key'), signal }))
    const { id, url, state, amount, currency, max_payments } = link
    output.result(link, fields({ url, state, id, amount: amount === null ? null : money(amount, currency), max_payments }))
    return EXIT.done
  },
}
