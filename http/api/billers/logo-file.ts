// Uploaded logos: which files are accepted, and their content-addressed names.
import { hash } from 'node:crypto'
import type { ErrorCode } from '../../../engine/contract/errors.ts'
import { type ImageType, readImageHeader } from './image-header.ts'

export const LOGO_BYTES_MAX = 524_288
const SIDE_PX_MIN = 128
/** A picture of few bytes may claim 2^31 pixels a side, and a phone that decodes it runs out of memory. */
const SIDE_PX_MAX = 8192

/** By the ending of the file. */
export const LOGO_TYPES = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const

const ENDINGS = { png: 'png', jpeg: 'jpg', webp: 'webp' } as const satisfies Record<ImageType, keyof typeof LOGO_TYPES>

export interface LogoFile {
  /** SHA-256 of the bytes, and what they are: another picture has another name. */
  readonly file: string
  readonly contentType: string
  readonly base64: string
}

/** The code to refuse with when it is no logo. The bytes are copied. */
export function logoOf(bytes: Buffer | undefined): LogoFile | ErrorCode {
  // A form whose file was not chosen sends an empty one.
  if (bytes === undefined || bytes.length === 0) return 'logo_required'
  if (bytes.length > LOGO_BYTES_MAX) return 'logo_too_large'
  const header = readImageHeader(bytes)
  if (header === null || Math.max(header.widthPx, header.heightPx) > SIDE_PX_MAX) return 'invalid_logo_format'
  if (header.widthPx !== header.heightPx) return 'logo_not_square'
  if (header.widthPx < SIDE_PX_MIN) return 'logo_too_small'
  const ending = ENDINGS[header.type]
  return { file: `${hash('sha256', bytes, 'hex')}.${ending}`, contentType: LOGO_TYPES[ending], base64: bytes.toString('base64') }
}

export interface PublicAddress {
  /** Where clients reach the API, without a slash at the end. */
  readonly baseUrl: string
}

/** Where logos are served, with a slash at the end. */
export function logosBase({ baseUrl }: PublicAddress): string {
  return `${baseUrl}/logos/`
}
