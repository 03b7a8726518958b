// What a notice's timer means when it is due: its e-mails are queued, or the notice ends.
import { assert } from '../../kernel/assert.ts'
import type { DueTimer } from '../../kernel/timer-queue.ts'
import type { TimedCommand } from '../noun-module.ts'
import type { State } from '../state.ts'
import type { SendNotice } from './notice-decide.ts'
import { NOTICE_TIMER } from './notice-state.ts'

export const NOTICE_TIMERS = { [NOTICE_TIMER]: sendNotice } as const

function sendNotice(state: State, { key }: DueTimer): TimedCommand<SendNotice> {
  assert(state.notices.rows.get(key) !== undefined, 'a notice that has ended has no timer')
  return { command: { type: 'SendNotice', key }, mailbox: state.settlementAccount('live') }
}
