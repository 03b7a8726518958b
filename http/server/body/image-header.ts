// Reads type and size of a PNG, JPEG or WebP image from its header, never from its file name. It decodes no pixels. Each
// step moves forward within the bytes, so a crafted file can neither slow it down nor make it read out of bounds.

export type ImageType = 'png' | 'jpeg' | 'webp'

export interface ImageHeader {
  readonly type: ImageType
  readonly widthPx: number
  readonly heightPx: number
}

/** Returns null for another type, and for a file that ends before its size. */
export function readImageHeader(bytes: Buffer): ImageHeader | null {
  return readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes)
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** PNG signature (8 bytes), length and name of the first chunk (8), its data (13), its checksum (4). */
const PNG_HEAD_BYTES = 33
const IHDR_BYTES = 13

/** Reads a PNG header (ISO 15948): the first chunk is IHDR, sizes are 31 bits and not zero. */
function readPng(bytes: Buffer): ImageHeader | null {
  if (bytes.length < PNG_HEAD_BYTES || !bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return null
  if (bytes.readUInt32BE(8) !== IHDR_BYTES || bytes.toString('latin1', 12, 16) !== 'IHDR') return null
  return header('png', bytes.readUInt32BE(16), bytes.readUInt32BE(20))
}

/** True for the markers that have no length field: TEM, RST0 to RST7. */
function standsAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
}

/** True for SOF0 to SOF15. DHT, JPG and DAC lie in the same range and are no frames. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
/** Size of a frame header: length (2), precision (1), height (2), width (2), number of components (1). */
const FRAME_BYTES = 8

/** Reads JPEG segments up to the first frame (ITU-T T.81, annex B). A height of 0 (DNL marker) is not supported. */
function readJpeg(bytes: Buffer): ImageHeader | null {
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== SOI) return null
  let at = 2
  while (at + 1 < bytes.length) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] as number
    // A marker may follow any number of fill bytes.
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

/** RIFF header, then name and length of the first chunk. */
const WEBP_HEAD_BYTES = 20

/** Reads a WebP header (RFC 9649): the first chunk has the size, in one of three formats. */
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

/** Reads a VP8 key frame (RFC 6386, section 9.1): tag, start code, two sizes of 14 bits, each with a scale of two bits. */
function readLossy(data: Buffer, length: number): ImageHeader | null {
  const isKeyFrame = ((data[0] as number) & 1) === 0
  if (length < 10 || !isKeyFrame || data.readUIntBE(3, 3) !== 0x9d012a) return null
  return header('webp', data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff)
}

/** Reads a VP8L header: the signature, then width - 1 and height - 1 of 14 bits each. */
function readLossless(data: Buffer, length: number): ImageHeader | null {
  if (length < 5 || data[0] !== 0x2f) return null
  const bits = data.readUInt32LE(1)
  return header('webp', (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
}

const SIZE_MAX = 0x7fffffff

function header(type: ImageType, widthPx: number, heightPx: number): ImageHeader | null {
  return widthPx === 0 || heightPx === 0 || widthPx > SIZE_MAX || heightPx > SIZE_MAX ? null : { type, widthPx, heightPx }
}
