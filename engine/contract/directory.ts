// The directory as wallets see it: published billers and their active products, without how they look amounts up or fulfill.

import { CategorySlug } from './biller.ts'
import { AmountMode, FormSchema, maxAmount, minAmount, ProductPackage, presets, productSlug, productTitle } from './biller-product.ts'
import { currency, listOf, PAGE_QUERY } from './common.ts'
import { nullable, type Static, Type, text } from './schema.ts'

const BILLER = {
  slug: Type.String({ description: 'Slug of the biller; it never changes.', examples: ['senelec'] }),
  display_name: Type.String({ description: 'Name of the biller.', examples: ['Sénélec'] }),
  category: CategorySlug,
  category_label: Type.String({ description: 'French, for people.', examples: ['Électricité'] }),
  short_desc: Type.String({ description: 'Description by the biller.' }),
  logo_url: nullable(Type.String({ format: 'uri' }), { description: 'Public. The image at an address never changes.' }),
}

export const DirectoryBiller = Type.Object(BILLER, { $id: 'DirectoryBiller' })

export type DirectoryBiller = Static<typeof DirectoryBiller>

export const DirectoryBillerList = listOf(DirectoryBiller, 'DirectoryBillerList')

const PRODUCT = { slug: productSlug(), title: productTitle(), amount_mode: AmountMode }

const ProductHead = Type.Object(PRODUCT, { $id: 'ProductHead' })

export const DirectoryBillerDetail = Type.Object(
  { ...BILLER, products: Type.Array(ProductHead, { description: 'Products that can be paid now, in the order of their creation.' }) },
  { $id: 'DirectoryBillerDetail' },
)

export type DirectoryBillerDetail = Static<typeof DirectoryBillerDetail>

export const DirectoryProduct = Type.Object(
  {
    biller: Type.String({ description: 'Slug.' }),
    ...PRODUCT,
    currency: currency(),
    schema: FormSchema,
    packages: Type.Array(ProductPackage, { description: 'Mode `fixed`; otherwise empty.' }),
    min: minAmount(),
    max: maxAmount(),
    presets: presets(),
  },
  { $id: 'DirectoryProduct' },
)

export type DirectoryProduct = Static<typeof DirectoryProduct>

const SEARCH_LENGTH_MAX = 100

export const ListDirectoryQuery = Type.Object({
  ...PAGE_QUERY,
  category: Type.Optional(CategorySlug),
  q: Type.Optional(
    text({
      lines: 'one',
      maxLength: SEARCH_LENGTH_MAX,
      description: 'Words to find in name, description or category. Each word must occur. Accents and case are ignored.',
      examples: ['electricite'],
    }),
  ),
})

export type ListDirectoryQuery = Static<typeof ListDirectoryQuery>
