// The frames between an HTTP thread and the engine's thread, byte by byte. Each begins with kind, flags, endpoint number,
// slot and generation. A slot is the thread's place for one open request. The generation grows when the slot is used again,
// so that a late frame for the request before is recognized. A REQUEST is described in request-frame.ts.

export const HEADER_BYTES = 12
const FLAGS_AT = 1
const ENDPOINT_AT = 2
const SLOT_AT = 4
const GENERATION_AT = 8

/** From a thread to the engine. */
export const REQUEST = 1
export const BODY = 2
export const ABORTED = 3
/** The client reads its stream slower than it is written. */
export const BEHIND = 4
export const WRITABLE = 5
export const REFUSED_FRAMING = 6
export const REFUSED_CONNECTION = 7

/** From the engine to a thread. */
export const ANSWER = 1
/** Bytes of an answer whose ANSWER follows. */
export const PART = 2
export const BEGIN = 3
export const CHUNK = 4
export const END = 5
export const CLOSE = 6
export const STOP_LISTENING = 7
export const CLOSE_ALL = 8
/** An answer whose body is in the memory of public files: head, then offset, length and whose turns it takes. */
export const FILE = 9
/** Size of offset and length. */
export const PLACE_BYTES = 8

/** Flag of BODY. */
export const LAST = 1
/** Flags of ANSWER. */
export const CLOSE_CONNECTION = 1
export const WITHOUT_BODY = 2

export interface Slot {
  readonly slot: number
  readonly generation: number
}

/** Writes the fixed fields and returns where the rest begins. */
export function putHeader(bytes: Buffer, at: number, kind: number, { slot, generation }: Slot, flags = 0, endpoint = 0): number {
  bytes[at] = kind
  bytes[at + FLAGS_AT] = flags
  bytes.writeUInt16LE(endpoint, at + ENDPOINT_AT)
  bytes.writeUInt32LE(slot, at + SLOT_AT)
  bytes.writeUInt32LE(generation, at + GENERATION_AT)
  return at + HEADER_BYTES
}

export function flagsOf(bytes: Buffer, at: number): number {
  return bytes[at + FLAGS_AT] as number
}

export function endpointOf(bytes: Buffer, at: number): number {
  return bytes.readUInt16LE(at + ENDPOINT_AT)
}

export function slotOf(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at + SLOT_AT)
}

export function generationOf(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at + GENERATION_AT)
}
