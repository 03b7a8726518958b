// `payouts create` and `payouts list`.
import type { AnswerHead } from '../../answers.ts'
import type { Payout } from '../../types.ts'
import type { Command } from '../command.ts'
import { UsageError } from '../command-errors.ts'
import { EXIT } from '../exit-codes.ts'
import { defined } from '../given.ts'
import { columns, fields, money, shown } from '../output.ts'

const ROWS_DEFAULT = 20

export const CREATE_PAYOUT: Command = {
  name: ['payouts', 'create'],
  summary: 'Pay a wallet',
  about: 'A payout that cannot be paid has the exit code 5. After a lost connection run it again with the same --key: it is paid once.',
  options: {
    recipient: { type: 'string', value: 'TAG', about: 'tag of the wallet, or its phone', isRequired: true },
    amount: { type: 'string', value: 'AMOUNT', about: 'whole XOF', isRequired: true },
    reference: { type: 'string', value: 'TEXT', about: 'your reference' },
    note: { type: 'string', value: 'TEXT', about: 'text for the recipient' },
    key: { type: 'string', value: 'KEY', about: 'Idempotency-Key; a new one without it' },
  },
  examples: [
    ['cauri payouts create --recipient @awa_demo --amount 5000 --reference PRIME', 'one payout'],
    ['cauri payouts create --recipient @awa_demo --amount 5000 --key prime-2026-11-awa', 'may be repeated without paying twice'],
  ],
  run: async ({ given, output, client }) => {
    const amount = given.whole('amount', 1)
    if (amount === undefined) throw new UsageError('--amount is required')
    const body = { recipient: given.required('recipient'), amount, reference: given.text('reference'), note: given.text('note') }
    let key: string | null = null
    const onAnswer = ({ idempotencyKey }: AnswerHead): void => {
      key = idempotencyKey
    }
    const payout = await client().payouts.create(defined(body), { onAnswer, ...defined({ idempotencyKey: given.text('key') }) })
    const { id, state, recipient, currency, reference, failure_code } = payout
    output.result(payout, fields({ state, amount: money(amount, currency), recipient, reference, failure_code, id, key }))
    return state === 'paid' ? EXIT.done : EXIT.partlyFailed
  },
}

export const LIST_PAYOUTS: Command = {
  name: ['payouts', 'list'],
  summary: 'List payouts, newest first',
  options: {
    state: { type: 'string', value: 'STATE', about: 'paid or failed' },
    recipient: { type: 'string', value: 'TAG', about: 'only payouts to this recipient' },
    reference: { type: 'string', value: 'TEXT', about: 'only payouts with this reference' },
    limit: { type: 'string', value: 'COUNT', about: 'rows; 20 without it' },
    csv: { type: 'boolean', about: 'all rows as CSV' },
  },
  examples: [
    ['cauri payouts list --state failed --limit 100', 'what was not paid'],
    ['cauri payouts list --csv > payouts.csv', 'an export of any size'],
  ],
  run: async ({ given, output, client, signal }) => {
    const query = defined({ state: stateOf(given.text('state')), recipient: given.text('recipient'), reference: given.text('reference') })
    const { payouts } = client()
    if (given.flag('csv')) {
      for await (const text of payouts.csv(query, { signal })) output.raw(text)
      return EXIT.done
    }
    const rows = await payouts.list(query, { signal }).toArray(given.whole('limit', 1) ?? ROWS_DEFAULT)
    if (output.isJson) for (const row of rows) output.result(row, [])
    else output.result(null, columns(rows.map(payoutRow)))
    return EXIT.done
  },
}

function stateOf(text: string | undefined): Payout['state'] | undefined {
  if (text === undefined || text === 'paid' || text === 'failed') return text
  throw new UsageError('--state is paid or failed')
}

function payoutRow({ created_at, state, amount, currency, recipient, reference, failure_code }: Payout): string[] {
  return [created_at, state, money(amount, currency), recipient, shown(reference), failure_code ?? '']
}
