// Requests about notices: what members choose, and what timers send.
import { NOTICE_KINDS } from '../../../../engine/contract/notice.ts'
import type { CommandType } from '../../../../engine/domain/command.ts'
import { type Draw, recent } from '../entry.ts'
import type { Models } from '../models.ts'

export const noticeDraws = ({ members, notices }: Models) =>
  ({
    SetNotices: ({ prng }) => {
      const user = recent(prng, [...members.users.values()])
      if (user === undefined) return null
      const email = Object.fromEntries(NOTICE_KINDS.flatMap((kind) => (prng.chance(0.3) ? [[kind, prng.chance(0.6)]] : [])))
      return { type: 'SetNotices', userId: prng.chance(0.05) ? 'ghost' : user.id, email }
    },
    ReadNews: ({ prng }) => {
      const user = recent(prng, [...members.users.values()])
      if (user === undefined) return null
      const [merchant, own] = [notices.news.get(user.merchantId) ?? 0, notices.news.get(user.id) ?? 0]
      const seen = { merchantCount: merchant + prng.below(3), ownCount: Math.max(0, own - prng.below(2)) }
      return { type: 'ReadNews', userId: prng.chance(0.1) ? 'ghost' : user.id, ...seen }
    },
    SendNotice: ({ prng, nowMs }) => {
      const all = [...notices.notices.values()]
      const due = all.filter(({ dueMs }) => dueMs <= nowMs)
      const row = recent(prng, due.length > 0 && prng.chance(0.9) ? due : all)
      return row === undefined ? null : { type: 'SendNotice', key: row.key }
    },
  }) satisfies Partial<Record<CommandType, Draw>>
