// Compares a biller with its state at the last decision, row by row. It must not judge a change.
import type { FormField, ProductDefinition } from '../../../engine/api.ts'
import { CATEGORIES } from '../../../engine/contract/biller.ts'
import { prettyAmount } from '../../workers/gateways/message.ts'

export interface ComparedRow {
  readonly name: string
  /** Null when no earlier decision exists. */
  readonly before: string | null
  readonly now: string
  readonly isChanged: boolean
  /** Code keeps its indentation. */
  readonly isCode: boolean
}

type Facts = readonly (readonly [name: string, text: string])[]

export interface ProfileFacts {
  readonly display_name: string
  readonly category: string
  readonly short_desc: string
}

export function comparedProfile(before: ProfileFacts | null, now: ProfileFacts): ComparedRow[] {
  return compared(before === null ? null : profileFacts(before), profileFacts(now))
}

export function comparedProduct(before: ProductDefinition | null, now: ProductDefinition): ComparedRow[] {
  return compared(before === null ? null : productFacts(before), productFacts(now))
}

function compared(before: Facts | null, now: Facts): ComparedRow[] {
  const old = new Map(before)
  const rows = now.map(([name, text]): ComparedRow => {
    const was = old.get(name) ?? null
    return {
      name,
      before: before === null ? null : (was ?? ''),
      now: text,
      isChanged: before !== null && was !== text,
      isCode: CODE.has(name),
    }
  })
  const gone = (before ?? []).filter(([name]) => !now.some(([other]) => other === name))
  return [...rows, ...gone.map(([name, text]): ComparedRow => ({ name, before: text, now: '', isChanged: true, isCode: CODE.has(name) }))]
}

export function categoryName(slug: string): string {
  return CATEGORIES.find((category) => category.slug === slug)?.label ?? slug
}

function profileFacts({ display_name, category, short_desc }: ProfileFacts): Facts {
  return [
    ['Nom', display_name],
    ['Catégorie', categoryName(category)],
    ['Description', short_desc],
  ]
}

const MODE_NAMES = { fixed: 'formules', user: 'montant libre', lookup: 'montant demandé au facturier' } as const

const LOOKUP_CODE = 'Code de recherche'
const FULFILLMENT_CODE = 'Code après paiement'
const CODE: ReadonlySet<string> = new Set([LOOKUP_CODE, FULFILLMENT_CODE])

/** Returns the facts of a product. Fields without meaning in its mode are omitted. */
function productFacts(definition: ProductDefinition): Facts {
  const { title, amount_mode, schema, packages, min, max, presets } = definition
  const { lookup_integration, lookup_url, lookup_code, fulfillment_mode, fulfillment_code } = definition
  const rows: readonly (readonly [string, string])[] = [
    ['Titre', title],
    ['Montant', MODE_NAMES[amount_mode]],
    ['Formules', packages.map(({ label, amount }) => `${label} : ${prettyAmount(amount)}`).join('\n')],
    [
      'Bornes',
      amount_mode === 'user'
        ? `${min === null ? 'sans minimum' : prettyAmount(min)}, ${max === null ? 'sans maximum' : prettyAmount(max)}`
        : '',
    ],
    ['Montants proposés', presets.map((amount) => prettyAmount(amount)).join(', ')],
    [
      'Formulaire',
      schema.steps
        .flatMap(({ title: step, fields = [] }) => [...(step === undefined ? [] : [`${step} :`]), ...fields.map(fieldText)])
        .join('\n'),
    ],
    [
      'Recherche du montant',
      amount_mode === 'lookup' ? (lookup_integration === 'code' ? 'par code hébergé' : `par appel de ${lookup_url ?? ''}`) : '',
    ],
    [LOOKUP_CODE, lookup_code ?? ''],
    [FULFILLMENT_CODE, fulfillment_mode === 'code' ? (fulfillment_code ?? '') : ''],
  ]
  return rows.filter(([, text]) => text !== '')
}

const TYPE_NAMES = { text: 'texte', number: 'nombre', phone: 'téléphone', select: 'choix', amount: 'montant' } as const

function fieldText({ label, type, required, pattern, placeholder, help, options = [] }: FormField): string {
  const more = [
    TYPE_NAMES[type],
    required === true ? 'obligatoire' : '',
    pattern === undefined ? '' : `motif ${pattern}`,
    placeholder === undefined ? '' : `exemple « ${placeholder} »`,
    help === undefined ? '' : `aide « ${help} »`,
    options.length === 0 ? '' : `choix ${options.map((option) => option.label).join(', ')}`,
  ].filter((text) => text !== '')
  return `${label} (${more.join(', ')})`
}
