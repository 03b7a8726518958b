// Examples of the directory in the OpenAPI document. A test validates each against its schema.
import type { DirectoryBiller, DirectoryBillerDetail, DirectoryProduct } from '../../../engine/contract/directory.ts'

export const DIRECTORY_BILLER: DirectoryBiller = {
  slug: 'energie-du-sahel',
  display_name: 'Énergie du Sahel',
  category: 'electricity',
  category_label: 'Électricité',
  short_desc: 'Factures et recharges de compteurs prépayés.',
  logo_url: 'https://api.example/logos/0d1f4c2be7a94b5c8f3e6d7a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e.png',
}

const HEAD = { slug: 'facture', title: 'Facture d’électricité', amount_mode: 'lookup' } as const

export const DIRECTORY_DETAIL: DirectoryBillerDetail = { ...DIRECTORY_BILLER, products: [HEAD] }

export const DIRECTORY_PRODUCT: DirectoryProduct = {
  biller: DIRECTORY_BILLER.slug,
  ...HEAD,
  currency: 'XOF',
  schema: {
    steps: [
      {
        id: 'contrat',
        title: 'Votre contrat',
        action: 'resolve',
        fields: [{ id: 'contrat', label: 'Numéro de contrat', type: 'text', required: true, pattern: '^[0-9]{10}$' }],
      },
    ],
  },
  packages: [],
  min: null,
  max: null,
  presets: [],
}
