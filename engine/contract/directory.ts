// The directory as wallets see it: published billers and what may be paid there, without anything of how it is done.

import { CATEGORY_SLUGS } from './biller.ts'
import { AMOUNT_MODES, FormSchema, productPackage } from './biller-product.ts'
import { amount, currency, listOf, PAGE_QUERY } from './common.ts'
import { choice, nullable, type Static, Type, text } from './schema.ts'

const BILLER = {
  slug: Type.String({ examples: ['senelec'] }),
  display_name: Type.String({ examples: ['Sénélec'] }),
  category: choice(CATEGORY_SLUGS),
  category_label: Type.String({ description: 'French, for people.', examples: ['Électricité'] }),
  short_desc: Type.String(),
  logo_url: nullable(Type.String({ format: 'uri' }), { description: 'Public. The picture behind an address never changes.' }),
}

export const DirectoryBiller = Type.Object(BILLER, { $id: 'DirectoryBiller' })

export type DirectoryBiller = Static<typeof DirectoryBiller>

export const DirectoryBillerList = listOf(DirectoryBiller, 'DirectoryBillerList')

const PRODUCT = { slug: Type.String({ examples: ['facture'] }), title: Type.String(), amount_mode: choice(AMOUNT_MODES) }

export const DirectoryBillerDetail = Type.Object(
  { ...BILLER, products: Type.Array(Type.Object(PRODUCT), { description: 'All that may be paid now, in the order of their creation.' }) },
  { $id: 'DirectoryBillerDetail' },
)

export type DirectoryBillerDetail = Static<typeof DirectoryBillerDetail>

export const DirectoryProduct = Type.Object(
  {
    biller: Type.String({ description: 'Slug.' }),
    ...PRODUCT,
    currency: currency(),
    schema: FormSchema,
    packages: Type.Array(productPackage(), { description: 'Mode `fixed`; otherwise empty.' }),
    min: nullable(amount({ minimum: 0 } as object)),
    max: nullable(amount()),
    presets: Type.Array(amount(), { description: 'Mode `user`: amounts to choose from.' }),
  },
  { $id: 'DirectoryProduct' },
)

export type DirectoryProduct = Static<typeof DirectoryProduct>

const SEARCH_LENGTH_MAX = 100

export const ListDirectoryQuery = Type.Object({
  ...PAGE_QUERY,
  category: Type.Optional(choice(CATEGORY_SLUGS)),
  q: Type.Optional(
    text({
      lines: 'one',
      maxLength: SEARCH_LENGTH_MAX,
      description: 'Words that name, description or category must hold, each of them; accents and case make no difference.',
      examples: ['electricite'],
    }),
  ),
})

export type ListDirectoryQuery = Static<typeof ListDirectoryQuery>
