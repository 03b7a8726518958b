// Public documents in memory that HTTP threads share: what all callers may read is sent by each thread without passing its ring, so it
// takes no room from answers that follow a commit. Written once, never changed.

/** The API document in its forms, pages of the documentation, assets: far more than they take. */
export const PUBLIC_FILES_BYTES = 32 * 1024 * 1024

/** The memory of this process. Untouched pages cost nothing. */
export const publicMemory = new SharedArrayBuffer(PUBLIC_FILES_BYTES)

let usedBytes = 0

/** Returns the same bytes in shared memory; as they are when it is full, which costs speed alone. */
export function shared(bytes: Uint8Array): Uint8Array {
  if (usedBytes + bytes.byteLength > PUBLIC_FILES_BYTES) return bytes
  const kept = Buffer.from(publicMemory, usedBytes, bytes.byteLength)
  kept.set(bytes)
  usedBytes += bytes.byteLength
  return kept
}

export function isShared(payload: string | Uint8Array): payload is Uint8Array {
  return typeof payload !== 'string' && payload.buffer === publicMemory
}
