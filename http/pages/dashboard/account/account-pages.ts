// The account page: what owners say about the merchant, and the user's own address with its confirmation.

import {
  MERCHANT_ADDRESS_LENGTH_MAX,
  MERCHANT_NAME_LENGTH_MAX,
  type MerchantAccount,
  type NameChange,
} from '../../../../engine/contract/merchant-account.ts'
import { TIME_ZONES, type TimeZone, utcName } from '../../../../engine/kernel/time-zone.ts'
import type { Route } from '../../../server/route.ts'
import type { Text } from '../../../text/text.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { formField } from '../../shared/form-field.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { actionButton, badge, dateText, facts, failure, formStart, heading, selectField, theirs } from '../shared/dashboard-parts.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { cityOf } from '../shared/merchant-time.ts'
import { TEXTS } from './account-pages-messages.ts'
import { logoPart, logoRows } from './logo-part.ts'

const FIELDS = ['name', 'address', 'time_zone', 'email_language'] as const

type Values = Readonly<Record<(typeof FIELDS)[number], string>>

export function accountRows(parts: DashboardParts): readonly Route[] {
  return [
    pageRow(parts, {
      path: '/account',
      operationId: 'showAccount',
      needs: null,
      summary: 'The account',
      show: (visit) => showAccount(visit, null, null),
    }),
    formRow(parts, {
      path: '/account',
      operationId: 'sendAccount',
      needs: 'setMerchantAccount',
      summary: 'Change the account',
      fields: FIELDS,
      act: save,
    }),
    ...logoRows(parts, (visit, error) => showAccount(visit, null, error)),
    formRow(parts, {
      path: '/account/confirmation',
      operationId: 'sendConfirmationLink',
      needs: 'requestEmailConfirmation',
      summary: 'Send the confirmation link again',
      fields: [],
      act: async (visit, { key }) => {
        const answer = await visit.ask('requestEmailConfirmation', { idempotencyKey: key })
        if (answer.ok) visit.goTo('account', 'confirmation_sent')
        else await showAccount(visit, null, answer.error)
      },
    }),
  ]
}

async function save(visit: Visit, sent: Sent<keyof Values | 'key'>): Promise<void> {
  const before = await visit.ask<MerchantAccount>('getMerchantAccount')
  const [name, address] = [sent.name.trim(), sent.address.trim()]
  const { time_zone } = sent
  const body = {
    name,
    address: address === '' ? null : address,
    time_zone,
    email_language: sent.email_language === '' ? null : sent.email_language,
  }
  const answer = await visit.ask<MerchantAccount>('setMerchantAccount', { body })
  if (!answer.ok) return showAccount(visit, { ...sent, name, address }, answer.error)
  const [waited, waits] = [before.ok && before.body.name_change?.name, answer.body.name_change?.name]
  visit.goTo(
    'account',
    waits === undefined && waited ? 'name_withdrawn' : waits === waited || waits === undefined ? 'account_set' : 'name_requested',
  )
}

async function showAccount(visit: Visit, sent: Values | null, error: ApiError | null): Promise<void> {
  const { user, merchant } = visit.principal
  const answer = visit.may('getMerchantAccount') ? await visit.ask<MerchantAccount>('getMerchantAccount') : null
  const account = answer?.ok === true ? answer.body : null
  const isHere = error !== null && ([...FIELDS, 'file'] as readonly string[]).includes(error.param ?? '')
  const body = html`${heading(WORDS.account)}
${failure(isHere ? null : error)}
${account === null ? facts([[TEXTS.business, theirs(merchant.name)]]) : businessPart(visit, account, sent, isHere ? error : null)}
${account !== null && logoPart(visit, account, error)}
<section><h2>${TEXTS.access}</h2>${facts([
    [WORDS.eMailAddress, emailPart(visit)],
    [
      TEXTS.languagePages,
      html`<a href="?lang=fr" lang="fr" hreflang="fr"><bdi>Français</bdi></a> <a href="?lang=en" lang="en" hreflang="en"><bdi>English</bdi></a>`,
    ],
    [DASHBOARD_WORDS.password, html`<a href="${visit.to('security')}#password-form">${TEXTS.change}</a>`],
    [
      DASHBOARD_WORDS.twoStepVerification,
      html`<a href="${visit.to('security')}#second-factor">${visit.app.dashboard.secondFactors.isActive(user.id) ? DASHBOARD_WORDS.on : DASHBOARD_WORDS.off}</a>`,
    ],
    [TEXTS.merchantIdentifier, merchant.id],
  ])}
${visit.may('inviteMember') && html`<p class="hint">${TEXTS.eMailAddressChangeIt(visit.to('members'))}</p>`}</section>`
  visit.show({ title: WORDS.account, place: 'account', body }, error === null ? 200 : 400)
}

