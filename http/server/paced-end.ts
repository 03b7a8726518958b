// Ends a response piece by piece, as fast as its client takes it: what waits to be sent stays where it is instead of being copied into a
// buffer of the connection.
import type { HttpResponse } from './native.ts'

/** Up to this size the kernel takes a body at once. */
export const PACED_FROM_BYTES = 64 * 1024

/** Called inside `cork`. Nothing may use the response afterwards. */
export function endPaced(response: Pick<HttpResponse, 'getWriteOffset' | 'tryEnd' | 'onWritable'>, payload: Uint8Array): void {
  const total = payload.byteLength
  const start = response.getWriteOffset()
  const [, isDone] = response.tryEnd(payload as Buffer, total)
  if (isDone) return
  response.onWritable((offset) => response.tryEnd(payload.subarray(offset - start) as Buffer, total)[0])
}
