// Templates of hosted code for the product editor, in French for the merchants' developers. A test runs each of them.

import type { SandboxEntry } from '../../../../engine/api.ts'
import type { Text } from '../../../text/text.ts'
import { texts } from '../../shared/texts.ts'

interface CodeTemplate {
  readonly id: string
  readonly entry: SandboxEntry
  readonly title: Text
  readonly code: string
}

const TITLES = texts({
  fr: {
    jsonApi: 'API JSON',
    signedApi: 'API signée (HMAC)',
    xmlService: 'Service XML',
    withoutNetwork: 'Calcul sans réseau',
    fixedPackages: 'Formules à prix fixe',
  },
  en: {
    jsonApi: 'JSON API',
    signedApi: 'Signed API (HMAC)',
    xmlService: 'XML service',
    withoutNetwork: 'Calculation without network',
    fixedPackages: 'Packages with a fixed price',
  },
})

const HMAC = `async function signature(texte, secret) {
  const octets = (valeur) => new TextEncoder().encode(valeur)
  const cle = await crypto.subtle.importKey('raw', octets(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return Buffer.from(await crypto.subtle.sign('HMAC', cle, octets(texte))).toString('hex')
}`

const XML = `const echappe = (valeur) =>
  String(valeur).replace(/[<>&"']/g, (signe) => '&#' + signe.charCodeAt(0) + ';')
const balise = (xml, nom) => new RegExp('<' + nom + '[^>]*>([^<]*)</' + nom + '>').exec(xml)?.[1] ?? null`

