// The native request as far as an exchange reads it, and a copy of that part for when the native one is gone.
import { PARAM_LENGTH_MAX } from './server-limits.ts'

/** The part of uWebSockets.js's request that is read here; gone when the native handler returns. */
export interface RequestSource {
  /** In lower case. */
  getMethod(): string
  getUrl(): string
  getQuery(): string | undefined
  getParameter(index: number): string | undefined
  /** All headers, while the native request is there. */
  forEach?(visit: (name: string, value: string) => void): void
}

/** The part of a native request that is read after its handler has returned. */
export function keptSource(source: RequestSource, paramsCount: number): RequestSource {
  const method = source.getMethod()
  const url = source.getUrl()
  const query = source.getQuery()
  const params = Array.from({ length: paramsCount }, (_, index) => source.getParameter(index))
  return { getMethod: () => method, getUrl: () => url, getQuery: () => query, getParameter: (index) => params[index] }
}

/** The decoded placeholders in order; null when one is not what a URL may hold, or too long to be a name. */
export function readParams(source: RequestSource, paramsCount: number): string[] | null {
  const params: string[] = []
  for (let index = 0; index < paramsCount; index++) {
    const value = decodeParam(source.getParameter(index) ?? '')
    if (value === null) return null
    params.push(value)
  }
  return params
}

const WITHOUT_BODY: ReadonlySet<string> = new Set(['get', 'head', 'delete', 'options'])

/** False for methods whose requests are sent without a body. */
export function mayHaveBody(source: RequestSource): boolean {
  return !WITHOUT_BODY.has(source.getMethod())
}

function decodeParam(text: string): string | null {
  if (text.length > PARAM_LENGTH_MAX) return null
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
