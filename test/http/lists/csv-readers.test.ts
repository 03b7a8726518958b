// Exports over real sockets: a reader who stops is waited for without reading on, and one who leaves is forgotten.
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import type { ListPage } from '../../../engine/api.ts'
import type { PageQuery } from '../../../engine/contract/common.ts'
import { decodeCursor, encodeCursor } from '../../../engine/contract/cursor.ts'
import { answerCsv, type CsvCall } from '../../../http/lists/csv.ts'
import { CSV_EXPORTS, CSV_LINES_PER_SLICE } from '../../../http/lists/list-limits.ts'
import { accountQuota, heldQuotasWith } from '../../support/held-quotas.ts'
import { eventually } from '../../support/raw-client.ts'
import { CREDENTIALS, openFakeServer, plainRoute, type ServerWithoutEngine } from '../../support/server-without-engine.ts'

const LINES = 120_000
const LINE = `${'x'.repeat(254)}\r\n`
/** Far more than what the buffers of both sockets take. */
const BYTES = LINES * LINE.length

let pages = 0
const quotas = heldQuotasWith()
const exports = accountQuota(CSV_EXPORTS, quotas)
const running = (): number => quotas.use(CSV_EXPORTS).total
let server: ServerWithoutEngine

function page({ limit = CSV_LINES_PER_SLICE, cursor }: PageQuery): ListPage {
  pages++
  const place = cursor === undefined ? null : decodeCursor(cursor)
  const below = place !== null && 'position' in place ? place.position : LINES
  const rows = Array.from({ length: Math.min(limit, below) }, () => '')
  return { rows, nextCursor: below > limit ? encodeCursor({ position: below - limit }) : null }
}

before(async () => {
  const engine = { whenDurable: (run: () => void) => run() }
  const list = { path: '/csv', fileName: 'lines.csv', header: 'x\r\n', page, line: () => LINE }
  server = await openFakeServer({ routes: [plainRoute('GET', '/csv', 'key', (call) => answerCsv(call as CsvCall, engine, exports, list))] })
})

after(() => server.http.close())

/** Stops once it has the beginning of the answer. */
async function reader(): Promise<{ readonly socket: Socket; bytes(): number; end(): string }> {
  const socket = connect(server.port, '127.0.0.1')
  let bytes = 0
  let last = ''
  const credentials = Object.entries(CREDENTIALS).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`GET /csv HTTP/1.1\r\nHost: x\r\nAccept: text/csv\r\n${credentials.join('')}\r\n`)
  await new Promise((resolve) => {
    socket.on('data', (chunk) => {
      if (bytes === 0) {
        socket.pause()
        resolve(null)
      }
      bytes += chunk.length
      last = (last + chunk.toString('latin1')).slice(-16)
    })
  })
  return { socket, bytes: () => bytes, end: () => last }
}

/** Resolves when nothing was read for the export while many others were answered. */
async function untilItWaits(): Promise<number> {
  for (let before = -1; before !== pages; ) {
    before = pages
    for (let count = 0; count < 30; count++) assert.equal((await fetch(`http://127.0.0.1:${server.port}/healthz`)).status, 200)
  }
  return pages
}

test('a reader who stops is waited for, and gets the rest', async () => {
  const one = await reader()
  const waitingAt = await untilItWaits()
  assert.ok(waitingAt * 100 * LINE.length < BYTES / 2, `${waitingAt} pages were read for a client that reads nothing`)
  assert.equal(running(), 1)
  one.socket.resume()
  await eventually(() => one.end().endsWith('\r\n0\r\n\r\n'), 'the end of the file')
  assert.ok(one.bytes() > BYTES)
  assert.equal(pages, LINES / 100)
  assert.equal(running(), 0)
  one.socket.destroy()
})

test('a reader who leaves ends its export', async () => {
  const one = await reader()
  await untilItWaits()
  one.socket.destroy()
  await eventually(() => running() === 0, 'the place of the export')
  const before = pages
  assert.equal(await untilItWaits(), before)
  assert.deepEqual(server.notes.errors, [])
})
