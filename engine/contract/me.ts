// The wallet's owner as they see themselves.
import { environment, phone, tagOutput, uuid } from './common.ts'
import { type Static, Type } from './schema.ts'

export const User = Type.Object(
  {
    id: uuid(),
    phone: phone(),
    tag: tagOutput(),
    family_name: Type.String(),
    given_name: Type.String(),
    environment: environment(),
  },
  { $id: 'User' },
)

export type User = Static<typeof User>
