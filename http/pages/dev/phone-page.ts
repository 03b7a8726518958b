// The simulated phone: choose a wallet or sign up, then the screens of an app: balance, scan and statement.

import type { Balance } from '../../../engine/contract/balance.ts'
import { type MyLimits, WALLET_LIMITS } from '../../../engine/contract/limits.ts'
import type { Transaction as StatementLine } from '../../../engine/contract/transaction.ts'
import type { Text } from '../../text/text.ts'
import { amountKeyboard, currencySymbol } from '../shared/amount-text.ts'
import { formField } from '../shared/form-field.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import type { Page } from '../shared/layout.ts'
import { WORDS } from '../shared/shared-words.ts'
import { devPage } from './dev-page.ts'
import { DEV_WORDS } from './dev-words.ts'
import { FORM_TOKEN_FIELD } from './local-guard.ts'
import { FUND_PATH } from './phone-money-screens.ts'
import { TEXTS } from './phone-page-messages.ts'
import { bigAmount, errorOf, formStart, limitsLeft, lineRow, ticket } from './phone-parts.ts'
import type { PhoneError, PhoneField, Progress, Tried } from './phone-progress.ts'
import type { PhoneVisit } from './phone-visit.ts'

/** Relative path from `/dev/phone` to the root. */
const ROOT = '../'

/** A wallet in the list of proposals, for example `@awa_demo`. */
export interface ProposedWallet {
  readonly tag: string
  readonly name: string
}

export interface StartView {
  readonly progress: Progress
  /** Encrypted progress for hidden fields. */
  readonly sealed: string
  readonly wallets: readonly ProposedWallet[]
  /** A test phone number without a wallet. */
  readonly freePhone: string
  /** Reason of a sign-out, shown above the forms. */
  readonly notice: Text | string | null
}

export function startPage(view: StartView): Page {
  const { progress } = view
  const isUnderWay = progress.phone !== ''
  const body = html`<h1>${DEV_WORDS.simulatedPhone}</h1>
${view.notice !== null && html`<p class="sent" role="status">${view.notice}</p>`}
${isUnderWay ? (progress.purpose === 'login' ? loginForm(view) : signupForm(view)) : ways(view)}`
  const title = progress.error === null ? DEV_WORDS.simulatedPhone : TEXTS.errorSimulatedPhone
  return devPage({ title, root: ROOT, here: 'phone', body })
}

function ways({ progress, wallets, freePhone }: StartView): Html {
  const { typed } = progress
  return html`<div class="pair">
<section class="card" aria-labelledby="prendre">
<h2 id="prendre">${TEXTS.takeWallet}</h2>
<form class="form" method="post" action="phone/start" novalidate>
${FORM_TOKEN_FIELD}<input type="hidden" name="purpose" value="login">
${progress.purpose === 'login' && formError(progress.error)}
<datalist id="wallets">${wallets.map(({ tag, name }) => html`<option value="@${tag}">${name}</option>`)}</datalist>
${formField({
  name: 'identifier',
  label: WORDS.tagOrNumber,
  hint: TEXTS.testWalletForExampleAwa,
  value: typed.identifier ?? (wallets[0] === undefined ? '' : `@${wallets[0].tag}`),
  maxLength: 64,
  list: 'wallets',
  error: errorAt(progress.error, 'identifier'),
})}
<button type="submit">${WORDS.continue}</button>
</form>
</section>
<section class="card" aria-labelledby="inscrire">
<h2 id="inscrire">${TEXTS.signUp}</h2>
<form class="form" method="post" action="phone/start" novalidate>
${FORM_TOKEN_FIELD}<input type="hidden" name="purpose" value="signup">
${progress.purpose === 'signup' && formError(progress.error)}
${formField({
  name: 'phone',
  label: TEXTS.phoneNumber,
  hint: html`${TEXTS.numbersIn22500ForTests}`,
  value: typed.phone ?? freePhone,
  type: 'tel',
  maxLength: 32,
  error: errorAt(progress.error, 'phone'),
})}
<button type="submit">${TEXTS.getCode}</button>
</form>
</section>
</div>`
}

const TEST_CODE = '000000'

function codeFields({ progress }: StartView): Fragment {
  if (progress.token !== null) return null
  const isTest = progress.phone.startsWith('+22500')
  return formField({
    name: 'code',
    label: WORDS.codeReceivedBySms,
    hint: isTest ? TEXTS.testWalletCodeAlways000000 : html`${TEXTS.readItInInbox}`,
    value: isTest ? TEST_CODE : '',
    maxLength: 6,
    isCode: true,
    inputMode: 'numeric',
    autocomplete: 'one-time-code',
    error: errorAt(progress.error, 'code'),
  })
}

