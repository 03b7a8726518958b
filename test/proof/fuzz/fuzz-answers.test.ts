// The short form of `npm run fuzz -- --answers`, and a whole server whose gateway and whose biller answer so.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Customer, openBillerSystem, openBillServer, openPaidFor } from '../../support/bill-callers.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import { rawServer } from '../../support/receiver.ts'
import { TestServer } from '../../support/server-fixture.ts'
import { newLivePhone } from '../../support/wallet-callers.ts'
import { fuzzAnswers, play, send } from './answer-fuzz.ts'
import { HOSTILE_ANSWERS } from './hostile-answers.ts'
import { Canary } from './outbound-fuzz.ts'

const SEED = 20_261_123
const CHANGED = 60
/** Those that end: the others take the deadline of a call, ten seconds. */
const ENDING = HOSTILE_ANSWERS.filter(({ then, isEarly }) => isEarly !== true && (then === 'end' || then === 'reset'))
const CODES_PER_NETWORK = 15
/** Of one wallet. */
const LOOKUPS_AT_ONCE = 2

test('no answer of another system makes a call throw, last, grow or go elsewhere', async () => {
  const { failures, hits, answers } = await fuzzAnswers(HOSTILE_ANSWERS.length + CHANGED, SEED)
  assert.deepEqual(failures, [])
  assert.equal(hits, 0)
  assert.equal(answers, HOSTILE_ANSWERS.length + CHANGED)
})

test('a server sends its next code after its gateway has answered in every wrong way', async () => {
  const canary = await Canary.open()
  let played = 0
  const sent: string[] = []
  const gateway = await rawServer((socket) => {
    const next = ENDING[played++]
    if (next !== undefined) return play(socket, next, canary.port)
    socket.on('data', (bytes) => {
      sent.push(bytes.toString('latin1'))
      socket.end('HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    })
  })
  const server = await TestServer.open({ settings: { SMS_URL: `http://127.0.0.1:${gateway.port}/`, SMS_PER_MINUTE: '6000' } })
  try {
    const ask = async (index: number): Promise<string> => {
      const phone = newLivePhone()
      const client = server.anybody.from(`127.41.${Math.floor(index / CODES_PER_NETWORK)}.1`)
      const { status, text } = await client.post('/v1/auth/phone/start', { phone, purpose: 'signup' })
      assert.equal(status, 200, text)
      return phone
    }
    for (let index = 0; index < ENDING.length; index++) await ask(index)
    await eventuallyAsync(async () => played >= ENDING.length, 'every answer')
    const phone = await ask(ENDING.length)
    await eventuallyAsync(async () => sent.some((call) => call.includes(phone)), 'the next code')
    assert.equal(canary.hits, 0)
    assert.equal((await server.anybody.get('/healthz')).status, 200)
  } finally {
    await server.close()
    await gateway.close()
    await canary.close()
  }
})

test('a customer gets a documented answer whatever a biller’s system answers', async () => {
  const [server, system, canary] = [await openBillServer(), await openBillerSystem(), await Canary.open()]
  try {
    system.answering = (_received, response) => response.end(JSON.stringify({ ok: true, amount: 1500 }))
    const customer = await Customer.open(server, await openPaidFor(server, system))
    let played = 0
    const statuses = new Set<number>()
    const work = async (): Promise<void> => {
      while (played < ENDING.length) {
        // The client has checked the answer against the document.
        const { status, text } = await customer.quote()
        assert.ok(status < 500 || [502, 503, 504].includes(status), text)
        statuses.add(status)
      }
    }
    system.answering = (_received, response) => {
      const { socket } = response
      const answer = ENDING[played++ % ENDING.length]
      if (socket !== null && answer !== undefined) send(socket, answer, canary.port)
    }
    await Promise.all(Array.from({ length: LOOKUPS_AT_ONCE }, work))
    assert.ok(statuses.has(201) || statuses.has(200), 'some answers are good')
    assert.ok(statuses.has(502), 'some are malformed')
    assert.equal(canary.hits, 0)
    system.answering = (_received, response) => response.end(JSON.stringify({ ok: true, amount: 1500 }))
    await eventuallyAsync(async () => (await customer.quote()).status < 300, 'an honest answer')
  } finally {
    await server.close()
    await system.close()
    await canary.close()
  }
})
