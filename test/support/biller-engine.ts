// An engine with a merchant who becomes a biller, and short ways to what most rows need.

import assert from 'node:assert/strict'
import { readDefinition } from '../../engine/domain/biller/biller-definition.ts'
import type { SaveProduct } from '../../engine/domain/biller/biller-product-decide.ts'
import type { SaveBiller, SetBillerLogo } from '../../engine/domain/biller/biller-profile-decide.ts'
import type { BillerProfile } from '../../engine/domain/biller/biller-state.ts'
import type { OperatorBiller } from '../../engine/domain/biller/biller-versions.ts'
import type { PublicProduct } from '../../engine/domain/biller/product-versions.ts'
import type { Command } from '../../engine/domain/command.ts'
import { type KnownMerchant, openMerchant } from './commands.ts'
import { EngineFixture, type EngineFixtureParts } from './engine-fixture.ts'
import { outcomeStatus } from './outcome-status.ts'

export const LOGOS = 'https://cauri.example/logos/'

export type Json = Readonly<Record<string, unknown>>

const METER = { id: 'compteur', label: 'Numéro de compteur', type: 'text', required: true, pattern: '^[0-9]{11}$' }

/** One good body for each amount mode. */
export const GOOD_PRODUCTS = {
  fixed: {
    title: 'Recharge',
    amount_mode: 'fixed',
    schema: { steps: [{ id: 'choix', title: 'Votre ligne', fields: [{ id: 'ligne', label: 'Numéro', type: 'phone' }] }] },
    packages: [
      { id: 'jour', label: 'Pass jour', amount: 500 },
      { label: 'Pass mois', amount: 10_000 },
    ],
  },
  user: {
    title: 'Don libre',
    amount_mode: 'user',
    schema: { steps: [{ id: 'don', title: 'Votre don', fields: [{ id: 'montant', label: 'Montant', type: 'amount' }] }] },
    min: 100,
    max: 500_000,
    presets: [1000, 5000],
  },
  lookup: {
    title: 'Facture d’électricité',
    amount_mode: 'lookup',
    schema: { steps: [{ id: 'compte', title: 'Votre compteur', action: 'resolve', fields: [METER] }] },
    lookup_url: 'https://facturier.example/lookup',
  },
} as const satisfies Record<string, Json>

/** The mode `fixed` with this form. */
export function withFields(...fields: readonly unknown[]): Json {
  return { ...GOOD_PRODUCTS.fixed, schema: { steps: [{ fields }] } }
}

export const FIELD = { id: 'nom', label: 'Nom', type: 'text' }
export const SELECT = { id: 'zone', label: 'Zone', type: 'select' }
export const LOOKUP_CODE = 'function lookup(args) { return { ok: true } }'
/** What a body is refused with, or `taken`. */
export function codeOf(body: Json): string {
  const read = readDefinition(body)
  return 'code' in read ? read.code : 'taken'
}

export class BillerFixture {
  readonly fixture: EngineFixture
  readonly merchant: KnownMerchant

  private constructor(fixture: EngineFixture, merchant: KnownMerchant) {
    this.fixture = fixture
    this.merchant = merchant
  }

  static async open(parts: EngineFixtureParts = {}): Promise<BillerFixture> {
    const fixture = await EngineFixture.open(parts)
    return new BillerFixture(fixture, openMerchant(fixture, 'baobab'))
  }

  save(more: Partial<SaveBiller> = {}): SaveBiller {
    const fields = { displayName: 'Sénélec & Fils', category: 'electricity', shortDesc: 'L’électricité de tous.' }
    return { type: 'SaveBiller', merchant: this.merchant.live, ...fields, logosBase: LOGOS, ...more }
  }

  logo(name: string, more: Partial<SetBillerLogo> = {}): SetBillerLogo {
    const bytes = { file: `${name}.png`, contentType: 'image/png', base64: Buffer.from(name).toString('base64') }
    return { type: 'SetBillerLogo', merchant: this.merchant.live, ...bytes, logosBase: LOGOS, ...more }
  }

  product(slug: string, body: Json = GOOD_PRODUCTS.lookup, more: Partial<SaveProduct> = {}): SaveProduct {
    const { live: merchant } = this.merchant
    return { type: 'SaveProduct', merchant, slug, mode: 'create', definition: readDefinition(body), sealedSecret: 'keep', ...more }
  }

  submit(): Command {
    return { type: 'SubmitBiller', merchant: this.merchant.live, logosBase: LOGOS }
  }

  /** A draft with everything that a submission needs. */
  complete(): void {
    this.must(this.save(), 200)
    this.must(this.logo('first'), 200)
    this.must(this.product('facture'), 201)
  }

  do(command: Command): { readonly status: number; readonly body: Json } {
    this.fixture.loop.nowMs += 1000
    const { kind, body } = this.fixture.do(command, { mailbox: this.merchant.live })
    return { status: outcomeStatus({ kind }), body: JSON.parse(body) as Json }
  }

  must<Body = OperatorBiller & PublicProduct>(command: Command, status: number): Body {
    const outcome = this.do(command)
    assert.equal(outcome.status, status, JSON.stringify(outcome.body))
    return outcome.body as Body
  }

  /** Status, and the code or the directory state of the answer. */
  ask(command: Command): readonly [status: number, said: unknown] {
    const { status, body } = this.do(command)
    return [status, body.code ?? body.directory_state]
  }

  get biller(): BillerProfile {
    const biller = this.fixture.state.billers.ofMerchant(this.merchant.id)
    assert.ok(biller !== undefined)
    return biller
  }
}
