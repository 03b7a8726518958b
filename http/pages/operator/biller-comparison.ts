// Compares a biller with its state at the last decision, row by row. It must not judge a change.

import type { FormField, ProductDefinition } from '../../../engine/api.ts'
import { composed, joined, type Text, wordsIn } from '../../text/text.ts'
import { amountText } from '../shared/amount-text.ts'
import { categoryName } from '../shared/category-words.ts'
import { WORDS } from '../shared/shared-words.ts'
import { TEXTS } from './biller-comparison-messages.ts'

export interface ComparedRow {
  readonly name: Text
  /** Null when no earlier decision exists. */
  readonly before: Text | string | null
  readonly now: Text | string
  readonly isChanged: boolean
  /** Code keeps its indentation. */
  readonly isCode: boolean
}

type Facts = readonly (readonly [name: Text, text: Text | string])[]

export interface ProfileFacts {
  readonly display_name: string
  readonly category: string
  readonly short_desc: string
}

export function comparedProfile(before: ProfileFacts | null, now: ProfileFacts): ComparedRow[] {
  return compared(before === null ? null : profileFacts(before), profileFacts(now))
}

/** `currency`: that of the biller's account. */
export function comparedProduct(before: ProductDefinition | null, now: ProductDefinition, currency: string): ComparedRow[] {
  return compared(before === null ? null : productFacts(before, currency), productFacts(now, currency))
}

function compared(before: Facts | null, now: Facts): ComparedRow[] {
  const old = new Map(before)
  const rows = now.map(([name, text]): ComparedRow => {
    const was = old.get(name) ?? null
    return {
      name,
      before: before === null ? null : (was ?? ''),
      now: text,
      isChanged: before !== null && (was === null || wordsIn(was, 'fr') !== wordsIn(text, 'fr')),
      isCode: CODE.has(name),
    }
  })
  const gone = (before ?? []).filter(([name]) => !now.some(([other]) => other === name))
  return [...rows, ...gone.map(([name, text]): ComparedRow => ({ name, before: text, now: '', isChanged: true, isCode: CODE.has(name) }))]
}

function profileFacts({ display_name, category, short_desc }: ProfileFacts): Facts {
  return [
    [WORDS.name, display_name],
    [WORDS.category, categoryName(category)],
    [WORDS.description, short_desc],
  ]
}

const MODE_NAMES = { fixed: TEXTS.packagesInSentence, user: TEXTS.freeAmount, lookup: TEXTS.amountAskedFromBiller } as const

const LOOKUP_CODE = TEXTS.lookupCode
const FULFILLMENT_CODE = TEXTS.codeAfterPayment
const CODE: ReadonlySet<Text> = new Set([LOOKUP_CODE, FULFILLMENT_CODE])

/** Returns the facts of a product. Fields without meaning in its mode are omitted. */
function productFacts(definition: ProductDefinition, currency: string): Facts {
  const { title, amount_mode, schema, packages, min, max, presets } = definition
  const { lookup_integration, lookup_url, lookup_code, fulfillment_mode, fulfillment_code } = definition
  const rows: readonly (readonly [Text, Text | string])[] = [
    [WORDS.title, title],
    [WORDS.amount, MODE_NAMES[amount_mode]],
    [
      WORDS.packages,
      joined(
        packages.map(({ label, amount }) => TEXTS.labelAndAmount(label, amountText(amount, currency))),
        '\n',
      ),
    ],
    [
      TEXTS.bounds,
      amount_mode === 'user'
        ? composed`${min === null ? TEXTS.noMinimum : amountText(min, currency)}, ${max === null ? TEXTS.noMaximum : amountText(max, currency)}`
        : '',
    ],
    [
      WORDS.suggestedAmounts,
      joined(
        presets.map((amount) => amountText(amount, currency)),
        ', ',
      ),
    ],
    [
      TEXTS.form,
      joined(
        schema.steps.flatMap(({ title: step, fields = [] }) => [
          ...(step === undefined ? [] : [TEXTS.step(step)]),
          ...fields.map(fieldText),
        ]),
        '\n',
      ),
    ],
    [
      TEXTS.lookupAmount,
      amount_mode === 'lookup' ? (lookup_integration === 'code' ? TEXTS.byHostedCode : TEXTS.byCall(lookup_url ?? '')) : '',
    ],
    [LOOKUP_CODE, lookup_code ?? ''],
    [FULFILLMENT_CODE, fulfillment_mode === 'code' ? (fulfillment_code ?? '') : ''],
  ]
  return rows.filter(([, text]) => wordsIn(text, 'fr') !== '')
}

const TYPE_NAMES = {
  text: TEXTS.typeText,
  number: TEXTS.typeNumber,
  phone: TEXTS.phone,
  select: TEXTS.typeChoice,
  amount: TEXTS.typeAmount,
} as const

function fieldText({ label, type, required, pattern, placeholder, help, options = [] }: FormField): Text {
  const more = [
    TYPE_NAMES[type],
    required === true && TEXTS.required,
    pattern !== undefined && TEXTS.pattern(pattern),
    placeholder !== undefined && TEXTS.example(placeholder),
    help !== undefined && TEXTS.help(help),
    options.length > 0 && TEXTS.options(options.map((option) => option.label).join(', ')),
  ].filter((text) => text !== false)
  return composed`${label} (${joined(more, ', ')})`
}
