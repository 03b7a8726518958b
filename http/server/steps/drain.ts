// Answer step: waits until a rejected chunked body is read to its end.
import { type HttpRequest, NEXT, type StepResult, WAITING } from '../request.ts'

export function drain({ isReceiving, isChunked, server }: HttpRequest): StepResult {
  return isReceiving && isChunked && !server.draining ? WAITING : NEXT
}
