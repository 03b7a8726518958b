// What each command must come to by the models: accepted, or rejected by which code. A command without a verdict does not compile.
import assert from 'node:assert/strict'
import type { Decided } from './decisions.ts'
import type { Verdict, Verdicts } from './entry.ts'
import type { Models } from './models.ts'
import { accountVerdicts } from './verdicts/accounts.ts'
import { apiKeyVerdicts } from './verdicts/api-keys.ts'
import { billerVerdicts } from './verdicts/billers.ts'
import { billVerdicts } from './verdicts/bills.ts'
import { cashVerdicts } from './verdicts/cash.ts'
import { chargeVerdicts } from './verdicts/charges.ts'
import { contactVerdicts } from './verdicts/contacts.ts'
import { disbursementVerdicts } from './verdicts/disbursements.ts'
import { memberVerdicts } from './verdicts/members.ts'
import { merchantNameVerdicts } from './verdicts/merchant-names.ts'
import { moneyVerdicts } from './verdicts/money.ts'
import { noticeVerdicts } from './verdicts/notices.ts'
import { operatorVerdicts } from './verdicts/operators.ts'
import { outboxVerdicts } from './verdicts/outboxes.ts'
import { planVerdicts } from './verdicts/plans.ts'
import { problemVerdicts } from './verdicts/problems.ts'
import { signInVerdicts } from './verdicts/sign-in.ts'

type VerdictTable = Required<Verdicts>

function verdictsOf(models: Models): VerdictTable {
  return {
    ...accountVerdicts(models),
    ...apiKeyVerdicts(models),
    ...billerVerdicts(models),
    ...billVerdicts(models),
    ...cashVerdicts(models),
    ...chargeVerdicts(models),
    ...contactVerdicts(models),
    ...disbursementVerdicts(models),
    ...merchantNameVerdicts(models),
    ...memberVerdicts(models),
    ...noticeVerdicts(models),
    ...moneyVerdicts(models),
    ...operatorVerdicts(models),
    ...outboxVerdicts(models),
    ...planVerdicts(models),
    ...problemVerdicts(models),
    ...signInVerdicts(models),
  }
}

export class Judge {
  readonly #verdicts: VerdictTable

  constructor(models: Models) {
    this.#verdicts = verdictsOf(models)
  }

  /** Throws where the models say otherwise. They have seen all records before the decision. */
  judge(decided: Decided): void {
    const { command, code, sequence } = decided
    const verdict: Verdict = this.#verdicts[command.type]
    const expected = verdict(command as never, decided)
    if (expected === code) return
    const what = `${command.type} at ${sequence} was ${code ?? 'accepted'}, and by the model it is ${expected ?? 'accepted'}`
    assert.fail(`${what}: ${JSON.stringify(command)}`)
  }
}
