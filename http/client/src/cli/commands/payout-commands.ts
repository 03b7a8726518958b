// `payouts create`.
import type { AnswerHead } from '../../answers.ts'
import type { Command } from '../command.ts'
import { UsageError } from '../command-errors.ts'
import { EXIT } from '../exit-codes.ts'
import { defined } from '../given.ts'
import { fields, money } from '../output.ts'

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
  run: async ({ given, output, client, signal }) => {
    const amount = given.whole('amount', 1)
    if (amount === undefined) throw new UsageError('--amount is required')
    const body = { recipient: given.required('recipient'), amount, reference: given.text('reference'), note: given.text('note') }
    let key: string | null = null
    const onAnswer = ({ idempotencyKey }: AnswerHead): void => {
      key = idempotencyKey
    }
    const payout = await client().payouts.create(defined(body), { onAnswer, signal, ...defined({ idempotencyKey: given.text('key') }) })
    const { id, state, recipient, currency, reference, failure_code } = payout
    output.result(payout, fields({ state, amount: money(amount, currency), recipient, reference, failure_code, id, key }))
    return state === 'paid' ? EXIT.done : EXIT.partlyFailed
  },
}
