// Step: a body that is a file is read by turns of its caller: 100 000 lines take a second in all.

import { assert } from '../../../engine/kernel/assert.ts'
import type { Currency } from '../../../engine/kernel/currency.ts'
import { fairWork } from '../fair-work.ts'
import type { Principal } from '../principal.ts'
import { type HttpRequest, NEXT, resume, type StepResult, WAITING, waitsAt } from '../request.ts'
import { ownBytes } from './own-bytes.ts'
import { workOwner } from './turn.ts'

/** What fair-work.ts counts for a step of reading: about a millisecond. */
const STEP_COST = 30

export function readFile(request: HttpRequest): StepResult {
  const { bytes, endpoint, headers } = request
  const file = endpoint.check.file(headers.contentType, headers.contentEncoding)
  if (file === null || bytes === null) return NEXT
  ownBytes(request)
  const sent = 'text' in bytes ? Buffer.from(bytes.text) : (request.bytes as Buffer)
  request.bytes = sent
  fairWork
    .run(workOwner(request), STEP_COST, file.read(sent, fileCurrencyOf(request.principal)))
    .then((value) => {
      if (waitsAt(request, readFile)) request.read = value
      resume(request, readFile)
    })
    .catch((error: unknown) => request.call.fail(error))
  return WAITING
}

/** Returns the currency in which a payment file is read. Only merchants send one. */
export function fileCurrencyOf(principal: Principal): Currency {
  assert('merchant' in principal, 'a payment file has a merchant')
  return principal.merchant.currency
}
