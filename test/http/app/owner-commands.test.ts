// Commands that a follower sends to the owner: which ones, in which pieces, and what comes back.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EngineApi, Envelope, Outcome } from '../../../engine/api.ts'
import { OwnerCommands, ownerCommandRoutes } from '../../../http/app/owner-commands.ts'
import type { NodeAnswer } from '../../../http/outbound/node-calls.ts'
import { type ForwardedRequest, NOT_OWNER } from '../../../http/server/cluster-role.ts'
import type { Call } from '../../../http/server/route.ts'
import { FORWARDED_KEYS_MAX } from '../../../http/server/server-limits.ts'

const KEPT: Envelope = {
  command: { type: 'KeepAnswer', account: 7, kind: 'ok' },
  mailbox: 7,
  idempotency: { scope: 'stream-ticket', key: 'k', fingerprint: 'f' },
}
const OK: Outcome = { kind: 'ok', body: '{}', replayed: false }

function submitted(commands: OwnerCommands, envelope: Envelope): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const code = commands.submit(envelope, { settle: resolve })
    if (code !== null) reject(new Error(code))
  })
}

/** An owner whose route takes what a follower sends. */
function owner(isFromNode = true) {
  const taken: Envelope[] = []
  const requests: ForwardedRequest[] = []
  const [route] = ownerCommandRoutes({
    engine: {
      submit: (envelope, reply) => {
        taken.push(envelope)
        reply.settle(OK)
        return null
      },
    },
  })
  const passOn = (request: ForwardedRequest): Promise<NodeAnswer | null> => {
    requests.push(request)
    return new Promise((resolve) => {
      const answer = (status: number, body: string): void => resolve({ status, headers: [], body: Buffer.from(body) })
      const call = { isFromNode, body: JSON.parse(Buffer.from(request.body).toString()), answer, refuse: () => answer(404, '{}') }
      route?.handle(call as unknown as Call)
    })
  }
  return { taken, requests, cluster: { isOwner: () => false, passOn } }
}

const nowhere = { submit: () => assert.fail('a follower runs no command') }

describe('a command of a follower', () => {
  test('the owner runs it with its key, and the follower gets the outcome', async () => {
    const { taken, requests, cluster } = owner()
    assert.deepEqual(await submitted(new OwnerCommands(nowhere, cluster), KEPT), OK)
    assert.deepEqual(taken, [KEPT])
    assert.equal(requests[0]?.isRepeatable, true)
  })

  test('used API keys are sent in pieces that the owner accepts', async () => {
    const { taken, cluster } = owner()
    const publicKeys = Array.from({ length: 2 * FORWARDED_KEYS_MAX + 1 }, (_, index) => `pk_test_${index}`)
    const envelope: Envelope = { command: { type: 'NoteKeyUses', publicKeys }, mailbox: 0, idempotency: null }
    assert.deepEqual(await submitted(new OwnerCommands(nowhere, cluster), envelope), OK)
    assert.deepEqual(
      taken.flatMap(({ command }) => (command.type === 'NoteKeyUses' ? command.publicKeys : [])),
      publicKeys,
    )
    assert.equal(taken.length, 3)
  })

  test('any other command is rejected', async () => {
    const { cluster } = owner()
    const envelope: Envelope = { command: { type: 'CreateTestWallet', tag: 'awa' }, mailbox: 7, idempotency: null }
    await assert.rejects(submitted(new OwnerCommands(nowhere, cluster), envelope), /unavailable/)
  })

  test('without an answer of the owner the outcome is unavailable', async () => {
    const cluster = { isOwner: () => false, passOn: () => Promise.resolve(null) }
    assert.equal((await submitted(new OwnerCommands(nowhere, cluster), KEPT)).kind, 'unavailable')
  })

  test('an owner that hands the log over sends the command back, so that the next owner runs it', async () => {
    const late: Outcome = { kind: 'unavailable', body: '', replayed: false }
    const tooLate: EngineApi['submit'] = (_, reply) => {
      reply.settle(late)
      return null
    }
    const engines: Pick<EngineApi, 'submit'>[] = [{ submit: () => 'unavailable' }, { submit: tooLate }]
    for (const engine of engines) {
      const sent: unknown[] = []
      const [route] = ownerCommandRoutes({ engine })
      const call = { isFromNode: true, body: { mailbox: 7, kept: KEPT.idempotency }, answerAs: (...answer: unknown[]) => sent.push(answer) }
      route?.handle(call as unknown as Call)
      assert.deepEqual(sent, [[503, '', [[NOT_OWNER, '1']]]])
    }
  })

  test('the owner runs nothing for a caller that is no node', async () => {
    const { taken, cluster } = owner(false)
    assert.equal((await submitted(new OwnerCommands(nowhere, cluster), KEPT)).kind, 'unavailable')
    assert.deepEqual(taken, [])
  })

  test('the owner itself, and a process without a cluster, run it at once', async () => {
    const engine: Pick<EngineApi, 'submit'> = {
      submit: (_, reply) => {
        reply.settle(OK)
        return null
      },
    }
    const cluster = { isOwner: () => true, passOn: () => assert.fail('nothing is forwarded') }
    for (const role of [cluster, null]) assert.deepEqual(await submitted(new OwnerCommands(engine, role), KEPT), OK)
  })
})
