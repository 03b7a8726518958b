// Reads environment variables and collects all faults, so that the operator sees them at once. It must never repeat a
// secret's value.

/** A variable with an invalid value, and what is expected. */
export interface SettingFault {
  readonly variable: string
  readonly expected: string
}

export interface NumberRule {
  readonly min: number
  readonly max: number
  readonly default: number
}

type Variables = Readonly<Record<string, string | undefined>>

export class EnvironmentReader {
  readonly faults: SettingFault[] = []
  readonly #variables: Variables

  constructor(variables: Variables) {
    this.#variables = variables
  }

  /** Returns the text; null when unset or empty, as in many compose files. */
  text(variable: string): string | null {
    const value = this.#variables[variable]?.trim()
    return value === undefined || value === '' ? null : value
  }

  fault(variable: string, expected: string): void {
    this.faults.push({ variable, expected })
  }

  choice<const Words extends readonly string[]>(variable: string, words: Words, fallback: Words[number]): Words[number] {
    const value = this.text(variable)
    if (value === null) return fallback
    if (words.includes(value)) return value
    this.fault(variable, `must be one of ${words.join(', ')}, not "${value}"`)
    return fallback
  }

  integer(variable: string, { min, max, default: fallback }: NumberRule): number {
    const value = this.text(variable)
    if (value === null) return fallback
    const number = /^[0-9]{1,15}$/.test(value) ? Number(value) : Number.NaN
    if (number >= min && number <= max) return number
    this.fault(variable, `must be an integer from ${min} to ${max}, not "${value}"`)
    return fallback
  }

  flag(variable: string): boolean {
    return this.choice(variable, ['true', 'false'], 'false') === 'true'
  }

  /** Returns an http or https URL without query, fragment or user info, and without a trailing slash. */
  url(variable: string, protocols: readonly string[] = ['https:', 'http:']): string | null {
    const value = this.text(variable)
    if (value === null) return null
    const url = URL.canParse(value) ? new URL(value) : null
    const isPlain = url !== null && url.search === '' && url.hash === '' && url.username === '' && url.password === ''
    if (isPlain && protocols.includes(url.protocol)) return value.replace(/\/+$/, '')
    const kinds = protocols.map((protocol) => `${protocol}//`).join(' or ')
    this.fault(variable, `must be an address that starts with ${kinds}, without user info, query or fragment`)
    return null
  }
}