function loginForm(view: StartView): Html {
  const { progress, sealed } = view
  return html`<section class="card narrow" aria-labelledby="entrer">
<h2 id="entrer">${TEXTS.signInWith(progress.phone)}</h2>
<form class="form" method="post" action="phone/login" novalidate>
${FORM_TOKEN_FIELD}<input type="hidden" name="s" value="${sealed}">
${formError(progress.error)}
${codeFields(view)}
${pinField(progress, TEXTS.pinWallet, TEXTS.readyTestWallet2580)}
<button type="submit">${WORDS.signIn}</button>
</form>
<p class="back"><a class="alone" href="phone">${WORDS.startAgain}</a></p>
</section>`
}

function signupForm(view: StartView): Html {
  const { progress, sealed } = view
  const text = (name: PhoneField, label: Text | string, hint: Text | string | null, autocomplete: string): Html =>
    formField({ name, label, hint, value: progress.typed[name] ?? '', maxLength: 100, autocomplete, error: errorAt(progress.error, name) })
  return html`<section class="card narrow" aria-labelledby="entrer">
<h2 id="entrer">${TEXTS.signUp2(progress.phone)}</h2>
<form class="form" method="post" action="phone/signup" novalidate>
${FORM_TOKEN_FIELD}<input type="hidden" name="s" value="${sealed}">
${formError(progress.error)}
${codeFields(view)}
${text('given_name', TEXTS.givenName, null, 'given-name')}
${text('family_name', WORDS.name, null, 'family-name')}
${text('tag', '@tag', TEXTS.of320LettersDigitsOr, 'off')}
${pinField(progress, TEXTS.choosePin, TEXTS.of46DigitsNotToo)}
<button type="submit">${TEXTS.openWallet}</button>
</form>
<p class="back"><a class="alone" href="phone">${WORDS.startAgain}</a></p>
</section>`
}

function pinField({ error }: Pick<Progress, 'error'>, label: Text | string, hint: Text | string): Html {
  return formField({
    name: 'pin',
    label,
    hint,
    type: 'password',
    maxLength: 6,
    isCode: true,
    inputMode: 'numeric',
    error: errorAt(error, 'pin'),
  })
}

function errorAt(error: PhoneError | null, field: PhoneField): Text | string | null {
  return error?.field === field ? error.message : null
}

function formError(error: PhoneError | null): Fragment {
  return error?.field === 'form' && html`<p class="error" role="alert">${error.message}</p>`
}

export interface HomeView {
  readonly visit: PhoneVisit
  readonly balance: Balance
  /** Newest first. */
  readonly lines: readonly StatementLine[]
  readonly limits: MyLimits
}

export function showHome({ visit, balance, lines, limits }: HomeView): void {
  const { tag, environment } = visit.session
  const isTest = environment === 'test'
  const body = html`<div data-phone="../v1/me/events">
<div data-live="balance">${ticket(html`@${tag}${isTest && TEXTS.testWallet}`, bigAmount(balance.available, balance.currency), limitsLeft(limits, WALLET_LIMITS, balance.currency))}</div>
<div class="pair">
<section class="card" aria-labelledby="payer">
<h2 id="payer">${TEXTS.scanPayment}</h2>
<form class="form" method="get" action="phone/charge">
${formField({ name: 'c', label: TEXTS.addressOrContentQrCode, hint: TEXTS.paymentPrintedPaymentLinkOr, maxLength: 600 })}
<button type="submit">${TEXTS.scan}</button>
</form>
</section>
<section class="card" data-live="lines" aria-labelledby="mouvements">
<h2 id="mouvements">${TEXTS.latestMovements}</h2>
${lines.length === 0 ? html`<p class="hint">${DEV_WORDS.noMovementsYet}</p>` : html`<ol class="lines">${lines.map((line) => lineRow('phone/history', line))}</ol>`}
</section>
${isTest && playMoney(visit.tried(FUND_PATH), balance.currency)}
<section class="card" aria-labelledby="flux">
<h2 id="flux">${TEXTS.live}</h2>
<p class="hint">${TEXTS.whatAppReceivesByGet}</p>
<noscript><p class="hint">${TEXTS.liveUpdatesNeedJavaScriptReload}</p></noscript>
<p class="unseen" role="status" data-stream-state></p>
<ol class="events" data-events aria-label="${TEXTS.eventsNewestFirst}"></ol>
</section>
</div>
<form class="leave" method="post" action="phone/leave">${FORM_TOKEN_FIELD}<button type="submit" class="quiet">${TEXTS.leaveWallet}</button></form>
</div>`
  visit.show({ title: WORDS.home, here: 'home', body })
}

const PLAY_MONEY = '10 000'

function playMoney(tried: Tried, currency: string): Html {
  return html`<section class="card" aria-labelledby="argent">
<h2 id="argent">${TEXTS.testMoney}</h2>
<form class="form" method="post" action="phone/fund" novalidate>
${formStart(tried.key)}
${formField({ name: 'amount', label: TEXTS.amountReceiveIn(currencySymbol(currency)), value: tried.values.amount ?? PLAY_MONEY, maxLength: 24, inputMode: amountKeyboard(currency), error: errorOf(tried, 'amount') })}
<button type="submit" class="quiet">${TEXTS.receive}</button>
</form>
</section>`
}
