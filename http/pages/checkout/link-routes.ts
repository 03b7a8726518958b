// The routes of a payment link's page. GET creates nothing. The form makes a charge and leads to its page (303).
import { randomBytes } from 'node:crypto'
import type { EngineApi, QueryAnswer } from '../../../engine/api.ts'
import { type Static, Type } from '../../../engine/contract/schema.ts'
import { AMOUNT_MAX } from '../../../engine/kernel/amount.ts'
import { qrSvg } from '../../api/checkout/qr.ts'
import { siteOf } from '../../outbound/networks.ts'
import { CallLimit } from '../../server/call-limit.ts'
import { type Call, type Route, type RouteShape, route } from '../../server/route.ts'
import { LINK_CHARGES_COUNTED_MAX, LINK_CHARGES_PER_MINUTE } from '../../server/server-limits.ts'
import { answerPage, PAGE_HEADERS, redirectTo } from '../layout.ts'
import { typedAmount } from '../typed-amount.ts'
import { missingPage } from './checkout-page.ts'
import { linkPage } from './link-page.ts'

/** No maxLength: an API error would replace the page. */
const LinkForm = Type.Object({ amount: Type.Optional(Type.String()) })

const FORM_BYTES_MAX = 16 * 1024
const TYPED_LENGTH_MAX = 24
const TOKEN_BYTES = 24

const PAGE = {
  tag: 'Pages',
  auth: 'public',
  idempotency: 'none',
  params: { code: Type.String() },
  responses: [{ status: 200, description: 'The page.', contentType: 'text/html' }],
  errors: [],
} as const satisfies Partial<RouteShape>

export interface LinkPageParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly checkoutBase: string
}

type FoundLink = NonNullable<QueryAnswer<'paymentLinks.byCode'>>
type LinkCall<Body = unknown> = Pick<Call<Body>, 'params' | 'queryText' | 'body' | 'browser' | 'remoteAddress' | 'answerAs' | 'ask'>

export function linkPageRoutes(parts: LinkPageParts): readonly Route[] {
  // Charges cost their merchant room in the log, and the page asks for no credentials.
  const limit = new CallLimit<string>(LINK_CHARGES_PER_MINUTE, { keysMax: LINK_CHARGES_COUNTED_MAX })
  return [
    route({
      ...PAGE,
      method: 'GET',
      path: '/l/{code}',
      operationId: 'showPaymentLink',
      summary: 'The page of a payment link',
      handle: (call) => withLink(parts, call, '../', (found) => show(call, found, '', '')),
    }),
    route({
      ...PAGE,
      method: 'GET',
      path: '/l/{code}/qr.svg',
      operationId: 'getPaymentLinkQr',
      summary: 'The QR code of the link, which never changes',
      handle: (call) =>
        withLink(parts, call, '../../', ({ link }) =>
          call.answerAs(200, qrSvg(link.url), [...PAGE_HEADERS, ['Content-Type', 'image/svg+xml']]),
        ),
    }),
    route({
      ...PAGE,
      method: 'POST',
      bodyType: 'form',
      bodyBytesMax: FORM_BYTES_MAX,
      path: '/l/{code}',
      operationId: 'sendPaymentLinkAmount',
      summary: 'The form: makes a charge',
      body: LinkForm,
      handle: (call) => withLink(parts, call, '../', (found) => charge(parts, limit, call, found)),
    }),
  ]
}

function withLink({ engine }: LinkPageParts, call: LinkCall, root: string, go: (found: FoundLink) => void): void {
  const found = engine.query('paymentLinks.byCode', { code: String(call.params[0]) })
  if (found === null) return answerPage(call, 404, missingPage(root))
  go(found)
}

function show(call: LinkCall, { link, merchantName }: FoundLink, typed: string, error: string): void {
  answerPage(call, error === '' ? 200 : 422, linkPage({ link, merchantName, code: String(call.params[0]), typed, error }))
}

function charge(
  { engine, checkoutBase }: LinkPageParts,
  limit: CallLimit<string>,
  call: LinkCall<Static<typeof LinkForm>>,
  found: FoundLink,
): void {
  const { account, link } = found
  const typed = (call.body.amount ?? '').slice(0, TYPED_LENGTH_MAX)
  if (link.state === 'closed') return show(call, found, typed, '')
  const amount = link.amount ?? typedAmount(typed)
  if (amount === null || amount < 1 || amount > AMOUNT_MAX) {
    return show(call, found, typed, 'Saisissez un montant en francs, sans décimales, par exemple 2 500.')
  }
  if (limit.take(`${link.id} ${siteOf(call.remoteAddress)}`, engine.query('engine.time', null)) > 0)
    return show(call, found, typed, TOO_MANY)
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const { description, reference, id: paymentLinkId } = link
  const command = {
    type: 'CreateCharge',
    ...{ merchant: account, token, amount, reference, description, paymentLinkId },
    ...{ customerTag: '', redirectUrl: '', webhookUrl: '', metadata: {} },
    checkoutUrl: `${checkoutBase}/pay/${token}`,
  } as const
  call.ask(command, account, ({ kind, body }) => {
    if (kind === 'created') return redirectTo(call, `../pay/${token}`)
    const { message = TOO_MANY } = JSON.parse(body) as { message?: string }
    show(call, found, typed, message)
  })
}

const TOO_MANY = 'Trop de demandes en peu de temps. Réessayez dans une minute.'
