// Types of the API, taken from the generated types of its OpenAPI document: bodies, queries and answers by operation.
import type { components, operations, paths, webhooks } from './api.js'

export type Operation = keyof operations

/** A named schema of the document: `Schema<'Charge'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

/** Error codes of this version, and `http_<status>` for answers without a code, as proxies send them. Later servers may send others. */
export type ErrorCode = keyof components['responses'] | `http_${number}`

type JsonOf<Holder> = Holder extends { content: { 'application/json': infer Json } } ? Json : never

/** Body of an operation. */
export type Body<Op extends Operation> = operations[Op] extends { requestBody?: infer Sent } ? JsonOf<NonNullable<Sent>> : never

/** Query parameters of an operation. */
export type Query<Op extends Operation> = operations[Op]['parameters'] extends { query?: infer Sent } ? NonNullable<Sent> : never

type SuccessOf<Responses> = { [Status in keyof Responses & (200 | 201 | 202)]: JsonOf<Responses[Status]> }[keyof Responses &
  (200 | 201 | 202)]

/** Successful answer of an operation. */
export type Answer<Op extends Operation> = SuccessOf<operations[Op]['responses']>

/** Record of a list. */
export type Row<Op extends Operation> = Answer<Op> extends { data: (infer One)[] } ? One : never

export type Verb = 'get' | 'post' | 'put' | 'delete'

/** Paths that have the method. */
export type PathOf<Method extends Verb> = {
  [Path in keyof paths]: [paths[Path][Method]] extends [undefined] ? never : Path
}[keyof paths]

/** Answer of a path and method. */
export type AnswerAt<Method extends Verb, Path extends keyof paths> = paths[Path][Method] extends { responses: infer Responses }
  ? SuccessOf<Responses>
  : never

/** Types of events that webhooks and streams bring. */
export type EventType = Schema<'WebhookEventType'> | 'ping'

type PayloadOf<Type extends keyof webhooks> = webhooks[Type] extends { post: { requestBody?: infer Sent } }
  ? JsonOf<NonNullable<Sent>>
  : never

/** The body of a webhook: `type` tells which `data` it carries. */
export type WebhookEvent = { [Type in EventType]: PayloadOf<Type> }[EventType]

/** Body of a lookup at a product's `lookup_url`. */
export type LookupQuestion = Schema<'LookupRequest'>
/** What a lookup answers with HTTP 200: the amount that is due, or why nothing can be paid. */
export type LookupAnswer = Schema<'LookupFound'> | Schema<'LookupRefused'>

/** A line of a payout batch. */
export type BatchLine = Schema<'BatchLine'>
export type BatchReport = Schema<'BatchReport'>
export type BatchReportLine = Schema<'BatchReport'>['items'][number]
export type LineWarning = Schema<'LineWarning'>
export type Charge = Schema<'Charge'>
export type Payout = Schema<'Payout'>
