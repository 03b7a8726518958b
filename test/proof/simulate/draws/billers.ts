// Requests of merchants about their profile in the directory and their products, and decisions of operators about them.
import assert from 'node:assert/strict'
import { readDefinition, type SentDefinition } from '../../../../engine/domain/biller/biller-definition.ts'
import type { DefinitionFault } from '../../../../engine/domain/biller/form-schema.ts'
import type { Command, CommandType } from '../../../../engine/domain/command.ts'
import { type Draw, type Drawing, recent } from '../entry.ts'
import type { ModelBiller } from '../models/billers.ts'
import type { Models } from '../models.ts'
import { environment, merchant } from './pick.ts'

const logosBase = 'https://cauri.example/logos/'
const CODE = { fulfillment_mode: 'code', fulfillment_code: 'function onPaid(ctx) {}' }
const CONTRACT_FIELD = { id: 'contrat', label: 'Contrat', type: 'text', required: true }
const form = (...fields: readonly object[]) => ({ steps: [{ fields }] })
const FACTURE = { title: 'Facture', amount_mode: 'lookup', lookup_url: 'https://eau.example/lookup', schema: form(CONTRACT_FIELD) }
const DON = { title: 'Don', amount_mode: 'user', schema: form({ id: 'montant', label: 'Montant', type: 'amount' }), ...CODE }
const PASS = { title: 'Pass', amount_mode: 'fixed', schema: { steps: [] }, packages: [{ id: 'jour', label: 'Pass jour', amount: 500 }] }
const PRODUCTS: Readonly<Record<string, object>> = { facture: FACTURE, don: DON, pass: PASS }
const SLUGS = ['facture', 'don', 'pass'] as const

/** A definition for each fault. */
const FAULTY = {
  title_required: { ...DON, title: ' ' },
  invalid_request: { ...DON, title: 'x'.repeat(121) },
  invalid_amount_mode: { ...DON, amount_mode: 'free' },
  invalid_schema_json: { ...DON, schema: { steps: 1 } },
  packages_required: { ...PASS, packages: [] },
  invalid_package: { ...PASS, packages: [{ id: 'jour', label: '', amount: 500 }] },
  invalid_amount_bounds: { ...DON, min: 10, max: 5 },
  amount_field_required: { ...DON, schema: form(CONTRACT_FIELD) },
  identify_fields_required: { ...FACTURE, schema: DON.schema },
  lookup_url_required: { ...FACTURE, lookup_url: null },
  lookup_url_must_be_https: { ...FACTURE, lookup_url: 'http://eau.example/lookup' },
  lookup_code_required: { ...FACTURE, lookup_integration: 'code' },
  fulfillment_code_required: { ...DON, fulfillment_code: '' },
  field_id_label_required: { ...FACTURE, schema: form(CONTRACT_FIELD, { id: 'ville', label: '', type: 'text' }) },
  duplicate_field_id: { ...FACTURE, schema: form(CONTRACT_FIELD, CONTRACT_FIELD) },
  invalid_field_type: { ...FACTURE, schema: form(CONTRACT_FIELD, { id: 'ville', label: 'Ville', type: 'colour' }) },
  invalid_field_pattern: { ...FACTURE, schema: form({ ...CONTRACT_FIELD, pattern: '(' }) },
  select_options_required: { ...FACTURE, schema: form(CONTRACT_FIELD, { id: 'ville', label: 'Ville', type: 'select' }) },
  invalid_step_action: { ...FACTURE, schema: { steps: [{ action: 'pay', fields: [CONTRACT_FIELD] }] } },
} as const satisfies Record<DefinitionFault['code'], object>
const FAULTS = Object.keys(FAULTY) as readonly DefinitionFault['code'][]

/** The biller that lacks least, so that some are published soon. */
export function billerOf({ billers }: Models, { prng }: Drawing): ModelBiller | undefined {
  const all = [...billers.billers.values()]
  return prng.chance(0.7) ? all[0] : recent(prng, all)
}

/** An account of the biller's merchant. */
function accountOf(models: Models, drawing: Drawing, biller: ModelBiller | undefined): number | undefined {
  const owner = models.accounts.merchants.find(({ id }) => id === biller?.merchantId) ?? merchant(models, drawing)
  return owner?.[environment(drawing)]
}

function ofBiller(models: Models, make: (merchantAccount: number, drawing: Drawing, biller: ModelBiller | undefined) => Command): Draw {
  return (drawing) => {
    const biller = drawing.prng.chance(0.03) ? undefined : billerOf(models, drawing)
    const account = accountOf(models, drawing, biller)
    return account === undefined ? null : make(account, drawing, biller)
  }
}

