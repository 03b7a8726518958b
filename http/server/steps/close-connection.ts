// Answer step: whether the connection ends with the answer.
import { headerLine } from '../header-line.ts'
import { type HttpRequest, NEXT, type StepResult } from '../request.ts'

export function closeConnection({ answer, server, isChunked, isReceiving }: HttpRequest): StepResult {
  const isLeaving = server.draining || server.retiring
  if (answer === null) return NEXT
  if (isChunked || (isLeaving && !isReceiving)) answer.closeConnection = true
  // Closing now would reset the connection and lose the response. The header asks the client to close.
  else if (isLeaving) answer.lines += headerLine('Connection', 'close')
  return NEXT
}
