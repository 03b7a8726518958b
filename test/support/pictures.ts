// Heads of pictures: all that a reader of sizes needs, without a picture behind them.
import { crc32, deflateSync } from 'node:zlib'

export function png(widthPx: number, heightPx = widthPx, sizeBytes = 0): Buffer {
  const header = Buffer.alloc(17)
  header.write('IHDR', 0, 'latin1')
  header.writeUInt32BE(widthPx, 4)
  header.writeUInt32BE(heightPx, 8)
  header.set([8, 6, 0, 0, 0], 12)
  const head = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d', 'hex'), header, uint32(crc32(header))])
  return padded(head, sizeBytes)
}

/** Baseline, after an application segment and a comment, with fill bytes between. */
export function jpeg(widthPx: number, heightPx = widthPx, marker = 0xc0): Buffer {
  const frame = Buffer.from([0xff, marker, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(heightPx, 5)
  frame.writeUInt16BE(widthPx, 7)
  const before = Buffer.from('ffd8ffe000104a46494600010100000100010000fffffffe0004abcd', 'hex')
  return Buffer.concat([before, frame, Buffer.from('ffda0008', 'hex'), Buffer.alloc(64, 7)])
}

export function webpLossy(widthPx: number, heightPx = widthPx): Buffer {
  const data = Buffer.from([0x30, 0x01, 0x00, 0x9d, 0x01, 0x2a, 0, 0, 0, 0])
  data.writeUInt16LE(widthPx, 6)
  data.writeUInt16LE(heightPx, 8)
  return webp('VP8 ', data)
}

export function webpLossless(widthPx: number, heightPx = widthPx): Buffer {
  const data = Buffer.alloc(10)
  data[0] = 0x2f
  data.writeUInt32LE((((heightPx - 1) << 14) | (widthPx - 1)) >>> 0, 1)
  return webp('VP8L', data)
}

export function webpExtended(widthPx: number, heightPx = widthPx): Buffer {
  const data = Buffer.alloc(10)
  data.writeUIntLE(widthPx - 1, 4, 3)
  data.writeUIntLE(heightPx - 1, 7, 3)
  return webp('VP8X', data)
}

function webp(chunk: string, data: Buffer): Buffer {
  const rest = Buffer.alloc(32, 1)
  const body = Buffer.concat([Buffer.from(`WEBP${chunk}`, 'latin1'), uint32LE(data.length + rest.length), data, rest])
  return Buffer.concat([Buffer.from('RIFF', 'latin1'), uint32LE(body.length), body])
}

function padded(head: Buffer, sizeBytes: number): Buffer {
  return Buffer.concat([head, Buffer.alloc(Math.max(0, sizeBytes - head.length), 0x5a)])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function uint32LE(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** A whole picture of one colour, for eyes and browsers. */
export function plainPng(sidePx: number, rgb: readonly [number, number, number]): Buffer {
  const row = Buffer.concat([Buffer.from([0]), Buffer.concat(Array.from({ length: sidePx }, () => Buffer.from(rgb)))])
  const size = Buffer.alloc(13)
  size.writeUInt32BE(sidePx, 0)
  size.writeUInt32BE(sidePx, 4)
  size.set([8, 2, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.concat(Array.from({ length: sidePx }, () => row)))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, pngChunk('IHDR', size), pngChunk('IDAT', pixels), pngChunk('IEND', Buffer.alloc(0))])
}

function pngChunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  return Buffer.concat([uint32(data.length), named, uint32(crc32(named))])
}
