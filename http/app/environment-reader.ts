// Reads environment variables one by one and keeps every fault, so that whoever starts the server sees all of them at
// once. It must never repeat the value of a secret.

/** One variable that is not as it should be, in words for whoever set it. */
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

  /** Null when it is not set; empty counts as not set, as in many compose files. */
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

  /** An http or https address without query, fragment or user info; no slash at its end. */
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
