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
    SendNotice: ({ prng, nowMs }) => {
      const all = [...notices.notices.values()]
      const due = all.filter(({ dueMs }) => dueMs <= nowMs)
      const row = recent(prng, due.length > 0 && prng.chance(0.9) ? due : all)
      return row === undefined ? null : { type: 'SendNotice', key: row.key }
    },
  }) satisfies Partial<Record<CommandType, Draw>>
