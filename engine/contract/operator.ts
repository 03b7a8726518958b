// Operators with a name, trial balance, audit trail and wallet search, for operators only.
import { amount, balance, currency, environment, listOf, PAGE_QUERY, phone, tagInput, tagOutput, timestamp, uuid } from './common.ts'
import { choice, nameText, nullable, type Static, Type, text } from './schema.ts'

export const OPERATOR_ROLES = ['admin', 'finance', 'curator', 'support'] as const

export type OperatorRole = (typeof OPERATOR_ROLES)[number]

function role() {
  return choice(OPERATOR_ROLES, {
    description:
      'All read. `admin` makes operators, merchants and keys; `finance` moves money; `curator` decides billers; `support` changes nothing.',
  })
}

function operatorName() {
  return nameText({ maxLength: 100, description: 'Shown in the audit trail.', examples: ['Fatou Ndiaye'] })
}

export const CreateOperatorBody = Type.Object(
  {
    name: operatorName(),
    email: Type.String({
      format: 'email',
      maxLength: 254,
      description: 'Of one operator only; case is ignored.',
      examples: ['fatou@service.example'],
    }),
    role: role(),
  },
  { $id: 'CreateOperatorBody' },
)

export type CreateOperatorBody = Static<typeof CreateOperatorBody>

export const OperatorName = Type.Object(
  {
    id: nullable(uuid({ description: 'Id of the operator.' }), { description: 'Null for the holder of OPERATOR_TOKEN.' }),
    name: Type.String({ description: 'Name of the operator; `OPERATOR_TOKEN` for the holder of the setting.', examples: ['Fatou Ndiaye'] }),
  },
  { $id: 'OperatorName', description: 'Who acted.' },
)

export type OperatorName = Static<typeof OperatorName>

export const Operator = Type.Object(
  {
    id: uuid({ description: 'Id of the operator.' }),
    name: operatorName(),
    email: Type.String({ description: 'Address of the operator, in lower case.', examples: ['fatou@service.example'] }),
    role: role(),
    created_by: OperatorName,
    created_at: timestamp(),
  },
  { $id: 'Operator', description: 'An operator with a name. A revoked one is no longer listed; the audit trail names it.' },
)

export type Operator = Static<typeof Operator>

export const OperatorList = listOf(Operator, 'OperatorList')

function operatorToken(description: string) {
  return Type.String({ pattern: '^operator_[A-Za-z0-9_-]{43}$', description })
}

export const CreatedOperator = Type.Object(
  {
    ...Operator.properties,
    token: operatorToken('Bearer token, and the way into the desk. Returned only once.'),
  },
  { $id: 'CreatedOperator' },
)

export type CreatedOperator = Static<typeof CreatedOperator>

export const OperatorRequest = Type.Object(
  {
    id: uuid({ description: 'Id of the request; of a creation also that of the operator once it is approved.' }),
    kind: choice(['create', 'revoke'], {
      description: 'What was asked for. A creation concerns `admin` and `finance`, a revocation `admin`.',
    }),
    operator_id: uuid({ description: 'The operator that is made or revoked.' }),
    state: choice(['waiting', 'approved', 'refused'], {
      description: '`waiting` until another person decides; `refused` too when the operator who asked is revoked.',
    }),
    name: operatorName(),
    email: Type.String({ description: 'Address of the operator, in lower case.', examples: ['fatou@service.example'] }),
    role: role(),
    requested_by: OperatorName,
    decided_by: nullable(OperatorName, { description: 'The other person; null while it waits.' }),
    reason: nullable(Type.String(), { description: 'Why it was refused; otherwise null.' }),
    created_at: timestamp(),
    decided_at: nullable(timestamp(), { description: 'Null while it waits.' }),
  },
  {
    $id: 'OperatorRequest',
    description: 'An operator with rights over money or operators, or the revocation of an administrator, that waits for another person.',
  },
)

export type OperatorRequest = Static<typeof OperatorRequest>

export const OperatorRequestList = listOf(OperatorRequest, 'OperatorRequestList')

