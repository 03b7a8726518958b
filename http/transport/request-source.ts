// The native request as far as an exchange reads it, and a copy of that part for when the native one is gone.
import { PARAM_LENGTH_MAX } from '../limits.ts'

/** The part of uWebSockets.js's request that is read here; gone when the native handler returns. */
export interface RequestSource {
  getUrl(): string
  getQuery(): string | undefined
  getParameter(index: number): string | undefined
}

/** The part of a native request that is read after its handler has returned. */
export function keptSource(source: RequestSource, paramsCount: number): RequestSource {
  const url = source.getUrl()
  const query = source.getQuery()
  const params = Array.from({ length: paramsCount }, (_, index) => source.getParameter(index))
  return { getUrl: () => url, getQuery: () => query, getParameter: (index) => params[index] }
}

/** Null when it is not what a URL may hold, or too long to be the name of anything. */
export function decodeParam(text: string): string | null {
  if (text.length > PARAM_LENGTH_MAX) return null
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