function businessPart(visit: Visit, account: MerchantAccount, sent: Values | null, error: ApiError | null): Html {
  const content = visit.maySend(visit.to('account')) ? accountForm(visit, account, sent, error) : accountFacts(account)
  return html`<section><h2>${TEXTS.business}</h2>${account.name_change !== null && nameChangePart(account.name, account.name_change)}${content}</section>`
}

function nameChangePart(present: string, { state, name, reason, requested_at }: NameChange): Html {
  if (state === 'refused') return html`<p class="error">${TEXTS.nameRefused(theirs(name), reason ?? '')}</p>`
  return html`<p>${badge(DASHBOARD_WORDS.underReview, 'wait')} ${TEXTS.nameWaits(theirs(name), dateText(requested_at), theirs(present))}</p>`
}

function accountFacts({ name, address, time_zone, email_language }: MerchantAccount): Html {
  return facts([
    [TEXTS.nameShown, theirs(name)],
    [WORDS.address, address !== null && theirs(address)],
    [TEXTS.timeZone, zoneText(time_zone)],
    [TEXTS.languageMails, LANGUAGE_NAMES[email_language ?? '']],
  ])
}

const LANGUAGE_NAMES = { '': TEXTS.bothLanguages, fr: TEXTS.french, en: TEXTS.english } as const satisfies Record<string, Text | string>

function zoneText(zone: TimeZone): string {
  return `${cityOf(zone)} (${utcName(zone)})`
}

function accountForm(visit: Visit, account: MerchantAccount, sent: Values | null, error: ApiError | null): Fragment {
  const waits = account.name_change?.state === 'requested' ? account.name_change.name : account.name
  const value: Values = sent ?? {
    name: waits,
    address: account.address ?? '',
    time_zone: account.time_zone,
    email_language: account.email_language ?? '',
  }
  const about = (name: keyof Values): Text | string | null => (error?.param === name ? error.message : null)
  return html`<form class="form card" method="post" action="${visit.to('account')}" novalidate>${formStart(visit)}
${formField({ name: 'name', label: TEXTS.nameShown, hint: TEXTS.nameHint, value: value.name, maxLength: MERCHANT_NAME_LENGTH_MAX, error: about('name') })}
${formField({
  ...{ name: 'address', label: WORDS.address, hint: TEXTS.addressHint, value: value.address, maxLength: MERCHANT_ADDRESS_LENGTH_MAX },
  ...{ isRequired: false, autocomplete: 'street-address', error: about('address') },
})}
${selectField(
  'time_zone',
  TEXTS.timeZone,
  TIME_ZONES.map((zone) => ({ value: zone, words: zoneText(zone) })),
  value.time_zone,
)}
${selectField(
  'email_language',
  TEXTS.languageMails,
  Object.entries(LANGUAGE_NAMES).map(([language, words]) => ({ value: language, words })),
  value.email_language,
)}
<button type="submit">${DASHBOARD_WORDS.save}</button></form>`
}

function emailPart(visit: Visit): Html {
  const { email, email_confirmed_at } = visit.principal.user
  const state =
    email_confirmed_at === undefined
      ? html`${badge(TEXTS.confirm, 'wait')} ${actionButton(visit, visit.to('account/confirmation'), TEXTS.sendLinkAgain)}`
      : badge(TEXTS.confirmed, 'good')
  return html`${theirs(email)} ${state}`
}
