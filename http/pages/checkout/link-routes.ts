// The routes of a payment link's page. GET creates nothing. The form makes a charge and leads to its page (303).

import { type Static, Type } from '../../../engine/contract/schema.ts'
import { qrSvg } from '../../api/checkout/qr.ts'
import { type Call, type Route, route } from '../../server/route.ts'
import type { Text } from '../../text/text.ts'
import { answerPage, PAGE_HEADERS, redirectTo } from '../shared/layout.ts'
import { type FoundLink, type LinkChargeParts, LinkCharges } from '../shared/link-charges.ts'
import { CUSTOMER_FORM, CUSTOMER_PAGE, FORM_FIELD } from './approval-forms.ts'
import { missingPage } from './checkout-page.ts'
import { linkPage } from './link-page.ts'

const LinkForm = Type.Object({ amount: FORM_FIELD })

const TYPED_LENGTH_MAX = 24

const PARAMS = { code: Type.String() }

export type LinkPageParts = LinkChargeParts

type LinkCall<Body = unknown> = Pick<
  Call<Body>,
  'params' | 'queryText' | 'body' | 'browser' | 'acceptEncoding' | 'remoteAddress' | 'answerAs' | 'ask'
>

export function linkPageRoutes(parts: LinkPageParts): readonly Route[] {
  const charges = new LinkCharges(parts)
  return [
    route({
      ...CUSTOMER_PAGE,
      params: PARAMS,
      method: 'GET',
      path: '/l/{code}',
      operationId: 'showPaymentLink',
      summary: 'The page of a payment link',
      handle: (call) => withLink(parts, call, '../', (found) => show(call, found, '', '')),
    }),
    route({
      ...CUSTOMER_PAGE,
      params: PARAMS,
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
      ...CUSTOMER_FORM,
      params: PARAMS,
      path: '/l/{code}',
      operationId: 'sendPaymentLinkAmount',
      summary: 'The form: makes a charge',
      body: LinkForm,
      handle: (call) => withLink(parts, call, '../', (found) => charge(charges, call, found)),
    }),
  ]
}

function withLink({ engine }: LinkPageParts, call: LinkCall, root: string, go: (found: FoundLink) => void): void {
  const found = engine.query('paymentLinks.byCode', { code: String(call.params[0]) })
  if (found === null) return answerPage(call, 404, missingPage(root))
  go(found)
}

function show(call: LinkCall, { account: _, ...shown }: FoundLink, typed: string, error: Text | string): void {
  answerPage(call, error === '' ? 200 : 422, linkPage({ ...shown, code: String(call.params[0]), typed, error }))
}

function charge(charges: LinkCharges, call: LinkCall<Static<typeof LinkForm>>, found: FoundLink): void {
  const typed = (call.body.amount ?? '').slice(0, TYPED_LENGTH_MAX)
  if (found.link.state === 'closed') return show(call, found, typed, '')
  charges.make(call, found, typed, {
    made: (token) => redirectTo(call, `../pay/${token}`),
    rejected: (message) => show(call, found, typed, message),
  })
}