export const RefuseOperatorBody = Type.Object(
  {
    reason: text({
      lines: 'one',
      minLength: 1,
      maxLength: 500,
      description: 'For the audit trail.',
      examples: ['Cette personne n’est pas connue.'],
    }),
  },
  { $id: 'RefuseOperatorBody' },
)

export type RefuseOperatorBody = Static<typeof RefuseOperatorBody>

export const ACCOUNT_TYPES = ['settlement', 'clearing', 'merchant', 'wallet', 'fee'] as const

export const TrialBalanceQuery = Type.Object({
  environment: Type.Optional(environment({ default: 'live' })),
  currency: Type.Optional(currency({ description: 'Only accounts in this currency. Without it: all, whose sums then mix currencies.' })),
})

export type TrialBalanceQuery = Static<typeof TrialBalanceQuery>

const TrialBalanceLine = Type.Object(
  {
    type: choice(ACCOUNT_TYPES, {
      description:
        '`settlement`, `clearing` and `fee` are accounts of the service itself. `fee` is absent while no fee stands on its account.',
    }),
    count: Type.Integer({ minimum: 0, description: 'Accounts of this type.' }),
    debit: balance({ minimum: 0, description: 'Sum of the balances that stand on the debit side.' } as object),
    credit: balance({ minimum: 0, description: 'Sum of the balances that stand on the credit side.' } as object),
    held: balance({ minimum: 0, description: 'Sum of the holds: part of `credit` that cannot be spent.' } as object),
  },
  { $id: 'TrialBalanceLine' },
)

export const TrialBalance = Type.Object(
  {
    balanced: Type.Boolean({ description: 'Whether the debits of all accounts equal their credits, in each currency.' }),
    accounts: Type.Array(TrialBalanceLine, { description: 'One line for each type of account.' }),
    transactions: Type.Integer({ minimum: 0, description: 'Ledger transactions of the environment so far, in all currencies.' }),
    last_sequence: Type.Integer({ minimum: 0, description: 'Sequence of the last log record that is included.' }),
  },
  { $id: 'TrialBalance' },
)

export type TrialBalance = Static<typeof TrialBalance>

export const AuditSubject = Type.Object(
  {
    kind: choice(['merchant', 'wallet', 'operator', 'rules'], {
      description: 'What the action is about. Products, keys, members and requests of a merchant count as the merchant.',
    }),
    id: Type.String({
      description: 'Id of the merchant, the wallet or the operator; environment of rules.',
      examples: ['01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f'],
    }),
    name: Type.String({
      description: 'Name of the merchant or operator; tag of the wallet; `limits` for rules.',
      examples: ['Boutique Awa'],
    }),
  },
  { $id: 'AuditSubject', description: 'Whom an action is about.' },
)

export type AuditSubject = Static<typeof AuditSubject>

export const OperatorAction = Type.Object(
  {
    id: uuid({ description: 'Id of the entry.' }),
    action: Type.String({ description: 'Name of the action.', examples: ['merchant.create'] }),
    target: Type.String({ description: 'Id, or tag with its `@`, of the object of the action.' }),
    subject: AuditSubject,
    environment: nullable(environment(), { description: 'Null for what belongs to both environments.' }),
    amount: Type.Optional(amount({ description: 'Of actions about money.' })),
    currency: Type.Optional(currency({ description: 'Beside an amount.' })),
    reference: Type.Optional(Type.String({ description: 'Reference of the movement. Only where there is one.' })),
    details: Type.Object({}, { additionalProperties: true, description: 'Parameters of the request, without secrets.' }),
    operator: OperatorName,
    created_at: timestamp(),
  },
  { $id: 'OperatorAction' },
)

export type OperatorAction = Static<typeof OperatorAction>

export const OperatorActionList = listOf(OperatorAction, 'OperatorActionList')

