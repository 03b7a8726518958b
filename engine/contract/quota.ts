// Use of the quotas, for operators only.
import { choice, nullable, type Static, Type } from './schema.ts'

const QUOTA_HOLDER_KINDS = ['account', 'merchant', 'user', 'biller', 'network'] as const

const LargestHolder = Type.Object(
  {
    kind: choice(QUOTA_HOLDER_KINDS, { description: 'What holds rows of this quota.' }),
    id: Type.String({
      description: 'Id of the merchant, user or biller; the tag of a wallet. Empty for a network, whose address is not stored.',
      examples: ['019aa0f8-1c00-7e1f-8c4d-5e6f708192a3'],
    }),
    name: Type.String({ description: 'Its name; empty where it has none.', examples: ['Boutique Awa'] }),
  },
  { $id: 'LargestQuotaHolder' },
)

const QuotaUseRow = Type.Object(
  {
    name: Type.String({ description: '`param` of the rejection `quota_exceeded`.', examples: ['payment_links'] }),
    part: choice(['live', 'test', 'both'], { description: 'Environment of the rows; `both` for rows without one.' }),
    rows: Type.Integer({ minimum: 0, description: 'Rows of all holders.' }),
    max: Type.Integer({ minimum: 0, description: 'Maximum of all rows.' }),
    share: Type.Integer({ minimum: 0, description: 'Maximum of one holder.' }),
    at_share: choice(['refused', 'oldest_gives_way', 'not_made'], { description: 'What happens at the share of a holder.' }),
    largest_rows: Type.Integer({ minimum: 0, description: 'Rows of the holder with the most.' }),
    largest_holder: nullable(LargestHolder, { description: 'A holder with the most rows; null without rows.' }),
  },
  { $id: 'QuotaUseRow' },
)

export type QuotaUseRow = Static<typeof QuotaUseRow>

export const QuotaReport = Type.Object(
  { quotas: Type.Array(QuotaUseRow, { description: 'One row for each quota and part.' }) },
  { $id: 'QuotaReport' },
)

export type QuotaReport = Static<typeof QuotaReport>
