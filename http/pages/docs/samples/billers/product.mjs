import { readFile } from 'node:fs/promises'
import { cauri } from './cauri.mjs'

const field = { id: 'numero', label: 'Numéro de compteur', type: 'text', required: true, pattern: '^[0-9]{11}$' }
const product = await cauri.products.create({
  slug: 'facture',
  title: 'Facture d’électricité',
  amount_mode: 'lookup',
  schema: { steps: [{ title: 'Votre compteur', action: 'resolve', fields: [field] }] },
  lookup_integration: 'code',
  lookup_code: await readFile('lookup.js', 'utf8'),
  fulfillment_mode: 'code',
  fulfillment_code: await readFile('on-paid.js', 'utf8'),
})
console.log(product.slug, product.state)
