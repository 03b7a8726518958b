// Files of logos that a profile or a merchant shows or has waiting. Their bytes stay in the log; live state finds them by name.
import type { Position } from '../kernel/position.ts'

export interface Logo {
  /** SHA-256 of the bytes, and the extension of their type. */
  readonly file: string
  /** Of the event that holds the bytes as base64, in the field `base64`. */
  readonly position: Position
}

/** Returns the public address of a logo. `logosBase` ends with a slash. */
export function logoUrl(logo: Pick<Logo, 'file'> | null, logosBase: string): string | null {
  return logo === null ? null : logosBase + logo.file
}

export class LogoFiles {
  readonly #files = new Map<string, { readonly position: Position; readonly users: number }>()

  /** Where the log holds a logo that is in use; undefined for another file. */
  at(file: string): Position | undefined {
    return this.#files.get(file)?.position
  }

  /** Replaces the logos of one row by those that it has from now on. */
  replace(before: readonly Logo[], after: readonly Logo[]): void {
    for (const logo of before) this.#count(logo, -1)
    for (const logo of after) this.#count(logo, 1)
  }

  #count({ file, position }: Logo, change: 1 | -1): void {
    const known = this.#files.get(file)
    const users = (known?.users ?? 0) + change
    if (users === 0) this.#files.delete(file)
    else this.#files.set(file, { position: known?.position ?? position, users })
  }
}
