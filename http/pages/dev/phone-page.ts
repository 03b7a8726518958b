// The simulated phone: choose a wallet or sign up, then the screens of an app: balance, scan and statement.
import type { Balance } from '../../../engine/contract/balance.ts'
import type { Transaction as StatementLine } from '../../../engine/contract/transaction.ts'
import { formField } from '../form-field.ts'
import { type Fragment, type Html, html, Verbatim } from '../html.ts'
import type { Page } from '../layout.ts'
import { devPage } from './dev-page.ts'
import { FORM_TOKEN_FIELD } from './local-guard.ts'
import { FUND_PATH } from './phone-money-screens.ts'
import { bigAmount, errorOf, formStart, lineRow, ticket } from './phone-parts.ts'
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
  readonly notice: string | null
}

export function startPage(view: StartView): Page {
  const { progress } = view
  const isUnderWay = progress.phone !== ''
  const body = html`<h1>Téléphone simulé</h1>
${view.notice !== null && html`<p class="sent" role="status">${view.notice}</p>`}
${isUnderWay ? (progress.purpose === 'login' ? loginForm(view) : signupForm(view)) : ways(view)}`
  const title = progress.error === null ? 'Téléphone simulé' : 'Erreur : téléphone simulé'
  return devPage({ title, root: ROOT, here: 'phone', body })
}

function ways({ progress, wallets, freePhone }: StartView): Html {
  const { typed } = progress
  return html`<div class="pair">
<section class="card" aria-labelledby="prendre">
<h2 id="prendre">Prendre un portefeuille</h2>
<form class="form" method="post" action="phone/start" novalidate>
${FORM_TOKEN_FIELD}<input type="hidden" name="purpose" value="login">
${progress.purpose === 'login' && formError(progress.error)}
<datalist id="wallets">${wallets.map(({ tag, name }) => html`<option value="@${tag}">${new Verbatim(name)}</option>`)}</datalist>
${formField({
  name: 'identifier',
  label: '@tag ou numéro',
  hint: 'Un portefeuille de test, par exemple @awa_demo.',
  value: typed.identifier ?? (wallets[0] === undefined ? '' : `@${wallets[0].tag}`),
  maxLength: 64,
  list: 'wallets',
  error: errorAt(progress.error, 'identifier'),
})}
<button type="submit">Continuer</button>
</form>
</section>
<section class="card" aria-labelledby="inscrire">
<h2 id="inscrire">S’inscrire</h2>
<form class="form" method="post" action="phone/start" novalidate>
${FORM_TOKEN_FIELD}<input type="hidden" name="purpose" value="signup">
${progress.purpose === 'signup' && formError(progress.error)}
${formField({
  name: 'phone',
  label: 'Numéro de téléphone',
  hint: html`Les numéros en <b>+22500</b> sont de test : aucun SMS ne part. Pour tout autre, le code arrive dans le <a href="../dev">courrier</a>.`,
  value: typed.phone ?? freePhone,
  type: 'tel',
  maxLength: 32,
  error: errorAt(progress.error, 'phone'),
})}
<button type="submit">Recevoir un code</button>
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
    label: 'Code reçu par SMS',
    hint: isTest ? 'Portefeuille de test : le code est toujours 000000.' : html`À lire dans le <a href="../dev">courrier</a>.`,
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
<h2 id="entrer">Se connecter au ${progress.phone}</h2>
<form class="form" method="post" action="phone/login" novalidate>
${FORM_TOKEN_FIELD}<input type="hidden" name="s" value="${sealed}">
${formError(progress.error)}
${codeFields(view)}
${pinField(progress, 'Code PIN du portefeuille', 'Celui d’un portefeuille de test tout prêt est 2580.')}
<button type="submit">Se connecter</button>
</form>
<p class="back"><a class="alone" href="phone">Recommencer</a></p>
</section>`
}

function signupForm(view: StartView): Html {
  const { progress, sealed } = view
  const text = (name: PhoneField, label: string, hint: string | null, autocomplete: string): Html =>
    formField({ name, label, hint, value: progress.typed[name] ?? '', maxLength: 100, autocomplete, error: errorAt(progress.error, name) })
  return html`<section class="card narrow" aria-labelledby="entrer">
<h2 id="entrer">Inscrire le ${progress.phone}</h2>
<form class="form" method="post" action="phone/signup" novalidate>
${FORM_TOKEN_FIELD}<input type="hidden" name="s" value="${sealed}">
${formError(progress.error)}
${codeFields(view)}
${text('given_name', 'Prénom', null, 'given-name')}
${text('family_name', 'Nom', null, 'family-name')}
${text('tag', '@tag', 'De 3 à 20 lettres, chiffres ou _ : c’est par lui qu’on vous paie.', 'off')}
${pinField(progress, 'Choisir un code PIN', 'De 4 à 6 chiffres, pas trop simple : ni 1234 ni 0000.')}
<button type="submit">Ouvrir le portefeuille</button>
</form>
<p class="back"><a class="alone" href="phone">Recommencer</a></p>
</section>`
}

function pinField({ error }: Pick<Progress, 'error'>, label: string, hint: string): Html {
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

function errorAt(error: PhoneError | null, field: PhoneField): string | null {
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
}

export function showHome({ visit, balance, lines }: HomeView): void {
  const { tag, environment } = visit.session
  const isTest = environment === 'test'
  const body = html`<div data-phone="../v1/me/events">
<div data-live="balance">${ticket(html`@${tag}${isTest && ', portefeuille de test'}`, bigAmount(balance.available))}</div>
<div class="pair">
<section class="card" aria-labelledby="payer">
<h2 id="payer">Scanner un paiement</h2>
<form class="form" method="get" action="phone/charge">
${formField({ name: 'c', label: 'Adresse, ou contenu du code QR', hint: 'D’un paiement, d’un lien de paiement imprimé ou d’un prélèvement.', maxLength: 600 })}
<button type="submit">Scanner</button>
</form>
</section>
<section class="card" data-live="lines" aria-labelledby="mouvements">
<h2 id="mouvements">Derniers mouvements</h2>
${lines.length === 0 ? html`<p class="hint">Aucun mouvement pour le moment.</p>` : html`<ol class="lines">${lines.map((line) => lineRow('phone/history', line))}</ol>`}
</section>
${isTest && playMoney(visit.tried(FUND_PATH))}
<section class="card" aria-labelledby="flux">
<h2 id="flux">En direct</h2>
<p class="hint">Ce que l’application reçoit par <code>GET /v1/me/events</code>.</p>
<noscript><p class="hint">Le direct demande JavaScript. <a href="phone">Actualiser la page</a> montre le solde du moment.</p></noscript>
<p class="unseen" role="status" data-stream-state></p>
<ol class="events" data-events aria-label="Évènements, du plus récent au plus ancien"></ol>
</section>
</div>
<form class="leave" method="post" action="phone/leave">${FORM_TOKEN_FIELD}<button type="submit" class="quiet">Quitter ce portefeuille</button></form>
</div>`
  visit.show({ title: 'Accueil', here: 'home', body })
}

const PLAY_MONEY = '10 000'

function playMoney(tried: Tried): Html {
  return html`<section class="card" aria-labelledby="argent">
<h2 id="argent">Argent de test</h2>
<form class="form" method="post" action="phone/fund" novalidate>
${formStart(tried.key)}
${formField({ name: 'amount', label: 'Montant à recevoir, en F CFA', value: tried.values.amount ?? PLAY_MONEY, maxLength: 24, inputMode: 'numeric', error: errorOf(tried, 'amount') })}
<button type="submit" class="quiet">Recevoir</button>
</form>
</section>`
}
