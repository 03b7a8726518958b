import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { frameBytesMax, newRingMemory, RingReader, RingWriter } from '../../../../http/server/threads/byte-ring.ts'
import { runs } from '../../../support/property-runs.ts'

const CAPACITY = 256

function push(writer: RingWriter, text: string, reservedBytes = text.length): boolean {
  const at = writer.reserve(reservedBytes)
  if (at < 0) return false
  writer.bytes.write(text, at, 'latin1')
  writer.commit(text.length)
  return true
}

function shift(reader: RingReader): string | null {
  if (!reader.next()) return null
  const text = reader.bytes.toString('latin1', reader.at, reader.at + reader.sizeBytes)
  reader.release()
  return text
}

const STEP = fc.oneof(
  fc.record({ push: fc.integer({ min: 0, max: frameBytesMax(CAPACITY) }), spare: fc.integer({ min: 0, max: 40 }) }),
  fc.constant({ shift: true } as const),
)

test('a ring gives every frame back once, whole and in order, whatever is written and read', () => {
  fc.assert(
    fc.property(fc.array(STEP, { maxLength: 200 }), (steps) => {
      const memory = newRingMemory(CAPACITY)
      const [writer, reader] = [new RingWriter(memory), new RingReader(memory)]
      const expected: string[] = []
      let number = 0
      for (const step of steps) {
        if ('shift' in step) {
          assert.equal(shift(reader), expected.shift() ?? null)
          continue
        }
        const text = String.fromCharCode(33 + (number++ % 90)).repeat(step.push)
        const isTaken = push(writer, text, Math.min(writer.frameBytesMax, step.push + step.spare))
        if (isTaken) expected.push(text)
        else assert.notEqual(expected.length, 0, 'an empty ring takes every frame')
      }
      for (const text of expected) assert.equal(shift(reader), text)
      assert.equal(shift(reader), null)
    }),
  )
})

const TORN_STEP = fc.record({
  kind: fc.constantFrom('push', 'push', 'reserve', 'look', 'release', 'release', 'new reader', 'new writer'),
  size: fc.nat(),
  spare: fc.nat({ max: 40 }),
})

type TornStep = typeof TORN_STEP extends fc.Arbitrary<infer Step> ? Step : never

/** A ring whose reader and writer may be replaced in the middle of a frame. */
class TornRing {
  /** Frames that are committed and not released. */
  readonly expected: string[] = []
  readonly #memory: SharedArrayBuffer
  readonly #largest: number
  #writer: RingWriter
  #reader: RingReader
  #isRead = false
  #count = 0

  constructor(capacity: number) {
    this.#memory = newRingMemory(capacity)
    this.#largest = frameBytesMax(capacity)
    this.#writer = new RingWriter(this.#memory)
    this.#reader = new RingReader(this.#memory)
  }

