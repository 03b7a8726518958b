// The reader of picture heads: what it takes, what it refuses, and that nothing makes it fail or read beyond.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { LOGO_BYTES_MAX, logoOf } from '../../../../http/api/billers/logo-file.ts'
import { readImageHeader } from '../../../../http/server/body/image-header.ts'
import { jpeg, png, webpExtended, webpLossless, webpLossy } from '../../../support/pictures.ts'
import { runs } from '../../../support/property-runs.ts'

/** A real one, as a program wrote it: 1 × 1. */
const REAL_PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const REAL_GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const REAL_WEBP = 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA'

describe('sizes', () => {
  const rows = [
    ['png', png(640, 480)],
    ['jpeg', jpeg(640, 480)],
    ['jpeg', jpeg(640, 480, 0xc2)],
    ['webp', webpLossy(640, 480)],
    ['webp', webpLossless(640, 480)],
    ['webp', webpExtended(640, 480)],
  ] as const
  for (const [index, [type, bytes]] of rows.entries()) {
    test(`${index}: ${type}`, () => assert.deepEqual(readImageHeader(bytes), { type, widthPx: 640, heightPx: 480 }))
  }

  test('the sizes of pictures that programs wrote are read', () => {
    assert.deepEqual(readImageHeader(Buffer.from(REAL_PNG, 'base64')), { type: 'png', widthPx: 1, heightPx: 1 })
    assert.deepEqual(readImageHeader(Buffer.from(REAL_WEBP, 'base64')), { type: 'webp', widthPx: 1, heightPx: 1 })
  })

  test('sizes at the ends of their ranges are read', () => {
    assert.equal(readImageHeader(webpLossless(16_384, 1))?.widthPx, 16_384)
    assert.equal(readImageHeader(webpExtended(16_777_216, 1))?.widthPx, 16_777_216)
    assert.equal(readImageHeader(png(0x7fffffff, 1))?.widthPx, 0x7fffffff)
    assert.equal(readImageHeader(png(0x80000000, 1)), null)
    assert.equal(readImageHeader(png(0, 1)), null)
    assert.equal(readImageHeader(jpeg(1, 0)), null)
  })
})

describe('images that are rejected', () => {
  const rows: readonly (readonly [name: string, bytes: Buffer])[] = [
    ['nothing', Buffer.alloc(0)],
    ['a GIF', Buffer.from(REAL_GIF, 'base64')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128"/>')],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'.repeat(9))],
    ['a PNG that begins with another chunk', Buffer.concat([png(1).subarray(0, 12), Buffer.from('tEXt'), png(1).subarray(16)])],
    ['a JPEG whose picture comes before its frame', Buffer.from('ffd8ffda000800000000000000', 'hex')],
    ['a JPEG of tables', Buffer.from('ffd8ffc4000400ffffcc000400ffffd9', 'hex')],
    ['a JPEG segment of no length', Buffer.from('ffd8ffe00000ffe00000', 'hex')],
    ['a JPEG of fill bytes', Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(500_000, 0xff)])],
    ['a JPEG of restart markers', Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.from('ffd0'.repeat(250_000), 'hex')])],
    ['a WebP that promises more than there is', webpLossy(200).subarray(0, 40)],
    ['a WebP that begins with an unknown chunk', Buffer.from(webpLossy(200).toString('latin1').replace('VP8 ', 'EXIF'), 'latin1')],
  ]
  for (const [name, bytes] of rows) test(name, () => assert.equal(readImageHeader(bytes), null))
})

test('no cut and no changed byte makes it throw, and what it answers is a size', () => {
  const good = [png(200), jpeg(200), webpLossy(200), webpLossless(200), webpExtended(200)]
  const change = fc.tuple(fc.nat(80), fc.nat(255))
  fc.assert(
    fc.property(fc.constantFrom(...good), fc.nat(120), fc.array(change, { maxLength: 4 }), (picture, length, changes) => {
      const bytes = Buffer.from(picture.subarray(0, length))
      for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte
      const header = readImageHeader(bytes)
      assert.ok(header === null || (header.widthPx > 0 && header.heightPx > 0))
    }),
    { numRuns: runs(20_000) },
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.constantFrom('89504e470d0a1a0a', 'ffd8', '52494646', ''), (bytes, head) => {
      readImageHeader(Buffer.concat([Buffer.from(head, 'hex'), bytes]))
    }),
    { numRuns: runs(20_000) },
  )
})

test('which pictures are logos', () => {
  const rows: readonly (readonly [Buffer | undefined, string])[] = [
    [undefined, 'logo_required'],
    [Buffer.alloc(0), 'logo_required'],
    [Buffer.from('logo'), 'invalid_logo_format'],
    [png(128, 129), 'logo_not_square'],
    [png(100, 101), 'logo_not_square'],
    [png(127), 'logo_too_small'],
    [png(8193), 'invalid_logo_format'],
    [png(0x7fffffff), 'invalid_logo_format'],
    [jpeg(65_535), 'invalid_logo_format'],
    [webpLossless(8193), 'invalid_logo_format'],
    [png(128, 8193), 'invalid_logo_format'],
    [png(128, 128, LOGO_BYTES_MAX + 1), 'logo_too_large'],
  ]
  for (const [bytes, code] of rows) assert.equal(logoOf(bytes), code)
  for (const [bytes, ending, contentType] of [
    [png(128, 128, LOGO_BYTES_MAX), 'png', 'image/png'],
    [jpeg(128), 'jpg', 'image/jpeg'],
    [webpLossy(4000), 'webp', 'image/webp'],
    [webpExtended(8192), 'webp', 'image/webp'],
  ] as const) {
    const logo = logoOf(bytes)
    assert.ok(typeof logo !== 'string')
    assert.match(logo.file, new RegExp(`^[0-9a-f]{64}\\.${ending}$`))
    assert.equal(logo.contentType, contentType)
    assert.ok(Buffer.from(logo.base64, 'base64').equals(bytes))
  }
})
