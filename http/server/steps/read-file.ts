// Step: a body that is a file is read by turns of its caller: 100 000 lines take a second in all.
import { fairWork } from '../fair-work.ts'
import { type HttpRequest, NEXT, resume, type StepResult, WAITING, waitsAt } from '../request.ts'
import { workOwner } from './turn.ts'

/** What fair-work.ts counts for a step of reading: about a millisecond. */
const STEP_COST = 30

export function readFile(request: HttpRequest): StepResult {
  const { bytes, endpoint, headers } = request
  const file = endpoint.check.file(headers.contentType, headers.contentEncoding)
  if (file === null || bytes === null) return NEXT
  // Copied because the native layer frees the memory.
  const sent = Buffer.from('text' in bytes ? bytes.text : bytes)
  request.bytes = sent
  fairWork
    .run(workOwner(request), STEP_COST, file.read(sent))
    .then((value) => {
      if (waitsAt(request, readFile)) request.read = value
      resume(request, readFile)
    })
    .catch((error: unknown) => request.call.fail(error))
  return WAITING
}
