// Commands of requests that a follower answers itself: a ticket that is used up, and API keys that were used. They run at the owner
// of the log. Only nodes of the cluster may send them.
import type { EngineApi, Envelope, Outcome, Reply } from '../../engine/api.ts'
import type { ErrorCode } from '../../engine/contract/errors.ts'
import { type Static, Type } from '../../engine/contract/schema.ts'
import type { NodeAnswer } from '../outbound/node-calls.ts'
import { type ClusterRole, NOT_OWNER } from '../server/cluster-role.ts'
import { type Call, type Route, route } from '../server/route.ts'
import { FORWARDED_KEYS_MAX } from '../server/server-limits.ts'

const PATH = '/node/commands'

const NodeCommand = Type.Object({
  mailbox: Type.Integer({ minimum: 0 }),
  /** Idempotency key of `KeepAnswer`. */
  kept: Type.Optional(Type.Object({ scope: Type.String(), key: Type.String(), fingerprint: Type.String() })),
  /** Keys of `NoteKeyUses`. */
  publicKeys: Type.Optional(Type.Array(Type.String(), { maxItems: FORWARDED_KEYS_MAX })),
})
type NodeCommand = Static<typeof NodeCommand>

const UNAVAILABLE: Outcome = { kind: 'unavailable', body: '', replayed: false }
/** No address of a caller is counted for these commands. */
const ADDRESS = 'node'

/** Submits at the owner, whichever node that is. `cluster` is null where the log belongs to this process. */
export class OwnerCommands {
  readonly #engine: Pick<EngineApi, 'submit'>
  readonly #cluster: Pick<ClusterRole, 'isOwner' | 'passOn'> | null

  constructor(engine: Pick<EngineApi, 'submit'>, cluster: Pick<ClusterRole, 'isOwner' | 'passOn'> | null) {
    this.#engine = engine
    this.#cluster = cluster
  }

  /** As `EngineApi.submit`. A follower forwards `KeepAnswer` and `NoteKeyUses`, and rejects any other command. */
  readonly submit = (envelope: Envelope, reply: Reply): ErrorCode | null => {
    const cluster = this.#cluster
    if (cluster === null || cluster.isOwner()) return this.#engine.submit(envelope, reply)
    const parts = forwardedParts(envelope)
    if (parts.length === 0) return 'unavailable'
    void Promise.all(parts.map((part) => askOwner(cluster, part))).then((outcomes) => {
      reply.settle(outcomes.find(({ kind }) => kind !== 'ok') ?? (outcomes[0] as Outcome))
    })
    return null
  }
}

/** Returns the bodies to send; empty for a command that is not forwarded. */
function forwardedParts({ command, mailbox, idempotency }: Envelope): NodeCommand[] {
  if (command.type === 'KeepAnswer' && command.kind === 'ok' && idempotency !== null) {
    const { scope, key, fingerprint } = idempotency
    return [{ mailbox, kept: { scope, key, fingerprint } }]
  }
  if (command.type !== 'NoteKeyUses') return []
  const { publicKeys } = command
  const count = Math.ceil(publicKeys.length / FORWARDED_KEYS_MAX)
  return Array.from({ length: count }, (_, at) => ({
    mailbox,
    publicKeys: publicKeys.slice(at * FORWARDED_KEYS_MAX, (at + 1) * FORWARDED_KEYS_MAX),
  }))
}

async function askOwner(cluster: Pick<ClusterRole, 'passOn'>, part: NodeCommand): Promise<Outcome> {
  const request = { method: 'POST', path: PATH, headers: ['Content-Type', 'application/json'], body: Buffer.from(JSON.stringify(part)) }
  const answer = await cluster.passOn({ ...request, address: ADDRESS, isLocal: false, isRepeatable: true })
  return outcomeOf(answer)
}

function outcomeOf(answer: NodeAnswer | null): Outcome {
  return answer === null || answer.status !== 200 ? UNAVAILABLE : (JSON.parse(Buffer.from(answer.body).toString()) as Outcome)
}

export function ownerCommandRoutes(parts: { readonly engine: Pick<EngineApi, 'submit'> }): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: PATH,
      // A follower would forward a request of its caller, and the owner would take it for the follower's own.
      atEveryNode: true,
      operationId: 'runNodeCommand',
      tag: 'Pages',
      summary: 'A command of another node',
      auth: 'public',
      idempotency: 'none',
      body: NodeCommand,
      responses: [{ status: 200, description: 'The outcome.' }],
      errors: [],
      handle: (call) => run(parts.engine, call),
    }),
  ]
}

function run(engine: Pick<EngineApi, 'submit'>, call: Call<NodeCommand>): void {
  if (!call.isFromNode) return call.refuse('not_found')
  const { mailbox, kept, publicKeys } = call.body
  const envelope: Envelope =
    publicKeys === undefined
      ? { command: { type: 'KeepAnswer', account: mailbox, kind: 'ok' }, mailbox, idempotency: kept ?? null }
      : { command: { type: 'NoteKeyUses', publicKeys }, mailbox, idempotency: null }
  // Both commands may be sent again: the node asks the next owner.
  const sendBack = (): void => call.answerAs(503, '', [[NOT_OWNER, '1']])
  const settle = (outcome: Outcome): void => (outcome.kind === 'unavailable' ? sendBack() : call.answer(200, JSON.stringify(outcome)))
  const code = engine.submit(envelope, { settle })
  if (code === 'unavailable') sendBack()
  else if (code !== null) call.refuse<ErrorCode>(code)
}