export const CODE_TEMPLATES: readonly CodeTemplate[] = [
  {
    id: 'lookup-json',
    entry: 'lookup',
    title: TITLES.jsonApi,
    code: `// Consultation par une API JSON. Remplacez l'adresse, le jeton et les noms des champs.
const ADRESSE = 'https://api.exemple.sn/factures'
const JETON = 'votre-jeton'

async function lookup(args) {
  const adresse = new URL(ADRESSE)
  adresse.searchParams.set('contrat', args.fields.contrat ?? '')
  const reponse = await fetch(adresse, {
    headers: { Authorization: 'Bearer ' + JETON, Accept: 'application/json' },
    signal: AbortSignal.timeout(8000),
  })
  if (reponse.status === 404) return { ok: false, reason: 'Contrat inconnu.' }
  if (!reponse.ok) throw new Error('réponse ' + reponse.status)
  const facture = await reponse.json()
  if (facture.montant === 0) return { ok: false, reason: 'Rien à payer pour ce contrat.' }
  return {
    ok: true,
    amount: facture.montant,
    label: 'Facture de ' + new Date(facture.date).toLocaleDateString('fr-FR', { month: 'long', year: 'numeric' }),
    customer_name: facture.client,
    biller_ref: facture.numero,
  }
}
`,
  },
  {
    id: 'lookup-hmac',
    entry: 'lookup',
    title: TITLES.signedApi,
    code: `// Consultation par une API dont chaque appel est signé par HMAC-SHA256.
const ADRESSE = 'https://api.exemple.sn/consultation'
const SECRET = 'votre-secret'

${HMAC}

async function lookup(args) {
  const body = JSON.stringify({ contrat: args.fields.contrat, demande: args.request_id })
  const temps = String(args.ts)
  const reponse = await fetch(ADRESSE, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Timestamp': temps,
      'X-Signature': await signature(temps + '.' + body, SECRET),
    },
    body,
  })
  if (!reponse.ok) throw new Error('réponse ' + reponse.status)
  const { montant, numero, client } = await reponse.json()
  return montant > 0
    ? { ok: true, amount: montant, biller_ref: numero, customer_name: client }
    : { ok: false, reason: 'Rien à payer pour ce contrat.' }
}
`,
  },
  {
    id: 'lookup-xml',
    entry: 'lookup',
    title: TITLES.xmlService,
    code: `// Consultation par un service XML. La réponse peut être en ISO-8859-1.
const ADRESSE = 'https://soap.exemple.sn/factures'

${XML}

async function lookup(args) {
  const reponse = await fetch(ADRESSE, {
    method: 'POST',
    headers: { 'Content-Type': 'text/xml; charset=utf-8' },
    body: '<?xml version="1.0"?><consultation><contrat>' + echappe(args.fields.contrat) + '</contrat></consultation>',
  })
  const xml = new TextDecoder('iso-8859-1').decode(await reponse.arrayBuffer())
  const montant = Number(balise(xml, 'montant') ?? NaN)
  if (!Number.isInteger(montant)) return { ok: false, reason: 'Contrat inconnu.' }
  return { ok: true, amount: montant, customer_name: balise(xml, 'client'), biller_ref: balise(xml, 'numero') }
}
`,
  },
  {
    id: 'lookup-tarif',
    entry: 'lookup',
    title: TITLES.withoutNetwork,
    code: `// Montant calculé ici : un tarif par mois et une remise à partir de six mois.
const TARIF = 5000

function lookup(args) {
  const mois = Number(args.fields.mois)
  if (!Number.isInteger(mois) || mois < 1 || mois > 12) return { ok: false, reason: 'Choisissez de 1 à 12 mois.' }
  const lignes = [{ label: mois + ' mois à ' + TARIF.toLocaleString('fr-FR') + ' F', amount: mois * TARIF }]
  if (mois >= 6) lignes.push({ label: 'Remise', amount: -TARIF })
  return { ok: true, amount: lignes.reduce((somme, ligne) => somme + ligne.amount, 0), label: 'Abonnement', line_items: lignes }
}
`,
  },
  {
    id: 'on-paid-json',
    entry: 'onPaid',
    title: TITLES.jsonApi,
    code: `// Livraison par une API JSON. Une référence déjà connue de votre système doit répondre 409 : rien n'est livré deux fois.
const ADRESSE = 'https://api.exemple.sn/paiements'
const JETON = 'votre-jeton'

async function onPaid(ctx) {
  const reponse = await fetch(ADRESSE, {
    method: 'POST',
    headers: { Authorization: 'Bearer ' + JETON, 'Content-Type': 'application/json' },
    body: JSON.stringify({ reference: ctx.transaction_id, facture: ctx.biller_ref, montant: ctx.amount, champs: ctx.form_values }),
  })
  console.log('réponse', reponse.status)
  if (!reponse.ok && reponse.status !== 409) throw new Error('réponse ' + reponse.status)
}
`,
  },
  {
    id: 'on-paid-hmac',
    entry: 'onPaid',
    title: TITLES.signedApi,
    code: `// Livraison par une API dont chaque appel est signé par HMAC-SHA256.
const ADRESSE = 'https://api.exemple.sn/livraisons'
const SECRET = 'votre-secret'

${HMAC}

async function onPaid(ctx) {
  const body = JSON.stringify({ reference: ctx.transaction_id, facture: ctx.biller_ref, montant: ctx.amount })
  const reponse = await fetch(ADRESSE, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Signature': await signature(body, SECRET) },
    body,
  })
  if (!reponse.ok) throw new Error('réponse ' + reponse.status)
}
`,
  },
  {
    id: 'on-paid-xml',
    entry: 'onPaid',
    title: TITLES.xmlService,
    code: `// Livraison par un service XML.
const ADRESSE = 'https://soap.exemple.sn/paiements'

${XML}

async function onPaid(ctx) {
  const champs = { reference: ctx.transaction_id, facture: ctx.biller_ref, montant: ctx.amount, date: new Date(ctx.paid_at * 1000).toISOString() }
  const contenu = Object.entries(champs).map(([nom, valeur]) => '<' + nom + '>' + echappe(valeur) + '</' + nom + '>').join('')
  const reponse = await fetch(ADRESSE, {
    method: 'POST',
    headers: { 'Content-Type': 'text/xml; charset=utf-8' },
    body: '<?xml version="1.0"?><paiement>' + contenu + '</paiement>',
  })
  const resultat = balise(await reponse.text(), 'resultat')
  if (resultat !== 'OK') throw new Error('résultat ' + resultat)
}
`,
  },
  {
    id: 'on-paid-packages',
    entry: 'onPaid',
    title: TITLES.fixedPackages,
    code: `// Livraison d'une formule d'après son prix, à un numéro de téléphone.
const ADRESSE = 'https://api.exemple.sn/forfaits'
const FORMULES = { 500: 'JOUR', 1000: 'SEMAINE', 5000: 'MOIS' }

async function onPaid(ctx) {
  const formule = FORMULES[ctx.amount]
  if (formule === undefined) throw new Error('aucune formule à ' + ctx.amount)
  const numero = String(ctx.form_values.telephone).replace(/\\D/g, '').replace(/^221/, '')
  const reponse = await fetch(ADRESSE, {
    method: 'POST',
    body: new URLSearchParams({ formule, numero, reference: ctx.transaction_id }),
  })
  if (!reponse.ok) throw new Error('réponse ' + reponse.status)
}
`,
  },
]

export function templateOf(id: string): CodeTemplate | null {
  return CODE_TEMPLATES.find((template) => template.id === id) ?? null
}
