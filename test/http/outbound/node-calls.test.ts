// Calls between nodes against real sockets: what arrives, what comes back, and whether a failed call was sent.
import assert from 'node:assert/strict'
import { createServer, type Server, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { freePort } from '../../../bench/process/free-port.ts'
import { NodeCallError, NodeCalls, type NodeRequest } from '../../../http/outbound/node-calls.ts'
import { closeLater } from '../../support/scratch-folder.ts'

const REQUEST: NodeRequest = { method: 'POST', path: '/v1/x?y=1', headers: ['X-Name', 'one'], body: Buffer.from('{"a":1}') }
const OK = 'HTTP/1.1 201 Created\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nX-Odd-CASE: v\r\nContent-Length: 3\r\n\r\n\0\xff\x80'

/** A node that calls `onRequest` with the text of each request that is complete. */
async function node(test: TestContext, onRequest: (text: string, socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      const head = text.indexOf('\r\n\r\n')
      if (head === -1 || text.length < head + 4 + length) return
      const whole = text
      text = ''
      onRequest(whole, socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeLater(test, {
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

function callsOf(test: TestContext, limits: ConstructorParameters<typeof NodeCalls>[0] = {}): NodeCalls {
  const calls = new NodeCalls(limits)
  closeLater(test, calls)
  return calls
}

async function failure(calling: Promise<unknown>): Promise<NodeCallError> {
  const error = await calling.then(
    () => assert.fail('the call succeeded'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof NodeCallError, String(error))
  return error
}

describe('a call to another node', () => {
  test('the request arrives byte for byte, and the answer comes back byte for byte', async (t) => {
    let seen = ''
    const url = await node(t, (text, socket) => {
      seen = text
      socket.write(Buffer.from(OK, 'latin1'))
    })
    const headers = ['Host', 'pay.example', 'X-Name', 'un', 'X-Name', 'deux', 'User-Agent', Buffer.from('é€').toString('latin1')]
    const answer = await callsOf(t).call(url, { ...REQUEST, headers })
    assert.match(seen, /^POST \/v1\/x\?y=1 HTTP\/1\.1\r\n/)
    assert.match(seen, /\r\nhost: pay\.example\r\n/i)
    assert.match(seen, /\r\nX-Name: un\r\nX-Name: deux\r\n/)
    assert.ok(seen.includes(`User-Agent: ${Buffer.from('é€').toString('latin1')}\r\n`))
    assert.ok(seen.endsWith('\r\n\r\n{"a":1}'))
    assert.equal(answer.status, 201)
    assert.deepEqual(answer.headers, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Odd-CASE', 'v', 'Content-Length', '3'])
    assert.deepEqual(answer.body, Buffer.from([0, 0xff, 0x80]))
  })

  test('connections are used again', async (t) => {
    const ports = new Set<number | undefined>()
    const url = await node(t, (_text, socket) => {
      ports.add(socket.remotePort)
      socket.write(Buffer.from(OK, 'latin1'))
    })
    const calls = callsOf(t)
    for (let round = 0; round < 20; round++) assert.equal((await calls.call(url, REQUEST)).status, 201)
    // A call that begins while the connection ends the one before takes a second connection.
    assert.ok(ports.size <= 2, String(ports.size))
  })

  test('a port where nothing listens, and a name that does not exist, received nothing', async (t) => {
    const calls = callsOf(t)
    assert.equal((await failure(calls.call(`http://127.0.0.1:${await freePort()}`, REQUEST))).wasSent, false)
    assert.equal((await failure(calls.call(`http://localhost:${await freePort()}`, REQUEST))).wasSent, false)
    assert.equal((await failure(calls.call('http://no-such-node.invalid:80', REQUEST))).wasSent, false)
  })

  test('a connection that breaks before the answer, or inside it, may have delivered the request', async (t) => {
    for (const said of ['', 'HTTP/1.1 201 Cre', 'HTTP/1.1 201 Created\r\nContent-Length: 10\r\n\r\nhalf']) {
      const url = await node(t, (_text, socket) => void socket.end(said))
      assert.equal((await failure(callsOf(t).call(url, REQUEST))).wasSent, true, said)
    }
  })

  test('a reset connection and an answer that is no HTTP may have delivered the request', async (t) => {
    const resetting = await node(t, (_text, socket) => void socket.resetAndDestroy())
    assert.equal((await failure(callsOf(t).call(resetting, REQUEST))).wasSent, true)
    const talking = await node(t, (_text, socket) => void socket.write('hello\r\n\r\n'))
    assert.equal((await failure(callsOf(t).call(talking, REQUEST))).wasSent, true)
  })

  test('a node that does not answer in time may have received the request', async (t) => {
    const url = await node(t, () => {})
    assert.equal((await failure(callsOf(t, { timeoutMs: 100 }).call(url, REQUEST))).wasSent, true)
  })

  test('an aborted call may have delivered the request', async (t) => {
    const abort = new AbortController()
    const url = await node(t, () => abort.abort())
    assert.equal((await failure(callsOf(t).call(url, REQUEST, abort.signal))).wasSent, true)
  })

  test('an answer beyond the maximum is not collected', async (t) => {
    const url = await node(t, (_text, socket) => void socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n${'x'.repeat(2000)}`))
    assert.equal((await failure(callsOf(t, { answerBytesMax: 1999 }).call(url, REQUEST))).wasSent, true)
    assert.equal((await callsOf(t, { answerBytesMax: 2000 }).call(url, REQUEST)).body.length, 2000)
  })

  test('an answer without a body is empty', async (t) => {
    const url = await node(t, (_text, socket) => void socket.write('HTTP/1.1 204 No Content\r\n\r\n'))
    const { status, body } = await callsOf(t).call(url, { ...REQUEST, method: 'DELETE', body: Buffer.alloc(0) })
    assert.equal(status, 204)
    assert.equal(body.length, 0)
  })

  test('a request that is no HTTP is a bug of the caller and is not sent', async (t) => {
    const url = await node(t, () => assert.fail('nothing arrives'))
    const calling = callsOf(t).call(url, { ...REQUEST, headers: ['X-Name', 'a\r\nb'] })
    await assert.rejects(calling, (error: Error) => !(error instanceof NodeCallError))
  })
})
