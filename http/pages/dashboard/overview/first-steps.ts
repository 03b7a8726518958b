// First steps of a new merchant on the home page: what is done and what is left, read from the records themselves. The list goes
// away when all is done, or for a year in the browser where its owner dismisses it.

import type { Route } from '../../../server/route.ts'
import type { Text } from '../../../text/text.ts'
import { cookieValue, setCookie } from '../../shared/cookies.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { actionButton, badge } from '../shared/dashboard-parts.ts'
import { type DashboardParts, formRow, type Visit } from '../shared/dashboard-visit.ts'
import { TEXTS } from './first-steps-messages.ts'

const COOKIE = 'first-steps'
const YEAR_S = 365 * 86_400

interface Step {
  readonly words: Text | string
  readonly why: Text | string
  readonly path: string
  readonly isDone: boolean
  readonly isOptional?: boolean
}

/** What the home page has read already. */
export interface FirstFigures {
  readonly hasCharge: boolean
  readonly hasPayout: boolean
}

export function firstStepRows(parts: DashboardParts): readonly Route[] {
  return [
    formRow(parts, {
      path: '/first-steps/dismiss',
      operationId: 'sendFirstStepsDismissal',
      needs: null,
      summary: 'Hide the first steps',
      fields: [],
      act: (visit) => {
        const isSecure = visit.app.baseUrl.startsWith('https:')
        const value = visit.principal.merchant.id
        visit.goTo('', undefined, [setCookie({ name: COOKIE, value, path: '/', sameSite: 'lax', isSecure, maxAgeS: YEAR_S })])
      },
    }),
  ]
}

/** Renders the list for owners; nothing for other members, when all is done, and after it was dismissed. */
export async function firstSteps(visit: Visit, figures: FirstFigures): Promise<Fragment> {
  const { principal, call } = visit
  if (principal.role !== 'owner' || cookieValue(call.browser, COOKIE) === principal.merchant.id) return null
  const steps = await stepsOf(visit, figures)
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length) return null
  return html`<section class="card first-steps" aria-labelledby="first-steps"><h2 id="first-steps">${TEXTS.firstSteps} <span class="hint">${WORDS.of(done, steps.length)}</span></h2>
<progress max="${steps.length}" value="${done}" aria-labelledby="first-steps">${done} / ${steps.length}</progress>
<ol>${steps.map((step) => stepRow(visit, step))}</ol>
${actionButton(visit, visit.to('first-steps/dismiss'), TEXTS.hideList)}</section>`
}

async function stepsOf(visit: Visit, { hasCharge, hasPayout }: FirstFigures): Promise<readonly Step[]> {
  const { app, principal, environment } = visit
  const { user, merchant } = principal
  const endpoints = await visit.ask<{ readonly data: readonly unknown[] }>('listWebhookEndpoints', { query: { limit: '1' } })
  const { activation } = merchant
  return [
    {
      words: TEXTS.confirmEMailAddress,
      why: TEXTS.byLinkReceivedItCan,
      path: 'account',
      isDone: user.email_confirmed_at !== undefined,
    },
    {
      words: TEXTS.requestFirstPayment,
      why: TEXTS.byQrCodeOrLink,
      path: 'charges/new',
      isDone: hasCharge,
    },
    {
      words: TEXTS.makeFirstPayout,
      why: TEXTS.tagOrPhoneNumber,
      path: 'payouts/new',
      isDone: hasPayout,
    },
    {
      words: TEXTS.createApiKey,
      why: TEXTS.soSiteOrTillCan,
      path: 'keys',
      isDone: app.engine.query('apiKeys.exists', { merchantId: merchant.id, environment }),
      isOptional: true,
    },
    {
      words: TEXTS.receiveEventsByWebhook,
      why: TEXTS.serverNotifiedEachPayment,
      path: 'webhooks',
      isDone: endpoints.ok && endpoints.body.data.length > 0,
      isOptional: true,
    },
    {
      words: TEXTS.activateRealMoney,
      why: activation?.state === 'requested' ? TEXTS.requestUnderReview : TEXTS.presentBusinessOnce,
      path: 'activation',
      isDone: activation === undefined || activation.state === 'active',
    },
  ]
}

function stepRow(visit: Visit, { words, why, path, isDone, isOptional = false }: Step): Html {
  if (isDone) return html`<li class="is-done"><span>${words}</span> ${badge(TEXTS.done, 'good')}</li>`
  return html`<li><a href="${visit.to(path)}">${words}</a>${isOptional && html` ${badge(TEXTS.optional, 'calm')}`}<p class="hint">${why}</p></li>`
}