  do({ kind, size, spare }: TornStep): void {
    const sizeBytes = size % (this.#largest + 1)
    if (kind === 'push') this.#push(sizeBytes, spare)
    else if (kind === 'reserve') this.#reserve(sizeBytes)
    else if (kind === 'look') this.look()
    else if (kind === 'release') this.release()
    else if (kind === 'new writer') this.#writer = new RingWriter(this.#memory)
    else [this.#reader, this.#isRead] = [new RingReader(this.#memory), false]
  }

  look(): void {
    const reader = this.#reader
    this.#isRead = reader.next()
    const text = this.#isRead ? reader.bytes.toString('latin1', reader.at, reader.at + reader.sizeBytes) : undefined
    assert.equal(text, this.expected[0])
  }

  release(): void {
    if (!this.#isRead) return
    this.#reader.release()
    this.#isRead = false
    this.expected.shift()
  }

  #push(sizeBytes: number, spare: number): void {
    const text = String.fromCharCode(33 + (this.#count++ % 90)).repeat(sizeBytes)
    if (push(this.#writer, text, Math.min(this.#largest, sizeBytes + spare))) this.expected.push(text)
  }

  /** Bytes of a frame that is never committed. */
  #reserve(sizeBytes: number): void {
    const at = this.#writer.reserve(sizeBytes)
    if (at >= 0) this.#writer.bytes.fill(0xff, at, at + sizeBytes)
  }
}

test('a reader that ends inside a frame loses none, and a writer that ends inside one leaves nothing of it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 6, max: 12 }), fc.array(TORN_STEP, { maxLength: 200 }), (bits, steps) => {
      const ring = new TornRing(2 ** bits)
      for (const step of steps) ring.do(step)
      while (ring.expected.length > 0) {
        ring.look()
        ring.release()
      }
      ring.look()
    }),
    { numRuns: runs(300) },
  )
})

test('a frame is not visible before it is committed', () => {
  const memory = newRingMemory(CAPACITY)
  const [writer, reader] = [new RingWriter(memory), new RingReader(memory)]
  const at = writer.reserve(10)
  writer.bytes.fill(1, at, at + 10)
  assert.equal(reader.next(), false)
  writer.commit(10)
  assert.equal(reader.next(), true)
})

test('the counters of a ring wrap at 2^32', () => {
  const memory = newRingMemory(CAPACITY)
  const start = (2 ** 32 - CAPACITY / 2) | 0
  const control = new Int32Array(memory)
  control[0] = start
  control[16] = start
  const [writer, reader] = [new RingWriter(memory), new RingReader(memory)]
  for (let number = 0; number < 100; number++) {
    assert.ok(push(writer, `frame ${number}`))
    assert.ok(push(writer, 'x'.repeat(number)))
    assert.equal(shift(reader), `frame ${number}`)
    assert.equal(shift(reader), 'x'.repeat(number))
  }
})

test('a frame above the maximum is a bug of the caller', () => {
  const writer = new RingWriter(newRingMemory(CAPACITY))
  assert.throws(() => writer.reserve(writer.frameBytesMax + 1))
})

test('a reader sleeps only when the ring is empty, and is woken once', () => {
  const memory = newRingMemory(CAPACITY)
  const [writer, reader] = [new RingWriter(memory), new RingReader(memory)]
  push(writer, 'one')
  assert.equal(writer.mustWake(), false, 'it does not sleep')
  assert.equal(reader.sleep(), false, 'there is a frame')
  shift(reader)
  assert.equal(reader.sleep(), true)
  push(writer, 'two')
  assert.equal(writer.mustWake(), true)
  assert.equal(writer.mustWake(), false)
})

const WRITER_THREAD = `
const { workerData: { memory, source, loader, frames } } = require('node:worker_threads')
import(loader).then(({ register }) => { register(); return import(source) }).then(({ RingWriter }) => {
  const writer = new RingWriter(memory)
  for (let number = 0; number < frames; ) {
    const size = (number * 7919) % 400
    const at = writer.reserve(size + 4)
    if (at < 0) continue
    writer.bytes.writeUInt32LE(number, at)
    writer.bytes.fill(number & 0xff, at + 4, at + 4 + size)
    writer.commit(size + 4)
    number++
  }
})`

test('frames that another thread writes at full speed arrive whole', async () => {
  const frames = runs(3_000)
  const memory = newRingMemory(2048)
  const source = new URL('../../../../http/server/threads/byte-ring.ts', import.meta.url).href
  const worker = new Worker(WRITER_THREAD, {
    eval: true,
    workerData: { memory, source, loader: import.meta.resolve('tsx/esm/api'), frames },
  })
  const reader = new RingReader(memory)
  let number = 0
  const failed = new Promise<never>((_, reject) => worker.once('error', reject))
  const read = async (): Promise<void> => {
    while (number < frames) {
      while (reader.next()) {
        const { at, sizeBytes, bytes } = reader
        const size = (number * 7919) % 400
        assert.equal(bytes.readUInt32LE(at), number)
        assert.equal(sizeBytes, size + 4)
        assert.ok(bytes.subarray(at + 4, at + sizeBytes).every((byte) => byte === (number & 0xff)))
        reader.release()
        number++
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await Promise.race([read(), failed])
  await worker.terminate()
})
