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
  /** Places of the bytes by file, with the rows that name each. Several merchants may send the same file. */
  readonly #files = new Map<string, Map<Position, number>>()

  /** Where the log holds a logo that is in use, first; undefined for another file. */
  at(file: string): Position | undefined {
    const places = this.#files.get(file)
    return places === undefined ? undefined : Math.min(...places.keys())
  }

  /** Replaces the logos of one row by those that it has from now on. */
  replace(before: readonly Logo[], after: readonly Logo[]): void {
    for (const logo of before) this.#count(logo, -1)
    for (const logo of after) this.#count(logo, 1)
  }

  #count({ file, position }: Logo, change: 1 | -1): void {
    const places = this.#files.get(file) ?? new Map<Position, number>()
    const users = (places.get(position) ?? 0) + change
    if (users === 0) places.delete(position)
    else places.set(position, users)
    if (places.size === 0) this.#files.delete(file)
    else this.#files.set(file, places)
  }
}
