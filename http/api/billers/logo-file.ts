// Uploaded logos: which files are accepted, and their content-addressed names.
import { hash } from 'node:crypto'
import type { ErrorCode } from '../../../engine/contract/errors.ts'
import { type ImageType, readImageHeader } from '../../server/body/image-header.ts'

export const LOGO_BYTES_MAX = 524_288
const SIDE_PX_MIN = 128
/** Maximum width and height. A small file may declare 2^31 pixels a side, and a phone that decodes it runs out of memory. */
const SIDE_PX_MAX = 8192

/** Content types by file extension. */
export const LOGO_TYPES = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const

const ENDINGS = { png: 'png', jpeg: 'jpg', webp: 'webp' } as const satisfies Record<ImageType, keyof typeof LOGO_TYPES>

export interface LogoFile {
  /** Content-addressed name: SHA-256 of the bytes, and the extension of their type. */
  readonly file: string
  readonly contentType: string
  readonly base64: string
}

export interface LogoBounds {
  readonly bytesMax: number
  readonly sidePxMax: number
  readonly types: readonly ImageType[]
}

const OF_BILLERS: LogoBounds = { bytesMax: LOGO_BYTES_MAX, sidePxMax: SIDE_PX_MAX, types: ['png', 'jpeg', 'webp'] }

/** Returns the logo, or the error code for a file that is no logo. It copies the bytes. */
export function logoOf(bytes: Buffer | undefined, { bytesMax, sidePxMax, types } = OF_BILLERS): LogoFile | ErrorCode {
  // Browsers send an empty file when the user chose none.
  if (bytes === undefined || bytes.length === 0) return 'logo_required'
  if (bytes.length > bytesMax) return 'logo_too_large'
  const header = readImageHeader(bytes)
  if (header === null || !types.includes(header.type)) return 'invalid_logo_format'
  if (Math.max(header.widthPx, header.heightPx) > sidePxMax) return 'invalid_logo_format'
  if (header.widthPx !== header.heightPx) return 'logo_not_square'
  if (header.widthPx < SIDE_PX_MIN) return 'logo_too_small'
  const ending = ENDINGS[header.type]
  return { file: `${hash('sha256', bytes, 'hex')}.${ending}`, contentType: LOGO_TYPES[ending], base64: bytes.toString('base64') }
}

export interface PublicAddress {
  /** Base URL of the API, without a trailing slash. */
  readonly baseUrl: string
}

/** Returns the base URL of logos, with a trailing slash. */
export function logosBase({ baseUrl }: PublicAddress): string {
  return `${baseUrl}/logos/`
}
