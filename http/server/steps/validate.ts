// Step: the body by the schema of the route. Then the key gets its scope and fingerprint.
import { type Multipart, multipartIdentity } from '../body/multipart.ts'
import type { PreparedBody } from '../body/prepared-body.ts'
import { Fault, isPlain } from '../body/validation.ts'
import { withoutFields } from '../fingerprint.ts'
import { keyOf } from '../kept-result.ts'
import { NEXT, type Request, type StepResult } from '../request.ts'

const NO_BYTES = Buffer.alloc(0)

export function validate(request: Request): StepResult {
  const { contentType, contentEncoding } = request.headers
  const { route, check } = request.endpoint
  const sent = request.bytes ?? NO_BYTES
  request.bytes = null
  // No decompression: a compressed body could inflate without a bound. A route without a body ignores what is sent.
  if (!isPlain(contentEncoding) && route.body !== undefined) return new Fault('unsupported_media_type')
  const parsed = request.read === undefined ? check.body(contentType, sent) : check.read(request.read)
  request.read = undefined
  if (parsed instanceof Fault) return parsed
  takeParsed(request, parsed, sent)
  return NEXT
}

/** Takes a valid body. */
export function takeParsed(request: Request, parsed: unknown, sent: Buffer | PreparedBody): void {
  request.body = parsed
  const { core, headers } = request
  // A route that answers before recovery has no core and keeps no result.
  if (headers.idempotencyKey === '' || core === null) return
  request.idempotency = keyOf(core, request, keyedBody(request, sent))
}

/** Returns the part of the body that the fingerprint covers. */
export function keyedBody<Sent extends Buffer | PreparedBody>({ endpoint, body }: Request, sent: Sent): Sent | Buffer {
  const { secretFields, bodyType } = endpoint.route
  if (bodyType === 'multipart') return multipartIdentity(body as Multipart)
  return secretFields === undefined ? sent : withoutFields(body as object, secretFields)
}
