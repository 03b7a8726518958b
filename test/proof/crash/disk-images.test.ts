// The short form of `npm run crash -- --images 20000`, and the rules by which images are built.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Prng } from '../../support/prng.ts'
import { DiskImages } from './disk-images.ts'
import { runDiskImages } from './image-run.ts'
import { type DiskEvent, parseRecording, straceMissing } from './system-calls.ts'

const IMAGES = 200

describe('an image of a disk', () => {
  const write = (at: number, offset: number, letter: string, isSync = false): DiskEvent => {
    return { kind: 'write', file: 'log', offset, bytes: Buffer.alloc(1024, letter), isSync, startAt: at, endAt: at + 1 }
  }
  const events: DiskEvent[] = [
    write(0, 0, 'a'),
    { kind: 'flush', file: 'log', startAt: 2, endAt: 3 },
    write(4, 1024, 'b'),
    write(6, 2048, 'c', true),
    { kind: 'answer', reference: 'one', startAt: 8 },
  ]
  const source = { before: new Map([['log', Buffer.alloc(1024, '-')]]), events }

  it('has everything that was flushed, and any part of what was not', () => {
    const images = new DiskImages(source)
    const seen = new Set<string>()
    for (let seed = 1; seed <= 300; seed++) {
      const { files, at, answered } = images.image(new Prng(seed), 'torn')
      const text = files.get('log')?.toString('latin1') ?? ''
      if (at >= 3) assert.equal(text.slice(0, 1024), 'a'.repeat(1024))
      if (at >= 7) assert.equal(text.slice(2048), 'c'.repeat(1024))
      if (at < 4) assert.ok(!text.includes('b'))
      assert.equal(answered, at >= 8 ? 1 : 0)
      seen.add(text.replace(/(.)\1+/g, '$1'))
    }
    assert.ok(seen.size > 4, [...seen].join(' '))
  })

  it('has nothing for certain when the flushes are taken away', () => {
    const images = new DiskImages(source, false)
    const lost = Array.from({ length: 50 }, (_, seed) => images.image(new Prng(seed), 'dropped').files.get('log')?.toString('latin1'))
    assert.ok(lost.every((text) => text === '-'.repeat(1024)))
  })
})

it('a recording has the writes, flushes and answers of a server, over calls that others interrupt', () => {
  const hex = (text: string): string => [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
  const answer = 'HTTP/1.1 201 Created\r\n\r\n{"reference":"one"}'
  const lines = [
    `7 openat(AT_FDCWD<${hex('/')}>, "${hex('/d/log/data.mdb')}", O_RDWR|O_CLOEXEC) = 4<${hex('/d/log/data.mdb')}>`,
    `7 openat(AT_FDCWD<${hex('/')}>, "${hex('/d/log/data.mdb')}", O_WRONLY|O_DSYNC|O_CLOEXEC) = 5<${hex('/d/log/data.mdb')}>`,
    `8 pwrite64(4</d/log/data.mdb>, "${hex('ab')}", 2, 4096 <unfinished ...>`,
    '7 write(1<pipe:[1]>, "\\x0a", 1) = 1',
    '8 <... pwrite64 resumed>) = 2',
    `8 pwritev(4<${hex('/d/log/data.mdb')}>, [{iov_base="${hex('c')}", iov_len=1}, {iov_base="${hex('d')}", iov_len=1}], 2, 8192) = 2`,
    '8 lseek(4</d/log/data.mdb>, 300, SEEK_SET) = 300',
    `8 writev(4</d/log/data.mdb>, [{iov_base="${hex('e')}", iov_len=1}, {iov_base="${hex('f')}", iov_len=1}], 2) = 2`,
    '8 fdatasync(4</d/log/data.mdb>) = 0',
    `8 pwrite64(5</d/log/data.mdb>, "${hex('m')}", 1, 0) = 1`,
    `7 sendto(9<socket:[2]>, "${hex(answer)}", 40, MSG_NOSIGNAL, NULL, 0) = 40`,
  ]
  const events = parseRecording(lines.join('\n'))
  const seen = events.map((event) =>
    event.kind === 'write' ? [event.offset, event.bytes.toString(), event.isSync, event.startAt, event.endAt] : [event.kind, event.startAt],
  )
  assert.deepEqual(seen, [
    [4096, 'ab', false, 2, 4],
    [8192, 'cd', false, 5, 5],
    [300, 'ef', false, 7, 7],
    ['flush', 8],
    [0, 'm', true, 9, 9],
    ['answer', 10],
  ])
})

it(`${IMAGES} images that a disk could leave lose no answered payout and show no wrong balance`, { skip: straceMissing() }, async () => {
  const { images, unflushed, appended, served, mixed, control, recorded, faults } = await runDiskImages({ images: IMAGES, seed: 16 })
  assert.deepEqual(faults, [])
  assert.equal(images, IMAGES)
  assert.ok(unflushed > 0 && appended > 0, `${unflushed} with unflushed writes, ${appended} appended to`)
  assert.ok(served > IMAGES / 10 && mixed.writes > 0, `${served} served, ${mixed.writes} writes beside payouts`)
  assert.ok(recorded.flushes > 0 && recorded.answers > 0, JSON.stringify(recorded))
  assert.ok(control.faults > control.images / 2, `without flushes ${control.faults} of ${control.images} images show a loss`)
})
