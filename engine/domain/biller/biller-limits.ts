// Every maximum of billers and their products, by name. Lengths are code points unless they say otherwise.
import type { Quota } from '../../kernel/quota.ts'

export const DISPLAY_NAME_LENGTH_MAX = 80
export const SHORT_DESC_LENGTH_MAX = 500
export const REASON_LENGTH_MAX = 500
/** Of slugs: `^[a-z0-9][a-z0-9-]{0,62}$`. */
export const SLUG_LENGTH_MAX = 63
/** Names that differ in nothing that a slug shows get a number up to here, then a part of their id. */
export const SLUG_NUMBER_MAX = 20

/** Of one biller. */
export const PRODUCTS_MAX = 200
/** A row takes about 400 bytes. */
export const PRODUCTS: Quota = {
  name: 'products',
  counts: 'products of billers',
  countsFr: 'produits des facturiers',
  holder: 'biller',
  max: { both: 500_000 },
  share: PRODUCTS_MAX,
  atShare: 'refused',
  retryAfterS: 3600,
}
export const TITLE_LENGTH_MAX = 120
export const PACKAGES_MAX = 200
export const PRESETS_MAX = 20
export const ID_LENGTH_MAX = 64
export const LABEL_LENGTH_MAX = 120
export const HELP_LENGTH_MAX = 500
export const LOOKUP_URL_LENGTH_MAX = 2048
export const LOOKUP_SECRET_LENGTH_MAX = 512
/** UTF-8 bytes of one function: what the sandbox takes. */
export const SOURCE_BYTES_MAX = 64 * 1024

export const STEPS_MAX = 20
/** Of all steps together. */
export const FIELDS_MAX = 100
/** Of one field, and of all together. */
export const OPTIONS_MAX = 500
export const OPTIONS_TOTAL_MAX = 2000
/** Of a form as JSON text: what a customer's telephone has to load, and a payment to read. UTF-16 units. */
export const SCHEMA_JSON_LENGTH_MAX = 256 * 1024

/** UTF-16 units, as everything about patterns. */
export const PATTERN_LENGTH_MAX = 512
/** Of all patterns of a form. */
export const PATTERNS_LENGTH_MAX = 2048
/** Classes like `\p{L}` in all patterns of a form. */
export const PATTERNS_CLASSES_MAX = 16
/** Instructions that compiling may make on its way, counted from above: some 10 ms. */
export const PATTERN_COST_MAX = 4096
/** Instructions of a compiled pattern, and of all patterns of a form: compiling them takes a millisecond for each thousand. */
export const PATTERN_SIZE_MAX = 1024
export const PATTERNS_SIZE_MAX = 2048
/** Definitions that were read from the log and are kept parsed, by the length of their JSON text. */
export const DEFINITIONS_CACHED_LENGTH_MAX = 8 * 1024 * 1024

/** What one biller may write into the log in a day (UTC) with logos and products: some 100 logos, or 20 000 products as they are usual. */
export const WRITTEN_PER_DAY_MAX = 64 * 1024 * 1024
