// Maxima that uWebSockets.js reads from the process's environment when it is loaded.
import { HEAD_BYTES_MAX } from './server-limits.ts'

/** Sets the native maxima. It must run before uWebSockets.js is loaded. */
export function setNativeMaxima(): void {
  process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(HEAD_BYTES_MAX)
}
