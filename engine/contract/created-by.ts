// Who made a record: an API key, a member with a session, or a payment link.
import { uuid } from './common.ts'
import { choice, type Static, Type } from './schema.ts'

const ID = uuid({ description: 'Id of the key, of the member or of the link.' })
const NAME = Type.String({
  description:
    'As it was then: label of the key, or its public key where it has none; e-mail address of the member; description of the link.',
  examples: ['caisse@boutique-awa.example'],
})

/** Who calls for a merchant. */
export const Caller = Type.Object(
  { kind: choice(['key', 'member'], { description: 'An API key, or a member in the dashboard.' }), id: ID, name: NAME },
  { $id: 'CallerName', description: 'Who made the record.' },
)

export type Caller = Static<typeof Caller>

/** Who makes a charge. */
export const ChargeMaker = Type.Object(
  {
    kind: choice(['key', 'member', 'link'], {
      description: 'An API key, a member in the dashboard, or a payment link that a customer opened.',
    }),
    id: ID,
    name: NAME,
  },
  { $id: 'ChargeMaker', description: 'Who made the charge.' },
)

export type ChargeMaker = Static<typeof ChargeMaker>
