// Owner of a wallet, as the owner sees it.
import { environment, phone, tagOutput, uuid } from './common.ts'
import { type Static, Type } from './schema.ts'

export const User = Type.Object(
  {
    id: uuid({ description: 'Id of the wallet.' }),
    phone: phone(),
    tag: tagOutput(),
    family_name: Type.String({ description: 'Family name of the owner.', examples: ['Diallo'] }),
    given_name: Type.String({ description: 'Given name of the owner.', examples: ['Awa'] }),
    environment: environment(),
  },
  { $id: 'User', description: 'Owner of a wallet.' },
)

export type User = Static<typeof User>
