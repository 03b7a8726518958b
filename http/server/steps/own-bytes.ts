// The memory of a body that outlives the event-loop turn in which it came. A large body is copied once at most.
import type { HttpRequest } from '../request.ts'

/** Copies the body where its memory is the native layer's, which frees it when the call returns. */
export function ownBytes(request: HttpRequest): void {
  const { bytes } = request
  if (bytes === null || 'text' in bytes || request.ownsBytes) return
  request.bytes = Buffer.from(bytes)
  request.ownsBytes = true
}
