// The part of the native request that a request reads, and a copy of it for use after the native handler.
import { PARAM_LENGTH_MAX } from './server-limits.ts'

/** The part of uWebSockets.js's request that is read here. It is invalid when the native handler returns. */
export interface RequestSource {
  /** In lower case. */
  getMethod(): string
  getUrl(): string
  getQuery(): string | undefined
  getParameter(index: number): string | undefined
}

/** Stands for a source that may not be read any more. */
export const NO_SOURCE: RequestSource = {
  getMethod: () => '',
  getUrl: () => '',
  getQuery: () => '',
  getParameter: () => undefined,
}

/** Copies the part of a native request that is read after its handler has returned. */
export function keptSource(source: RequestSource, paramsCount: number): RequestSource {
  const method = source.getMethod()
  const url = source.getUrl()
  const query = source.getQuery()
  const params = Array.from({ length: paramsCount }, (_, index) => source.getParameter(index))
  return { getMethod: () => method, getUrl: () => url, getQuery: () => query, getParameter: (index) => params[index] }
}

/** Returns the decoded placeholders in order; null when one is malformed or longer than PARAM_LENGTH_MAX. */
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

/** Returns false for methods without a body. */
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
