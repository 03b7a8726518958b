// Who may look at wallets by a name that a caller gives: one door for merchants, and those that have a reason of their own.
import { type Exception, isWithin, type Rule, withExceptions } from './violation.ts'

const LOOK = /\bwallets\s*\.(?:payeeOf|byRecipient|byTag|byPhone)\(/

const EXCEPTIONS: readonly Exception[] = [
  { file: 'engine/domain/recipient-check/recipient-checks.ts', reason: 'the door: it counts the unknown recipients of a merchant' },
  { file: 'engine/domain/transfer/transfer-decide.ts', reason: 'a wallet that sends, behind its PIN' },
  { file: 'engine/domain/auth/otp-decide.ts', reason: 'the same answer for a known and an unknown phone' },
  { file: 'engine/domain/auth/signup-decide.ts', reason: 'a tag or phone that is taken' },
  { file: 'engine/domain/wallet/wallet-decide.ts', reason: 'a tag or phone that is taken' },
  { file: 'engine/domain/wallet/block-decide.ts', reason: 'operators' },
  { file: 'engine/domain/wallet/phone-decide.ts', reason: 'operators' },
  { file: 'engine/domain/rules/rule-change.ts', reason: 'operators' },
  { file: 'engine/domain/rules/present-rules.ts', reason: 'operators' },
  { file: 'engine/domain/funding/funding-decide.ts', reason: 'operators, and play money of the test environment' },
  { file: 'engine/domain/funding/approval-request.ts', reason: 'operators' },
  { file: 'engine/domain/operator/note-decide.ts', reason: 'operators' },
  { file: 'engine/domain/charge/charge-payment-decide.ts', reason: 'the payer of a charge, for its refund' },
  { file: 'engine/domain/charge/charge-versions.ts', reason: 'the stream of the customer; the merchant is answered the same without one' },
  { file: 'engine/domain/bill/bill-refund-decide.ts', reason: 'the payer of a bill, for its refund' },
]

export const RECIPIENT_DOOR: Rule = {
  name: 'recipients-have-one-door',
  reason:
    'A decision that looks at a recipient beside the budget of unknown ones tells merchants which wallets exist, as many as they ask.',
  check: (tree) => {
    const found = [...tree.files.values()]
      .filter(({ path }) => isWithin('engine/domain/', path))
      .flatMap(({ path, text }) => {
        const line = text.split('\n').findIndex((one) => LOOK.test(one)) + 1
        return line === 0 ? [] : [{ file: path, line, message: 'looks at a wallet by its name' }]
      })
    return withExceptions(
      found,
      EXCEPTIONS.filter(({ file }) => tree.files.has(file)),
    )
  },
}
