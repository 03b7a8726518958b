// Masks a token of a compressed page. Without a mask, who sees lengths of answers and chooses a part of a page guesses the token (BREACH).
import { randomBytes } from 'node:crypto'

/** Returns the token as it stands in one answer: a random mask, a dot, and the token under the mask. */
export function masked(token: string): string {
  const mask = randomBytes(Buffer.byteLength(token))
  return `${mask.toString('base64url')}.${under(mask, Buffer.from(token)).toString('base64url')}`
}

/** Returns the token under its mask; a token without a mask as it is. */
export function unmasked(sent: string): string {
  const [mask = '', token] = sent.split('.').map((part) => Buffer.from(part, 'base64url'))
  return typeof mask === 'string' || token === undefined || mask.length !== token.length ? sent : under(mask, token).toString()
}

function under(mask: Buffer, token: Buffer): Buffer {
  return Buffer.from(token.map((byte, at) => byte ^ (mask[at] as number)))
}
