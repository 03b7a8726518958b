// Runs inside the virtual machine: `TextDecoder` with windows-1252 beside the Unicode encodings of the native one. Older French
// systems answer in it, under the label `iso-8859-1` or `latin1` (encoding.spec.whatwg.org, section 4.2).
import { bytesOf } from './bytes.ts'

const LABELS: ReadonlySet<string> = new Set(['latin1', 'iso-8859-1', 'iso8859-1', 'l1', 'ascii', 'us-ascii', 'windows-1252', 'cp1252'])
/** Characters of the bytes 0x80 to 0x9f. */
const UPPER =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178'
const PIECE_LENGTH = 4_096

const NativeDecoder = TextDecoder

interface DecoderOptions {
  readonly fatal?: boolean
  readonly ignoreBOM?: boolean
}

export class AnyDecoder {
  readonly #native: InstanceType<typeof NativeDecoder>
  readonly #isLatin: boolean

  constructor(label: unknown = 'utf-8', options?: DecoderOptions) {
    this.#isLatin = LABELS.has(`${label}`.trim().toLowerCase())
    this.#native = new NativeDecoder(this.#isLatin ? 'utf-8' : `${label}`, options)
  }

  get encoding(): string {
    return this.#isLatin ? 'windows-1252' : this.#native.encoding
  }

  get fatal(): boolean {
    return this.#native.fatal
  }

  get ignoreBOM(): boolean {
    return this.#native.ignoreBOM
  }

  decode(input?: unknown, options?: { readonly stream?: boolean }): string {
    const bytes = input === undefined ? new Uint8Array(0) : bytesOf(input)
    return this.#isLatin ? latinText(bytes) : this.#native.decode(bytes, options)
  }
}

function latinText(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += PIECE_LENGTH) text += String.fromCharCode(...bytes.subarray(at, at + PIECE_LENGTH))
  return text.replace(/[\x80-\x9f]/g, (character) => UPPER.charAt(character.charCodeAt(0) - 0x80))
}
