// An engine with a merchant who has schedules, and short ways to look at them.

import assert from 'node:assert/strict'
import type { Command } from '../../engine/domain/command.ts'
import { payloadOf } from '../../engine/domain/record.ts'
import type { CreateSchedule } from '../../engine/domain/schedule/schedule-decide.ts'
import { scheduleRunsIndexKey } from '../../engine/domain/schedule/schedule-index-keys.ts'
import type { Schedule, ScheduleRan, ScheduleRun } from '../../engine/domain/schedule/schedule-state.ts'
import { type KnownMerchant, MEMBER, openMerchant, openWallet } from './commands.ts'
import { EngineFixture, type EngineFixtureParts } from './engine-fixture.ts'
import { outcomeStatus } from './outcome-status.ts'

export const DAY_MS = 86_400_000

export class ScheduleFixture {
  readonly fixture: EngineFixture
  readonly merchant: KnownMerchant

  private constructor(fixture: EngineFixture, merchant: KnownMerchant) {
    this.fixture = fixture
    this.merchant = merchant
  }

  static async open(amount: number, parts: EngineFixtureParts = {}): Promise<ScheduleFixture> {
    const fixture = await EngineFixture.open(parts)
    const merchant = openMerchant(fixture, 'baobab', amount)
    for (const tag of ['awa', 'moussa', 'koffi']) openWallet(fixture, tag)
    return new ScheduleFixture(fixture, merchant)
  }

  get nowMs(): number {
    return this.fixture.loop.nowMs
  }

  /** A schedule that pays awa 10 and moussa 20, by default. */
  create(more: Partial<CreateSchedule> = {}): Schedule {
    const { status, body } = this.do({
      type: 'CreateSchedule',
      merchant: this.merchant.test,
      recurrence: 'weekly',
      startMs: this.nowMs + DAY_MS,
      reference: 'PAIE',
      lines: [
        { recipient: 'awa', amount: 10, reference: '', note: 'n' },
        { recipient: 'moussa', amount: 20, reference: 'M', note: '' },
      ],
      by: MEMBER,
      ...more,
    })
    assert.equal(status, 201, body)
    return JSON.parse(body) as Schedule
  }

  do(command: Command): { readonly status: number; readonly body: string } {
    const outcome = this.fixture.do(command, { mailbox: this.merchant.test })
    return { status: outcomeStatus(outcome), body: outcome.body }
  }

  ask(
    type: 'PauseSchedule' | 'ResumeSchedule' | 'CancelSchedule',
    id: string,
  ): { readonly status: number; readonly body: Schedule & { readonly code?: string } } {
    const { status, body } = this.do({ type, merchant: this.merchant.test, id })
    return { status, body: JSON.parse(body) as Schedule }
  }

  /** Moves the clock and lets everything through. */
  pass(ms: number): void {
    this.fixture.loop.advance(ms)
    this.fixture.settle()
  }

  /** Newest first. */
  runs(id: string): readonly ScheduleRun[] {
    const { test } = this.merchant
    const keep = (hit: { readonly event: { readonly type: string } }): boolean => hit.event.type === 'schedule.ran'
    const { hits } = this.fixture.engine.history.page({ indexKeys: [scheduleRunsIndexKey(test, id)], limit: 100, keep })
    return hits.map(({ event }) => payloadOf<ScheduleRan>(event).run)
  }

  balanceOf(tag: string): number {
    return this.fixture.state.accounts.balance(this.fixture.state.wallets.byTag('test', tag)?.account ?? -1)
  }

  get balance(): number {
    return this.fixture.state.accounts.balance(this.merchant.test)
  }
}
