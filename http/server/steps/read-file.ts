// Step: a body that is a file is read by turns of its caller, a large one by the thread of its route.

import { assert } from '../../../engine/kernel/assert.ts'
import type { Currency } from '../../../engine/kernel/currency.ts'
import type { BodyFile } from '../body/body-file.ts'
import type { LargeBodyReader } from '../body/large-body.ts'
import { isJsonType, isPlain, mediaType } from '../body/validation.ts'
import { fairWork } from '../fair-work.ts'
import type { Principal } from '../principal.ts'
import { type HttpRequest, NEXT, resume, type StepResult, targetOf, WAITING, waitsAt } from '../request.ts'
import { LARGE_FILE_BYTES } from '../server-limits.ts'
import { ownBytes } from './own-bytes.ts'
import { workOwner } from './turn.ts'

/** What fair-work.ts counts for a step of reading: about a millisecond. */
const STEP_COST = 30

export function readFile(request: HttpRequest): StepResult {
  const { bytes, endpoint, headers } = request
  const { readLarge } = endpoint.route
  const file = endpoint.check.file(headers.contentType, headers.contentEncoding)
  if (bytes === null || (file === null && readLarge === undefined)) return NEXT
  ownBytes(request)
  const sent = 'text' in bytes ? Buffer.from(bytes.text) : (request.bytes as Buffer)
  const isLarge =
    sent.byteLength >= LARGE_FILE_BYTES && isPlain(headers.contentEncoding) && (file !== null || isJsonType(headers.contentType))
  if (isLarge && readLarge !== undefined) wait(request, readInThread(request, readLarge, file, sent))
  else if (file !== null) wait(request, readByTurns(request, file, sent))
  else return NEXT
  return WAITING
}

function wait(request: HttpRequest, reading: Promise<void>): void {
  reading.then(() => resume(request, readFile)).catch((error: unknown) => request.call.fail(error))
}

async function readByTurns(request: HttpRequest, file: BodyFile, sent: Buffer): Promise<void> {
  request.bytes = sent
  const value = await fairWork.run(workOwner(request), STEP_COST, file.read(sent, fileCurrencyOf(request.principal)))
  if (waitsAt(request, readFile)) request.read = value
}

/** What the thread leaves to this one has a fault, and is small in most cases. */
async function readInThread(request: HttpRequest, readLarge: LargeBodyReader, file: BodyFile | null, sent: Buffer): Promise<void> {
  const { principal, headers, endpoint } = request
  const sizeBytes = sent.byteLength
  const read = await readLarge({
    mediaType: mediaType(headers.contentType),
    bytes: sent,
    currency: fileCurrencyOf(principal),
    owner: workOwner(request),
    method: endpoint.route.method,
    target: targetOf(request),
  })
  if (!waitsAt(request, readFile)) return
  if ('bytes' in read) {
    request.bytes = read.bytes
    if (file !== null) await readByTurns(request, file, read.bytes)
    return
  }
  request.bytes = { text: '', sizeBytes, fingerprint: read.fingerprint }
  request.read = read.value
}

/** Returns the currency in which a payment file is read. Only merchants send one. */
export function fileCurrencyOf(principal: Principal): Currency {
  assert('merchant' in principal, 'a payment file has a merchant')
  return principal.merchant.currency
}