export const ListOperatorActionsQuery = Type.Object({
  ...PAGE_QUERY,
  operator: Type.Optional(
    Type.String({
      pattern: '^(?:root|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$',
      description: 'Only actions of the operator with this id; `root` is the holder of OPERATOR_TOKEN.',
      examples: ['root'],
    }),
  ),
  operator_id: Type.Optional(uuid({ description: 'Only actions of the operator with this id.' })),
  merchant_id: Type.Optional(uuid({ description: 'Only actions about this merchant.' })),
  tag: Type.Optional(tagInput({ description: 'Only actions about the wallets with this tag, in test and in live.' })),
  action: Type.Optional(Type.String({ maxLength: 64, description: 'Only actions with this name.', examples: ['merchant.create'] })),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Inclusive. The same as `created_from`, which it replaces.' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Exclusive. The same as `created_to`, which it replaces.' })),
})

export type ListOperatorActionsQuery = Static<typeof ListOperatorActionsQuery>

const { limit, cursor } = PAGE_QUERY

export const FindWalletsQuery = Type.Object({
  limit,
  cursor,
  q: text({
    lines: 'one',
    minLength: 3,
    maxLength: 255,
    description: 'Tag, phone (E.164, its `+` as `%2B`), or given and family name, in any case of letters, with or without accents.',
    examples: ['awa_diallo'],
  }),
  environment: Type.Optional(environment()),
})

export type FindWalletsQuery = Static<typeof FindWalletsQuery>

export const OperatorWallet = Type.Object(
  {
    id: uuid({ description: 'Id of the wallet.' }),
    tag: tagOutput(),
    phone: Type.String({
      pattern: '^\\+[1-9][0-9\u2022]{7,14}$',
      description: 'E.164. `support` reads the digits between the first three and the last two as `•`.',
      examples: ['+2250000000012'],
    }),
    family_name: Type.String({ description: 'Family name of the owner.', examples: ['Diallo'] }),
    given_name: Type.String({ description: 'Given name of the owner.', examples: ['Awa'] }),
    environment: environment(),
    blocked: Type.Boolean({ description: 'A blocked wallet receives nothing but refunds, and pays nothing (403 `wallet_blocked`).' }),
    block_reason: nullable(Type.String(), { description: 'Why an operator blocked it; null otherwise.' }),
    available: balance({ description: 'What may be spent now, in the smallest currency unit.' }),
    pending: balance({ description: 'Sum of the holds.' }),
    currency: currency(),
  },
  { $id: 'OperatorWallet' },
)

export type OperatorWallet = Static<typeof OperatorWallet>

const blockEnvironment = () => Type.Optional(environment({ default: 'live' }))

export const BlockWalletBody = Type.Object(
  {
    reason: text({ lines: 'one', minLength: 1, maxLength: 500, description: 'For the audit trail and for other operators.' }),
    environment: blockEnvironment(),
  },
  { $id: 'BlockWalletBody' },
)

export type BlockWalletBody = Static<typeof BlockWalletBody>

export const UnblockWalletBody = Type.Object({ environment: blockEnvironment() }, { $id: 'UnblockWalletBody' })

export type UnblockWalletBody = Static<typeof UnblockWalletBody>

export const ShowPhoneBody = Type.Object(
  {
    reason: text({ lines: 'one', minLength: 1, maxLength: 500, description: 'For the audit trail: why the number is needed.' }),
    environment: blockEnvironment(),
  },
  { $id: 'ShowPhoneBody' },
)

export type ShowPhoneBody = Static<typeof ShowPhoneBody>

export const WalletPhone = Type.Object({ tag: tagOutput(), phone: phone(), environment: environment() }, { $id: 'WalletPhone' })

export type WalletPhone = Static<typeof WalletPhone>

export const OperatorWalletList = listOf(OperatorWallet, 'OperatorWalletList')

export const ResetMemberTotpBody = Type.Object(
  { reason: text({ lines: 'one', minLength: 1, maxLength: 500, description: 'For the audit trail: how the member was identified.' }) },
  { $id: 'ResetMemberTotpBody' },
)

export type ResetMemberTotpBody = Static<typeof ResetMemberTotpBody>
