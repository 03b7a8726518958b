// Merchants' code: one row for each route. Trials are in trials.ts.

import { productSlug } from '../../../engine/contract/biller-product.ts'
import {
  CodeRunList,
  TestFulfillmentBody,
  TestFulfillmentResult,
  TestLookupBody,
  TestLookupResult,
} from '../../../engine/contract/code-run.ts'
import { PageQuery } from '../../../engine/contract/common.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { CODE_RUN, LOOKUP_SUCCESS, TEST_FULFILLMENT_REQUEST, TEST_LOOKUP_REQUEST } from './code-run-examples.ts'
import { type TrialParts, tryFulfillment, tryLookup } from './trials.ts'

const PATH = '/v1/biz/biller/products/{slug}'
const TAG = 'Biller directory'

const HOSTED_CODE = [
  'Each run has a new JavaScript VM with 32 MB of memory and ends after 10 seconds, including the time that it waits.',
  'Globals beside the language: `fetch` (HTTPS, any port of a public address; ten calls a run, 256 KB in each direction, three redirects, the time limit of the run), `Headers`, `URL`, `URLSearchParams`,',
  '`TextEncoder`, `TextDecoder`, `atob`, `btoa`, timers, `AbortController`, `AbortSignal`, `Event`, `EventTarget`, `console`, and from `crypto` `randomUUID`, `getRandomValues`, `subtle.digest` and HMAC.',
  'At most 80 of your runs are active at once; further runs wait, and the wait counts against their 10 seconds. Runs that compute share one processor; runs that wait for `fetch` use none.',
].join(' ')

const PARAMS = { slug: productSlug() }

export function billerCodeRoutes(parts: TrialParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: `${PATH}/test-lookup`,
      operationId: 'testLookup',
      tag: TAG,
      summary: 'Try a lookup',
      description: `Runs the real lookup, by your endpoint or your code; with \`lookup_code\` that code, in any mode of the product. Returns 200 with the answer as it was received, or with a \`transport_error\`: no answer, a status that is not 2xx, or no JSON. An answer that is invalid for customers has \`valid: false\` and \`problem\` beside its own fields; JSON that is not an object is in \`answer\`. No quote and no payment is made. ${HOSTED_CODE}`,
      auth: 'key',
      scope: 'billers.write',
      idempotency: 'accepted',
      params: PARAMS,
      body: TestLookupBody,
      bodyOptional: true,
      bodyExample: TEST_LOOKUP_REQUEST,
      responses: [{ status: 200, description: 'The answer, or why there is none.', schema: TestLookupResult, example: LOOKUP_SUCCESS }],
      errors: ['product_not_found', 'lookup_not_configured'],
      handle: (call) => tryLookup(parts, call),
    }),
    route({
      method: 'POST',
      path: `${PATH}/test-fulfillment`,
      operationId: 'testFulfillment',
      tag: TAG,
      summary: 'Try your fulfillment code',
      description: `Calls \`onPaid\` with the object that it receives after a payment; nothing is paid. Fields that you omit have test values. With \`fulfillment_code\` that code runs instead of the product's. ${HOSTED_CODE}`,
      auth: 'key',
      scope: 'billers.write',
      idempotency: 'accepted',
      params: PARAMS,
      body: TestFulfillmentBody,
      bodyOptional: true,
      bodyExample: TEST_FULFILLMENT_REQUEST,
      responses: [
        { status: 200, description: 'The result of the run.', schema: TestFulfillmentResult, example: { ok: true, result: null } },
      ],
      errors: ['product_not_found', 'fulfillment_not_configured'],
      handle: (call) => tryFulfillment(parts, call),
    }),
    route({
      method: 'GET',
      path: `${PATH}/runs`,
      operationId: 'listCodeRuns',
      tag: TAG,
      summary: 'List the runs of your code and your lookups',
      description:
        'The last 100 runs of the product in the environment of your key: those of customers and your trials, including lookups by webhook.',
      auth: 'key-or-session',
      idempotency: 'none',
      params: PARAMS,
      query: PageQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: CodeRunList,
          example: { data: [CODE_RUN], has_more: false, next_cursor: null },
        },
      ],
      errors: ['product_not_found'],
      handle: (call) => listRuns(parts, call),
    }),
  ]
}

function listRuns(parts: TrialParts, call: Call<unknown, PageQuery, MerchantPrincipal>): void {
  const { account } = call.principal
  const slug = String(call.params[0])
  if (!parts.engine.query('products.exists', { account, slug })) return call.refuse('product_not_found')
  answerPage(call, parts.engine.query('codeRuns.list', { account, product: slug, query: call.query }))
}
