// The models of all nouns, each in a file of its own, over one model of the accounts.
import assert from 'node:assert/strict'
import type { State } from '../../../engine/domain/state.ts'
import type { Entry, NounModel } from './entry.ts'
import { AccountsModel } from './models/accounts.ts'
import { ActivationFilesModel } from './models/activation-files.ts'
import { ApiKeysModel } from './models/api-keys.ts'
import { BillersModel } from './models/billers.ts'
import { BillsModel } from './models/bills.ts'
import { CashModel } from './models/cash.ts'
import { ChargesModel } from './models/charges.ts'
import { ContactsModel } from './models/contacts.ts'
import { DisbursementsModel } from './models/disbursements.ts'
import { FeesModel } from './models/fees.ts'
import { ListsModel } from './models/lists.ts'
import { LogBudgetModel } from './models/log-budget.ts'
import { MandatesModel } from './models/mandates.ts'
import { MembersModel } from './models/members.ts'
import { MerchantLogosModel } from './models/merchant-logos.ts'
import { MerchantNamesModel } from './models/merchant-names.ts'
import { MessagesModel } from './models/messages.ts'
import { MoneyModel } from './models/money.ts'
import { NoticesModel } from './models/notices.ts'
import { OperatorsModel } from './models/operators.ts'
import { OutboxesModel } from './models/outboxes.ts'
import { PayoutRulesModel } from './models/payout-rules.ts'
import { ProblemsModel } from './models/problems.ts'
import { RecipientsModel } from './models/recipients.ts'
import { SchedulesModel } from './models/schedules.ts'
import { SignInModel } from './models/sign-in.ts'
import { Moves } from './moves.ts'

export class Models {
  /** How often each move of each state machine was seen. */
  readonly seen = new Moves()
  readonly accounts = new AccountsModel(this.seen)
  readonly activationFiles = new ActivationFilesModel()
  readonly merchantLogos = new MerchantLogosModel()
  readonly merchantNames = new MerchantNamesModel()
  readonly payoutRules = new PayoutRulesModel()
  readonly fees = new FeesModel(this.accounts, this.seen)
  readonly recipients = new RecipientsModel(this.accounts, this.payoutRules, this.fees)
  readonly money = new MoneyModel(this.accounts, this.recipients, this.payoutRules, this.fees, this.seen)
  readonly contacts = new ContactsModel(this.seen)
  readonly problems = new ProblemsModel(this.seen)
  readonly disbursements = new DisbursementsModel(this, this.seen)
  readonly charges = new ChargesModel(this.accounts, this.fees, this.seen)
  readonly schedules = new SchedulesModel(this.disbursements, this.seen)
  readonly mandates = new MandatesModel(this.accounts, this.seen)
  readonly cash = new CashModel(this.accounts, this.money, this.fees, this.seen)
  readonly billers = new BillersModel(this.accounts, this.seen)
  readonly bills = new BillsModel(this.accounts, this.billers, this.fees, this.seen)
  readonly signIn = new SignInModel(this.seen)
  readonly members = new MembersModel(this.seen)
  readonly notices = new NoticesModel(this.accounts, this.members)
  readonly apiKeys = new ApiKeysModel()
  readonly operators = new OperatorsModel(this.seen)
  readonly messages = new MessagesModel(this.seen)
  readonly outboxes = new OutboxesModel(this.charges, this.seen)
  readonly logBudget = new LogBudgetModel(this.accounts)
  readonly lists = new ListsModel(this.accounts, this.charges)
  /** In the order in which a record is audited: the outboxes last, because the others say what they hold. */
  readonly #all: readonly NounModel[] = [
    this.accounts,
    this.activationFiles,
    this.merchantNames,
    this.merchantLogos,
    this.money,
    // Behind the payouts of a turn, and before what they count.
    this.disbursements,
    // Behind the payouts, whose amounts it has counted.
    this.payoutRules,
    // Behind the payouts, which are judged by what was spent before them.
    this.recipients,
    this.contacts,
    this.problems,
    this.charges,
    this.schedules,
    this.mandates,
    this.cash,
    this.billers,
    this.bills,
    // Behind all that pay fees.
    this.fees,
    this.signIn,
    this.members,
    this.notices,
    this.apiKeys,
    this.operators,
    this.messages,
    this.outboxes,
  ]

  readonly #timed = [this.charges, this.schedules, this.mandates, this.disbursements, this.notices, this.outboxes.fanOuts] as const

  audit(entry: Entry): void {
    for (const model of this.#all) model.audit(entry)
    this.money.countAlone(entry)
    this.accounts.post(entry.record)
    this.accounts.number(entry)
    this.logBudget.audit(entry)
    this.lists.audit(entry.record)
  }

  compare(state: State): void {
    for (const model of this.#all) model.compare(state)
    assert.equal(
      state.timers.size,
      this.#timed.reduce((sum, { timers }) => sum + timers, 0),
      'each thing that waits for its time has one timer',
    )
  }

  /** What should have happened by itself long ago. */
  overdue(nowMs: number): string[] {
    return this.#timed.flatMap((model) => model.overdue(nowMs))
  }
}
