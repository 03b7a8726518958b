// The noun module of notices by e-mail, and of the news of the bell.

import { assert } from '../../kernel/assert.ts'
import type { DueTimer } from '../../kernel/timer-queue.ts'
import type { NounModule, TimedCommand } from '../noun-module.ts'
import type { State } from '../state.ts'
import { decideReadNews, READ_NEWS_REJECTIONS } from './news-decide.ts'
import { NEWS_MEMBERS, NOTICE_CAUSES } from './notice-causes-evolve.ts'
import { decideSendNotice, decideSetNotices, SEND_NOTICE_REJECTIONS, SET_NOTICES_REJECTIONS, type SendNotice } from './notice-decide.ts'
import { moveSummary, NOTICE_EVENTS } from './notice-evolve.ts'
import { NOTICE_TIMER, Notices } from './notice-state.ts'

export const NOTICE = {
  state: { name: 'notices', create: (shared) => new Notices(shared) },
  quotas: [],
  commands: {
    SetNotices: { decide: decideSetNotices, rejections: SET_NOTICES_REJECTIONS, overBudget: 'rejected' },
    ReadNews: { decide: decideReadNews, rejections: READ_NEWS_REJECTIONS, overBudget: 'rejected' },
    SendNotice: { decide: decideSendNotice, rejections: SEND_NOTICE_REJECTIONS, overBudget: 'counted' },
  },
  events: NOTICE_EVENTS,
  follows: { ...NOTICE_CAUSES, ...NEWS_MEMBERS, 'merchant.account_set@1': moveSummary },
  indexKeys: {},
  indexed: {},
  timers: { [NOTICE_TIMER]: sendNotice },
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule

function sendNotice(state: State, { key }: DueTimer): TimedCommand<SendNotice> {
  assert(state.notices.rows.get(key) !== undefined, 'a notice that has ended has no timer')
  return { command: { type: 'SendNotice', key }, mailbox: state.settlementAccount('live') }
}
