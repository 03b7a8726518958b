// News of a member: the events that notices are about, kept for the bell of the dashboard, read or not by each member.
import { timestamp } from './common.ts'
import { type Static, Type } from './schema.ts'

/** News that are kept for a merchant, and beside them for each member. */
export const NEWS_MAX = 20

export const NewsItem = Type.Object(
  {
    type: Type.String({ description: 'What happened.', examples: ['top_up.confirmed'] }),
    at: timestamp({ description: 'When it happened.' }),
    summary: Type.String({
      description: 'For people: French, or English for a caller whose Accept-Language prefers it.',
      examples: ['Votre approvisionnement de 250 000 F CFA est arrivé sur votre compte.'],
    }),
    page: Type.String({
      description: 'Page of the dashboard behind `/dashboard/live/`.',
      examples: ['top-ups/019aa0fb-f5e9-7a2b-9c3d-4e5f60718293'],
    }),
    is_read: Type.Boolean({ description: 'Whether the member has read it.' }),
  },
  { $id: 'NewsItem' },
)

export type NewsItem = Static<typeof NewsItem>

const unread_count = Type.Integer({
  ...{ minimum: 0, maximum: 2 * NEWS_MAX, format: 'int32', examples: [1] },
  description: 'News that the member has not read.',
})
const mark = Type.String({
  ...{ pattern: '^[0-9]{1,15}-[0-9]{1,15}$', maxLength: 31, examples: ['12-3'] },
  description: 'Stands for these news. A member who has read them sends it back.',
})

export const News = Type.Object(
  { unread_count, mark, data: Type.Array(NewsItem, { maxItems: 2 * NEWS_MAX, description: 'Newest first.' }) },
  { $id: 'News', description: 'What happened in live, for the signed-in member.' },
)

export type News = Static<typeof News>

export const ReadNewsBody = Type.Object({ mark }, { $id: 'ReadNewsBody' })

export const NewsRead = Type.Object({ unread_count }, { $id: 'NewsRead' })

export type NewsRead = Static<typeof NewsRead>
