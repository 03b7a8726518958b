// The OpenAPI document, in both of its forms.
import { choice, type Static, Type } from '../../engine/contract/schema.ts'
import { codingFor } from '../server/content-coding.ts'
import { type Call, type Header, type Route, type RouteResponse, route } from '../server/route.ts'
import { AUDIENCES, type Audience } from './openapi.ts'
import { type DocumentFormat, namesCopy, type ServedDocument } from './served-document.ts'

const DESCRIPTION = `Compressed with \`br\` or \`gzip\` as \`Accept-Encoding\` prefers, with \`gzip\` without that header; \`identity\` where it is asked for. Keep the \`ETag\`: with it in \`If-None-Match\` the answer is 304 without a body while the
document is the same. HEAD answers the same headers.

\`audience=merchant\` returns the routes that merchants call and the calls that they receive: without those of wallets, of operators and of their gateways.`

const OpenApiDocument = Type.Object(
  { openapi: Type.String({ description: 'Version of OpenAPI.', examples: ['3.1.0'] }) },
  { $id: 'OpenApiDocument', additionalProperties: true, description: 'An OpenAPI document.' },
)

const DocumentQuery = Type.Object({
  audience: Type.Optional(choice(AUDIENCES, { default: 'all', description: 'For whom the document is.' })),
})

const EXAMPLE = { openapi: '3.1.0' }

const HEADERS = ['ETag', 'Vary', 'Content-Encoding'] as const
const UNCHANGED: RouteResponse = { status: 304, description: '`If-None-Match` names the current document.', headers: HEADERS }

/** Public, and answered while the log is still being read. */
export function documentRoutes(documents: Readonly<Record<Audience, ServedDocument>>): readonly Route[] {
  const shared = {
    method: 'GET',
    tag: 'Service',
    auth: 'public',
    idempotency: 'none',
    takesLong: true,
    errors: ['invalid_parameter'],
    description: DESCRIPTION,
    query: DocumentQuery,
  } as const
  const documentOf = ({ query }: DocumentCall): ServedDocument => documents[query.audience ?? 'all']
  return [
    route({
      ...shared,
      path: '/openapi.yaml',
      operationId: 'getDocument',
      summary: 'This document as YAML',
      responses: [
        {
          status: 200,
          description: 'OpenAPI 3.1.',
          contentType: 'application/yaml',
          schema: OpenApiDocument,
          example: EXAMPLE,
          headers: HEADERS,
        },
        UNCHANGED,
      ],
      handle: (call) => answer(documentOf(call), call, 'yaml', 'application/yaml; charset=utf-8'),
    }),
    route({
      ...shared,
      path: '/openapi.json',
      operationId: 'getDocumentAsJson',
      summary: 'This document as JSON',
      responses: [{ status: 200, description: 'OpenAPI 3.1.', schema: OpenApiDocument, example: EXAMPLE, headers: HEADERS }, UNCHANGED],
      handle: (call) => answer(documentOf(call), call, 'json', 'application/json; charset=utf-8'),
    }),
  ]
}

type DocumentCall = Call<unknown, Static<typeof DocumentQuery>>

function answer(document: ServedDocument, call: DocumentCall, format: DocumentFormat, contentType: string): void {
  const coding = codingFor(call.acceptEncoding)
  document
    .copy(format, coding)
    .then((copy) => {
      const headers: Header[] = [
        ['Content-Type', contentType],
        ['Cache-Control', 'no-cache'],
        ['Vary', 'Accept-Encoding'],
        ['ETag', copy.etag],
      ]
      if (namesCopy(call.ifNoneMatch, copy)) return call.answerAs(304, '', headers)
      if (coding !== 'identity') headers.push(['Content-Encoding', coding])
      call.answerAs(200, copy.bytes, headers)
    })
    .catch((error: unknown) => call.fail(error))
}