/** What http/ makes of the body: a definition, or the fault that the body was written for. */
function definitionOf({ prng }: Drawing, slug: (typeof SLUGS)[number]): SentDefinition | DefinitionFault {
  const fault = prng.chance(0.06) ? prng.pick(FAULTS) : null
  const read = readDefinition(fault === null ? { ...PRODUCTS[slug], ...(prng.chance(0.2) ? CODE : {}) } : FAULTY[fault])
  assert.equal('code' in read ? read.code : null, fault, 'a definition is judged by what is wrong with it')
  return read
}

const productDraws = (models: Models) =>
  ({
    SaveProduct: ofBiller(models, (account, drawing, biller) => {
      const { prng } = drawing
      const missing = SLUGS.find((slug) => biller?.products.has(slug) !== true)
      const slug = prng.chance(0.8) && missing !== undefined ? missing : prng.pick(SLUGS)
      const mode = biller?.products.has(slug) === prng.chance(0.95) ? 'replace' : 'create'
      return { type: 'SaveProduct', merchant: account, slug, mode, definition: definitionOf(drawing, slug), sealedSecret: null }
    }),
    SwitchProduct: ofBiller(models, (account, { prng }, biller) => {
      const inactive = [...(biller?.products.values() ?? [])].find(({ state }) => state === 'inactive')
      const slug = inactive?.slug ?? prng.pick(SLUGS)
      return { type: 'SwitchProduct', merchant: account, slug, to: inactive === undefined && prng.chance(0.3) ? 'inactive' : 'active' }
    }),
  }) satisfies Partial<Record<CommandType, Draw>>

const curationDraws = (models: Models) =>
  ({
    CurateBiller: (drawing) => {
      const { prng } = drawing
      const biller = billerOf(models, drawing)
      const fitting = {
        in_review: ['approved', 'approved', 'rejected'],
        published: ['suspended', 'approved', 'rejected'],
        suspended: ['reinstated'],
      } as const
      const choice = fitting[biller?.state as keyof typeof fitting] ?? (['approved', 'rejected', 'suspended', 'reinstated'] as const)
      const curation = prng.chance(0.9) ? prng.pick(choice) : prng.pick(['approved', 'rejected', 'suspended', 'reinstated'] as const)
      // What the operator has seen; now and then something was submitted since.
      const submittedAt = prng.chance(0.5) ? null : prng.chance(0.9) ? (biller?.submittedAt ?? null) : '2026-01-01T00:00:00.000Z'
      const reason = curation === 'rejected' || curation === 'suspended' ? prng.pick(['Logo flou', 'Plaintes']) : ''
      return { type: 'CurateBiller', slug: biller?.slug ?? 'ghost', curation, reason, submittedAt, logosBase }
    },
    CurateLogo: (drawing) => {
      const { prng } = drawing
      const pending = [...models.billers.billers.values()].find(({ pendingLogo }) => pendingLogo !== null) ?? billerOf(models, drawing)
      const curation = prng.pick(['logo_approved', 'logo_rejected'] as const)
      const file = prng.chance(0.5) ? null : prng.chance(0.9) ? (pending?.pendingLogo ?? null) : 'other.png'
      return { type: 'CurateLogo', slug: pending?.slug ?? 'ghost', curation, file, logosBase }
    },
    ApproveTestBiller: (drawing) => {
      const biller = drawing.prng.chance(0.05) ? undefined : billerOf(models, drawing)
      const owner = models.accounts.merchants.find(({ id }) => id === biller?.merchantId) ?? merchant(models, drawing)
      return owner === undefined ? null : { type: 'ApproveTestBiller', merchant: owner.test, logosBase }
    },
  }) satisfies Partial<Record<CommandType, Draw>>

export const billerDraws = (models: Models) =>
  ({
    ...productDraws(models),
    ...curationDraws(models),
    SaveBiller: (drawing) => {
      const { prng } = drawing
      const old = prng.chance(0.5) ? billerOf(models, drawing) : undefined
      const account = accountOf(models, drawing, old)
      if (account === undefined) return null
      const isNamed = !prng.chance(0.05) && (old === undefined || prng.chance(0.3))
      const displayName = isNamed ? drawing.name('Eau ') : prng.chance(0.9) ? (old?.name ?? 'Eau vive') : null
      const category = prng.chance(0.05) ? null : prng.chance(0.1) ? 'energy' : (old?.category ?? 'water')
      return { type: 'SaveBiller', merchant: account, displayName, category, shortDesc: prng.pick(['é', 'Eau']), logosBase }
    },
    SetBillerLogo: ofBiller(models, (account, drawing, biller) => {
      const file = drawing.prng.chance(0.1) ? (biller?.logo ?? biller?.pendingLogo) : null
      const about = { contentType: 'image/png', base64: 'YQ==', logosBase }
      return { type: 'SetBillerLogo', merchant: account, file: file ?? `${drawing.name('logo')}.png`, ...about }
    }),
    SubmitBiller: ofBiller(models, (account) => ({ type: 'SubmitBiller', merchant: account, logosBase })),
  }) satisfies Partial<Record<CommandType, Draw>>
