// A large body leaves in pieces, in the turns of its caller: no send holds the event loop for long, and what no one reads costs little.
import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { fairWork } from '../../../http/server/fair-work.ts'
import { endPaced, PACED_PIECE_BYTES, type PacedResponse } from '../../../http/server/paced-body.ts'
import { shared } from '../../../http/server/public-files.ts'
import { eventually, RawClient } from '../../support/raw-client.ts'
import { openFakeServer, plainRoute, type ServerWithoutEngine } from '../../support/server-without-engine.ts'

/** A response whose connection takes `roomBytes` more. */
class FakeResponse implements PacedResponse {
  readonly sent: number[] = []
  roomBytes = Number.POSITIVE_INFINITY
  /** Bytes in front of the body. */
  offset = 100
  aborted = (): void => {}
  writable = (): boolean => true
  closedWith: number | null = null

  getWriteOffset(): number {
    return this.offset
  }

  tryEnd({ byteLength: sizeBytes }: Uint8Array, total: number): [boolean, boolean] {
    const takenBytes = Math.min(sizeBytes, this.roomBytes)
    this.roomBytes -= takenBytes
    this.offset += takenBytes
    this.sent.push(takenBytes)
    return [takenBytes === sizeBytes, this.offset === 100 + total]
  }

  end(body: Uint8Array): void {
    this.closedWith = body.byteLength
  }

  onAborted(handler: () => void): void {
    this.aborted = handler
  }

  onWritable(handler: () => boolean): void {
    this.writable = handler
  }

  cork(write: () => void): void {
    write()
  }
}

const BODY = Buffer.alloc(5 * PACED_PIECE_BYTES + 1, 'é')

/** Resolves when all work that was there has run, and what it led to. */
async function allWork(): Promise<void> {
  do await fairWork.turn('test', 1)
  while (fairWork.waiting > 0)
}

function open(closesConnection = false): FakeResponse {
  const response = new FakeResponse()
  endPaced(response, { payload: BODY, owner: '192.0.2.1', closesConnection })
  return response
}

describe('a large body', () => {
  it('a large body leaves piece by piece, and other work of the loop has its turn before the first and behind each', async () => {
    const response = open()
    assert.deepEqual(response.sent, [])
    await allWork()
    assert.deepEqual(response.sent, [...Array(5).fill(PACED_PIECE_BYTES), 1])
  })

  it('a connection without room gets the rest of a large body when it has room again, from where it stopped', async () => {
    const response = open()
    response.roomBytes = PACED_PIECE_BYTES + 10
    await allWork()
    assert.deepEqual(response.sent, [PACED_PIECE_BYTES, 10])
    response.roomBytes = Number.POSITIVE_INFINITY
    assert.equal(response.writable(), true)
    await allWork()
    assert.deepEqual(response.sent.slice(2), [...Array(3).fill(PACED_PIECE_BYTES), PACED_PIECE_BYTES - 9])
  })

  it('a client that has left gets no further piece of a large body', async () => {
    const response = open()
    response.aborted()
    await allWork()
    assert.deepEqual(response.sent, [])
  })

  it('a large body that ends its connection takes one turn as a whole, unless its client has left', async () => {
    const response = open(true)
    const left = open(true)
    assert.equal(response.closedWith, null)
    left.aborted()
    await allWork()
    assert.deepEqual([response.closedWith, left.closedWith], [BODY.byteLength, null])
  })

  let server: ServerWithoutEngine
  afterEach(() => server?.http.close())

  const TEXT = 'public '.repeat(200_000)
  const routes = [
    plainRoute('GET', '/text', 'public', (call) => call.answerAs(200, TEXT, [])),
    plainRoute('GET', '/file', 'public', (call) => call.answerAs(200, shared(Buffer.from(TEXT)), [])),
  ]
  for (const threads of [0, 2]) {
    for (const path of ['/text', '/file']) {
      it(`with ${threads} HTTP threads ${path} passes whole beside clients that do not read, on a connection that stays and on one that closes`, async () => {
        server = await openFakeServer({ threads, routes })
        const idle = await Promise.all(Array.from({ length: 5 }, () => RawClient.open(server.port)))
        for (const client of idle) {
          client.pause()
          client.send(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
        }
        const stays = await RawClient.open(server.port)
        for (let count = 1; count <= 2; count++) {
          stays.send(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
          await eventually(() => stays.received.split(TEXT).length === count + 1, 'the whole body')
        }
        // A client of an unknown proxy: its connection ends with the answer.
        const closes = await RawClient.open(server.port)
        closes.send(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n`)
        await closes.closed()
        assert.ok(closes.received.endsWith(TEXT))
        assert.match(closes.received, /\r\nConnection: close\r\n/)
        for (const client of idle) client.close()
        stays.close()
        await eventually(() => server.http.connections === 0, 'the end of every connection')
      })
    }
  }
})
