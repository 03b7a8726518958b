// What requests about notices must come to.
import type { Verdicts } from '../entry.ts'
import type { Models } from '../models.ts'

export const noticeVerdicts = ({ members, notices }: Models) =>
  ({
    SetNotices: ({ userId, email }) => {
      const user = members.users.get(userId)
      if (user === undefined) return 'not_found'
      const wanted = Object.entries(email).some(([kind, isOn]) => isOn && kind !== 'new_device')
      return user.role === 'cashier' && wanted ? 'insufficient_role' : null
    },
    ReadNews: ({ userId }) => (members.users.has(userId) ? null : 'not_found'),
    SendNotice: ({ key }, { timeMs }) => ((notices.notices.get(key)?.dueMs ?? Number.POSITIVE_INFINITY) <= timeMs ? null : 'not_found'),
  }) satisfies Verdicts
