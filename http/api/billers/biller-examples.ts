// Examples of billers in the OpenAPI document. A test validates each against its schema.
import type { Biller, OperatorBiller, SaveBillerBody } from '../../../engine/contract/biller.ts'
import type { CreateProductBody, Product } from '../../../engine/contract/biller-product.ts'

export const BILLER_REQUEST: SaveBillerBody = {
  display_name: 'Énergie du Sahel',
  category: 'electricity',
  short_desc: 'L’électricité de Dakar à Tambacounda.',
}

export const BILLER: Biller = {
  slug: 'energie-du-sahel',
  display_name: 'Énergie du Sahel',
  category: 'electricity',
  short_desc: 'L’électricité de Dakar à Tambacounda.',
  logo_url: 'https://api.cauri.example/logos/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.png',
  pending_logo_url: null,
  directory_state: 'published',
  live: true,
  reject_reason: null,
  suspend_reason: null,
  created_at: '2026-11-18T09:12:44.107Z',
  submitted_at: '2026-11-19T15:03:20.551Z',
  published_at: '2026-11-20T08:30:01.020Z',
}

export const OPERATOR_BILLER: OperatorBiller = {
  ...BILLER,
  merchant_id: '019aa0e0-0000-7a11-8b2c-3d4e5f607182',
  merchant_name: 'Énergie du Sahel SA',
}

export const PRODUCT_REQUEST: CreateProductBody = {
  slug: 'facture',
  title: 'Facture d’électricité',
  amount_mode: 'lookup',
  schema: {
    steps: [
      {
        id: 'compteur',
        title: 'Votre compteur',
        action: 'resolve',
        fields: [
          {
            id: 'compteur',
            label: 'Numéro de compteur',
            type: 'text',
            required: true,
            pattern: '^[0-9]{11}$',
            help: 'Les onze chiffres sous le code-barres.',
          },
        ],
      },
    ],
  },
  lookup_url: 'https://energie.example/cauri/lookup',
  lookup_secret: 'un-secret-pour-les-consultations',
}

export const PRODUCT: Product = {
  slug: 'facture',
  title: 'Facture d’électricité',
  amount_mode: 'lookup',
  schema: PRODUCT_REQUEST.schema as Product['schema'],
  packages: [],
  min: null,
  max: null,
  presets: [],
  lookup_integration: 'webhook',
  lookup_url: 'https://energie.example/cauri/lookup',
  lookup_code: null,
  fulfillment_mode: 'none',
  fulfillment_code: null,
  has_secret: true,
  state: 'active',
  version: 1,
  created_at: '2026-11-18T09:20:10.004Z',
  updated_at: '2026-11-18T09:20:10.004Z',
}
