// What a picture is and how large, read from its first bytes: PNG, JPEG and WebP, by content and never by name. Nothing
// is decoded; every step goes forward within the bytes, so nothing that is sent makes it slow or reads beyond.

export type ImageType = 'png' | 'jpeg' | 'webp'

export interface ImageHeader {
  readonly type: ImageType
  readonly widthPx: number
  readonly heightPx: number
}

/** Null when it is none of them, or breaks off before it says its size. */
export function readImageHeader(bytes: Buffer): ImageHeader | null {
  return readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes)
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Signature, length and name of the first chunk, its 13 bytes, its checksum. */
const PNG_HEAD_BYTES = 33
const IHDR_BYTES = 13

/** PNG (ISO 15948): the first chunk is IHDR, sizes are 31 bits and not zero. */
function readPng(bytes: Buffer): ImageHeader | null {
  if (bytes.length < PNG_HEAD_BYTES || !bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return null
  if (bytes.readUInt32BE(8) !== IHDR_BYTES || bytes.toString('latin1', 12, 16) !== 'IHDR') return null
  return header('png', bytes.readUInt32BE(16), bytes.readUInt32BE(20))
}

/** Markers without a length of their own: TEM, RST0 to RST7. */
function standsAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
}

/** SOF0 to SOF15, without DHT, JPG and DAC, which lie between them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
/** Length, precision, height, width, number of components. */
const FRAME_BYTES = 8

/** JPEG (ITU-T T.81, annex B): segments up to the first frame. A height of 0 would come later (DNL); nobody writes that. */
function readJpeg(bytes: Buffer): ImageHeader | null {
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== SOI) return null
  let at = 2
  while (at + 1 < bytes.length) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] as number
    // Any number of fill bytes may stand before a marker.
    if (marker === 0xff) at += 1
    else if (standsAlone(marker)) at += 2
    else if (marker === 0x00 || marker === SOI || marker === EOI || marker === SOS) return null
    else if (at + 4 > bytes.length) return null
    else if (isFrame(marker)) return readFrame(bytes, at + 2)
    else {
      const length = bytes.readUInt16BE(at + 2)
      if (length < 2) return null
      at += 2 + length
    }
  }
  return null
}

function readFrame(bytes: Buffer, at: number): ImageHeader | null {
  if (at + FRAME_BYTES > bytes.length || bytes.readUInt16BE(at) < FRAME_BYTES) return null
  return header('jpeg', bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 3))
}

/** RIFF head, name and length of the first chunk. */
const WEBP_HEAD_BYTES = 20

/** WebP (RFC 9649): the first chunk says the size, in one of three ways. */
function readWebp(bytes: Buffer): ImageHeader | null {
  if (bytes.length < WEBP_HEAD_BYTES + 10) return null
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return null
  if (bytes.readUInt32LE(4) + 8 > bytes.length) return null
  const chunk = bytes.toString('latin1', 12, 16)
  const length = bytes.readUInt32LE(16)
  const data = bytes.subarray(WEBP_HEAD_BYTES)
  if (length > data.length) return null
  if (chunk === 'VP8 ') return readLossy(data, length)
  if (chunk === 'VP8L') return readLossless(data, length)
  return chunk === 'VP8X' && length >= 10 ? header('webp', data.readUIntLE(4, 3) + 1, data.readUIntLE(7, 3) + 1) : null
}

/** A key frame (RFC 6386, section 9.1): tag, start code, two sizes of 14 bits with a scale above each. */
function readLossy(data: Buffer, length: number): ImageHeader | null {
  const isKeyFrame = ((data[0] as number) & 1) === 0
  if (length < 10 || !isKeyFrame || data.readUIntBE(3, 3) !== 0x9d012a) return null
  return header('webp', data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff)
}

/** Signature, then two sizes less one of 14 bits each. */
function readLossless(data: Buffer, length: number): ImageHeader | null {
  if (length < 5 || data[0] !== 0x2f) return null
  const bits = data.readUInt32LE(1)
  return header('webp', (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
}

const SIZE_MAX = 0x7fffffff

function header(type: ImageType, widthPx: number, heightPx: number): ImageHeader | null {
  return widthPx === 0 || heightPx === 0 || widthPx > SIZE_MAX || heightPx > SIZE_MAX ? null : { type, widthPx, heightPx }
}
