// The noun module of notices by e-mail.
import type { NounModule } from '../noun-module.ts'
import { NOTICE_CAUSES } from './notice-causes-evolve.ts'
import { decideSendNotice, decideSetNotices, SEND_NOTICE_REJECTIONS, SET_NOTICES_REJECTIONS } from './notice-decide.ts'
import { NOTICE_EVENTS } from './notice-evolve.ts'
import { Notices } from './notice-state.ts'
import { NOTICE_TIMERS } from './notice-timers.ts'

export const NOTICE = {
  state: { name: 'notices', create: (shared) => new Notices(shared) },
  quotas: [],
  commands: {
    SetNotices: { decide: decideSetNotices, rejections: SET_NOTICES_REJECTIONS, overBudget: 'rejected' },
    SendNotice: { decide: decideSendNotice, rejections: SEND_NOTICE_REJECTIONS, overBudget: 'counted' },
  },
  events: NOTICE_EVENTS,
  follows: NOTICE_CAUSES,
  indexKeys: {},
  indexed: {},
  timers: NOTICE_TIMERS,
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule
