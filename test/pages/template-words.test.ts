// How the texts of a template are found, and what a page shows in English.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html, Localized, titled, titleOf, Verbatim } from '../../http/pages/html.ts'
import { keysOf } from '../../http/pages/template-words.ts'

function keys(parts: TemplateStringsArray, ..._values: unknown[]): string[] {
  return keysOf(parts)
}

test('a text stands between two block elements, with its values and its inline elements', () => {
  assert.deepEqual(keys`<p class="${1}">Payer ${2} à <b>${3}</b>.</p><p>Fin</p>`, ['Payer {0} à <1>{1}</1>.', 'Fin'])
  assert.deepEqual(keys`<p><a href="${1}">Voir</a> · <a href="/">Fermer <b>tout</b></a></p>`, ['Voir', 'Fermer <1>tout</1>'])
  assert.deepEqual(keys`<img alt="Code QR" src="a.svg"><input placeholder="${1} francs" value="Non">`, ['Code QR', '{0} francs'])
  assert.deepEqual(keys` aria-current="page"`, [])
  assert.deepEqual(keys` hidden`, [])
  assert.deepEqual(keys`<b>${1}</b> 12 · ${2}`, [])
  assert.deepEqual(
    keys` Un seul
    paiement. `,
    ['Un seul paiement.'],
  )
})

test('a page has its texts and the plain texts that are put into them in English', () => {
  const link = html`<a href="${'/a?b&c'}">Continuer</a>`
  assert.equal(
    html`<p>Payer ${'5\u202f000\u00a0F\u00a0CFA'} </p>${link}`.in('en'),
    '<p>Pay 5,000\u00a0F\u00a0CFA </p><a href="/a?b&amp;c">Continue</a>',
  )
  assert.equal(
    html`<p>${['Continuer', ' ', html`<i title="${'Paiement'}">${'Objet'}</i>`]}</p>`.in('en'),
    '<p>Continue <i title="Payment">Purpose</i></p>',
  )
  assert.equal(
    html`<p>Si <b>${'<x>'}</b> a un portefeuille Cauri, un code à 6 chiffres vient de lui être envoyé par SMS.</p>`.in('en'),
    '<p>If <b>&lt;x&gt;</b> has a Cauri wallet, a code of 6 digits was just sent to it by SMS.</p>',
  )
  assert.equal(html`<p>${new Localized((language) => `<${language}>`)}</p>`.in('en'), '<p>&lt;en&gt;</p>')
})

test('text of others is not translated', () => {
  assert.equal(
    html`<bdi>${'Continuer'}</bdi><input value="${'Continuer'}"><textarea>${'Paiement'}</textarea>`.in('en'),
    '<bdi>Continuer</bdi><input value="Continuer"><textarea>Paiement</textarea>',
  )
})

test('a title holds texts of others as they are, and no plain text gets into it', () => {
  const merchant = new Verbatim('Eau & Paiement')
  assert.equal(titled`Affiche de ${merchant}`.in('en'), 'Poster of Eau &amp; Paiement')
  assert.equal(titled`Erreur : ${titleOf('Accueil')}`.in('en'), 'Error: Home')
  assert.equal(titled`${new Verbatim('Accueil')}`.in('en'), 'Accueil')
  const name: string = 'Eau'
  // @ts-expect-error: a text of others may be a text of the catalogue.
  assert.equal(titleOf(name).in('en'), 'Water')
  // @ts-expect-error: as above.
  assert.equal(titled`${name}`.in('fr'), 'Eau')
  // @ts-expect-error: as above.
  assert.equal(titleOf(`Payer ${name}`).in('fr'), 'Payer Eau')
})

test('a page in French is its source', () => {
  assert.equal(html`<p>Payer ${'5\u202f000'} <b>ici</b></p>`.in('fr'), '<p>Payer 5\u202f000 <b>ici</b></p>')
})
