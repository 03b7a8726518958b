// Maxima that the native part of the HTTP server reads from the environment of the process when it is loaded.
import { HEAD_BYTES_MAX } from './server-limits.ts'

/** To be called before uWebSockets.js is loaded; later it has no effect. */
export function setNativeMaxima(): void {
  process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(HEAD_BYTES_MAX)
}
