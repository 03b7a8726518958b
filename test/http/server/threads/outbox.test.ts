import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newRingMemory, RingReader } from '../../../../http/server/threads/byte-ring.ts'
import { Outbox, readFrames } from '../../../../http/server/threads/outbox.ts'

const CAPACITY = 256
const FRAME = 'f'.repeat(60)

/** An outbox on a small ring, with what its reader gets. */
function openOutbox(): { readonly outbox: Outbox; readonly read: () => string[] } {
  const memory = newRingMemory(CAPACITY)
  const reader = new RingReader(memory)
  const read = (): string[] => {
    const texts: string[] = []
    readFrames(reader, 1000, (bytes, at, end) => void texts.push(bytes.toString('latin1', at, end)))
    return texts
  }
  return { outbox: new Outbox(memory, () => undefined), read }
}

function send(outbox: Outbox, text: string): void {
  const at = outbox.open(text.length)
  outbox.close(at + outbox.bytes.write(text, at, 'latin1'))
}

function trySend(outbox: Outbox, text: string, boundedBytesMax: number): boolean {
  const at = outbox.tryOpen(text.length, boundedBytesMax)
  if (at >= 0) outbox.close(at + outbox.bytes.write(text, at, 'latin1'))
  return at >= 0
}

/** Everything that the reader gets until no frame waits. */
function drain({ outbox, read }: ReturnType<typeof openOutbox>): string[] {
  const texts = read()
  while (outbox.isBehind) {
    outbox.flush()
    texts.push(...read())
  }
  return texts
}

test('bounded frames wait in their order with others', () => {
  const opened = openOutbox()
  const sent = Array.from({ length: 12 }, (_, index) => `${index} ${FRAME}`)
  for (const [index, text] of sent.entries()) {
    if (index % 2 === 0) send(opened.outbox, text)
    else assert.ok(trySend(opened.outbox, text, CAPACITY * 4), text)
  }
  assert.ok(opened.outbox.isBehind)
  assert.deepEqual(drain(opened), sent)
  assert.equal(opened.outbox.waitingBytes, 0)
})

test('a bounded frame is rejected when too many bytes of such frames wait, and taken again once they have left', () => {
  const opened = openOutbox()
  const { outbox } = opened
  // Frames of the other kind do not count.
  for (let count = 0; count < 20; count++) send(outbox, FRAME)
  const boundedBytesMax = 2 * FRAME.length
  assert.deepEqual(
    Array.from({ length: 4 }, () => trySend(outbox, FRAME, boundedBytesMax)),
    [true, true, false, false],
  )
  assert.equal(drain(opened).length, 22)
  for (let round = 0; round < 3; round++) {
    let taken = 0
    while (trySend(outbox, FRAME, boundedBytesMax)) taken++
    assert.ok(taken > 2, 'some find room in the ring')
    assert.equal(drain(opened).length, taken)
  }
})

test('a frame of the other kind waits after one was rejected', () => {
  const opened = openOutbox()
  while (trySend(opened.outbox, FRAME, 0));
  send(opened.outbox, 'other')
  assert.equal(drain(opened).at(-1), 'other')
})
