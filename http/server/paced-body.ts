// Sends a large body piece by piece, in the turns of its caller. One send of 1 MB held the event loop for up to 3 ms, because the kernel had
// to find memory for all of it: 200 unread documents a second took 60 % of a core and delayed every other answer.
import { costOfBytes, fairWork, type WorkOwner } from './fair-work.ts'

/** A larger body is sent in pieces of this size. */
export const PACED_PIECE_BYTES = 64 * 1024

/** The part of uWebSockets.js's response that is used here. */
export interface PacedResponse {
  getWriteOffset(): number
  tryEnd(piece: Uint8Array<ArrayBuffer>, totalBytes: number): [isTaken: boolean, isDone: boolean]
  end(body: Uint8Array<ArrayBuffer>, closeConnection: boolean): unknown
  onWritable(handler: () => boolean): unknown
  onAborted(handler: () => void): unknown
  cork(write: () => void): unknown
}

export interface PacedBody {
  /** Never changed. What waits to be sent stays here instead of being copied into a buffer of the connection. */
  readonly payload: Uint8Array
  /** Whose turns it takes. */
  readonly owner: WorkOwner
  /** Then the body takes one turn as a whole: the native layer closes behind `end` alone, and writes a header line there. */
  readonly closesConnection: boolean
}

/** Ends the response, behind its status line. Nothing may use the response afterwards. */
export function endPaced(response: PacedResponse, { payload, owner, closesConnection }: PacedBody): void {
  const total = payload.byteLength
  const start = response.getWriteOffset()
  let sentBytes = 0
  let hasEnded = false
  const sendWhole = (): void => {
    hasEnded = true
    response.end(payload as Uint8Array<ArrayBuffer>, true)
  }
  const sendPiece = (): void => {
    const [isTaken, isDone] = response.tryEnd(payload.subarray(sentBytes, sentBytes + PACED_PIECE_BYTES) as Uint8Array<ArrayBuffer>, total)
    hasEnded = isDone
    if (isDone) return
    sentBytes = response.getWriteOffset() - start
    // Otherwise the connection has no room: `onWritable` continues.
    if (isTaken) plan()
  }
  const next = (): void => {
    if (!hasEnded) response.cork(closesConnection ? sendWhole : sendPiece)
  }
  const plan = (): void => {
    const sizeBytes = closesConnection ? total : Math.min(PACED_PIECE_BYTES, total - sentBytes)
    fairWork.add(owner, costOfBytes(sizeBytes), next)
  }
  response.onAborted(() => {
    hasEnded = true
  })
  response.onWritable(() => {
    if (!hasEnded) plan()
    return true
  })
  plan()
}
