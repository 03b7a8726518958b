// Answer step: only the node that forwarded the request can read the answer.
import { headOf, keptForm, wholeHead } from '../reply.ts'
import { type HttpRequest, NEXT, type StepResult } from '../request.ts'

export function seal({ answer, origin, requestId }: HttpRequest): StepResult {
  if (answer === null || origin.sender === null) return NEXT
  const { header, body } = origin.sender.sealAnswer(wholeHead(answer), Buffer.from(keptForm(answer.payload)))
  answer.head = headOf(200, requestId, [
    ['Cauri-Node', header],
    ['Content-Type', 'application/octet-stream'],
  ])
  answer.lines = ''
  answer.echoedKey = ''
  answer.payload = body
  return NEXT
}
