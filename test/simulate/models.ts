// The models of all nouns, each in a file of its own, over one model of the accounts.
import assert from 'node:assert/strict'
import type { State } from '../../engine/domain/state.ts'
import type { Entry, NounModel } from './entry.ts'
import { AccountsModel } from './models/accounts.ts'
import { BillsModel } from './models/bills.ts'
import { CashModel } from './models/cash.ts'
import { ChargesModel } from './models/charges.ts'
import { MandatesModel } from './models/mandates.ts'
import { MoneyModel } from './models/money.ts'
import { OutboxesModel } from './models/outboxes.ts'
import { PeopleModel } from './models/people.ts'
import { SchedulesModel } from './models/schedules.ts'
import { SignInModel } from './models/sign-in.ts'

export class Models {
  /** How often each move of each state machine was seen. */
  readonly seen = new Map<string, number>()
  readonly accounts = new AccountsModel(this.seen)
  readonly money = new MoneyModel(this.accounts, this.seen)
  readonly charges = new ChargesModel(this.accounts, this.seen)
  readonly schedules = new SchedulesModel(this.seen)
  readonly mandates = new MandatesModel(this.accounts, this.seen)
  readonly cash = new CashModel(this.accounts, this.money, this.seen)
  readonly bills = new BillsModel(this.accounts, this.seen)
  readonly signIn = new SignInModel(this.seen)
  readonly people = new PeopleModel(this.seen)
  readonly outboxes = new OutboxesModel(this.charges, this.seen)
  /** In the order in which a record is audited: the outboxes last, because the others say what they hold. */
  readonly #all: readonly NounModel[] = [
    this.accounts,
    this.money,
    this.charges,
    this.schedules,
    this.mandates,
    this.cash,
    this.bills,
    this.signIn,
    this.people,
    this.outboxes,
  ]

  audit(entry: Entry): void {
    for (const model of this.#all) model.audit(entry)
    this.accounts.post(entry.record)
    this.accounts.number(entry)
  }

  compare(state: State): void {
    for (const model of this.#all) model.compare(state)
    assert.equal(
      state.timers.size,
      this.charges.timers + this.schedules.timers + this.mandates.timers,
      'each thing that waits for its time has one timer',
    )
  }

  /** What should have happened by itself long ago. */
  overdue(nowMs: number): string[] {
    return [...this.charges.overdue(nowMs), ...this.schedules.overdue(nowMs), ...this.mandates.overdue(nowMs)]
  }
}
