// Billers of the directory and their products in the model.
import assert from 'node:assert/strict'
import type { Command } from '../../../../engine/domain/command.ts'
import type { State } from '../../../../engine/domain/state.ts'
import { type Entry, eventsOf, Machine, type NounModel, sameRows } from '../entry.ts'
import type { Moves } from '../moves.ts'
import type { AccountsModel } from './accounts.ts'

type Directory = 'draft' | 'in_review' | 'published' | 'rejected' | 'suspended'

export interface ModelProduct {
  readonly slug: string
  readonly title: string
  readonly mode: string
  readonly version: number
  readonly state: 'active' | 'inactive'
}

interface Profile {
  readonly name: string
  readonly category: string
  readonly shortDesc: string
  readonly state: Directory
  /** False where the test helper alone has approved it. */
  readonly isLive: boolean
  /** File that the directory shows. */
  readonly logo: string | null
  /** File that waits for an operator. */
  readonly pendingLogo: string | null
  readonly submittedAt: string | null
  readonly rejectReason: string | null
  readonly suspendReason: string | null
}

export interface ModelBiller extends Profile {
  readonly slug: string
  readonly merchantId: string
  readonly products: Map<string, ModelProduct>
}

interface Row {
  readonly slug: string
  readonly merchant_id: string
  readonly display_name: string
  readonly category: string
  readonly short_desc: string
  readonly directory_state: Directory
  readonly live: boolean
  readonly logo: { readonly file: string } | null
  readonly pending_logo: { readonly file: string } | null
  readonly submitted_at: string | null
  readonly reject_reason: string | null
  readonly suspend_reason: string | null
}

interface ProductRow {
  readonly biller: string
  readonly slug: string
  readonly title: string
  readonly amount_mode: string
  readonly version: number
  readonly state: 'active' | 'inactive'
}

const CHANGES = ['saved', 'logo_set', 'logo_approved', 'logo_rejected'] as const
const MOVES = ['submitted', 'approved', 'rejected', 'suspended', 'reinstated'] as const
const MOVE_TABLE = {
  submitted: ['draft', 'rejected'],
  approved: ['in_review'],
  rejected: ['in_review'],
  suspended: ['published'],
  reinstated: ['suspended'],
} as const satisfies Record<(typeof MOVES)[number], readonly Directory[]>

const DRAFT: Omit<Profile, 'name' | 'category' | 'shortDesc'> = {
  ...{ state: 'draft', isLive: false, logo: null, pendingLogo: null, submittedAt: null, rejectReason: null, suspendReason: null },
}

/** From its publication on, a profile shows what an operator has seen. */
export function isFrozen({ state }: Pick<Profile, 'state'>): boolean {
  return state === 'published' || state === 'suspended'
}

export function mayMove(biller: Profile, move: (typeof MOVES)[number]): boolean {
  return (MOVE_TABLE[move] as readonly Directory[]).includes(foundIn(biller, move))
}

/** Where the move finds it: what only the test helper has approved still waits for a review. */
function foundIn({ state, isLive }: Profile, move: (typeof MOVES)[number]): Directory {
  const isReview = move === 'approved' || move === 'rejected'
  return isReview && state === 'published' && !isLive ? 'in_review' : state
}

export class BillersModel implements NounModel {
  /** By slug. */
  readonly billers = new Map<string, ModelBiller>()
  readonly #accounts: AccountsModel
  readonly #directory: Machine<Directory>

  constructor(accounts: AccountsModel, seen: Moves) {
    this.#accounts = accounts
    this.#directory = new Machine<Directory>('biller', MOVE_TABLE, seen)
  }

  /** The biller of the merchant whose account it is. */
  ofAccount(account: number): ModelBiller | undefined {
    const { id } = this.#accounts.merchantAt(account)
    return [...this.billers.values()].find(({ merchantId }) => merchantId === id)
  }

  audit(entry: Entry): void {
    for (const type of CHANGES) {
      for (const { payload } of eventsOf<Row>(entry, `biller.${type}`)) this.#set(payload, this.#changed(entry, type, payload.slug))
    }
    for (const move of MOVES) {
      for (const { event, payload } of eventsOf<Row>(entry, `biller.${move}`)) this.#move(entry, move, event.account, payload)
    }
    for (const { payload } of eventsOf<ProductRow>(entry, 'product.saved')) this.#saveProduct(entry, payload)
    for (const to of ['active', 'inactive'] as const) {
      const type = to === 'active' ? 'product.activated' : 'product.deactivated'
      for (const { payload } of eventsOf<Pick<ProductRow, 'biller' | 'slug'>>(entry, type)) this.#switchProduct(payload, to)
    }
  }

  compare({ billers }: State): void {
    assert.equal(billers.profiles.size, this.billers.size, 'billers')
    for (const biller of this.billers.values()) {
      const row = billers.profiles.get(biller.slug)
      assert.deepEqual(row === undefined ? undefined : profileOf(row), profile(biller), `biller ${biller.slug}`)
      sameRows(
        billers
          .productsOf(biller.slug)
          .map(({ slug, state, title, amount_mode, version }) => `${slug} ${state} ${title} ${amount_mode} ${version}`),
        Array.from(biller.products.values(), ({ slug, state, title, mode, version }) => `${slug} ${state} ${title} ${mode} ${version}`),
        `products of ${biller.slug}`,
      )
    }
  }

  #move(entry: Entry, move: (typeof MOVES)[number], account: number, row: Row): void {
    const before = this.billers.get(row.slug)
    this.#directory.move(before === undefined ? undefined : foundIn(before, move), move)
    if (before === undefined) return
    this.#set(row, moved(entry, before, move))
    if (move !== 'approved' && move !== 'rejected') return
    const { live, test } = this.#accounts.merchantAt(account)
    const accounts = entry.record.command === 'ApproveTestBiller' ? [test] : [live, test]
    for (const one of accounts) entry.outbox.push(`${one}:biller.${move}`)
  }

  #switchProduct({ biller, slug }: Pick<ProductRow, 'biller' | 'slug'>, to: ModelProduct['state']): void {
    const products = this.billers.get(biller)?.products
    const before = products?.get(slug)
    assert.ok(before !== undefined && before.state !== to, 'a product is switched')
    products?.set(slug, { ...before, state: to })
  }

  /** What a change leaves of the profile. One under review is a new submission, so that an operator approves only what is displayed. */
  #changed({ decided, record }: Entry, type: (typeof CHANGES)[number], slug: string): Profile {
    const before = this.billers.get(slug)
    const command = decided?.command as Command
    const now = before?.state === 'in_review' ? { submittedAt: new Date(record.timeMs).toISOString() } : {}
    if (type === 'saved') {
      assert.ok(command.type === 'SaveBiller', 'a merchant saves a profile')
      const named = { name: command.displayName ?? before?.name ?? '', category: command.category ?? before?.category ?? '' }
      if (before === undefined) return { ...DRAFT, ...named, shortDesc: command.shortDesc }
      const isSame = before.name === named.name && before.category === named.category
      assert.ok(isSame || !isFrozen(before), 'a published profile keeps its name')
      return { ...before, ...named, shortDesc: command.shortDesc, ...(isSame ? {} : now) }
    }
    assert.ok(before !== undefined, 'a logo belongs to a biller')
    if (type === 'logo_set') {
      assert.ok(command.type === 'SetBillerLogo', 'a merchant brings a logo')
      return isFrozen(before) ? { ...before, pendingLogo: command.file } : { ...before, logo: command.file, ...now }
    }
    assert.notEqual(before.pendingLogo, null, 'a logo that waits is decided')
    return { ...before, logo: type === 'logo_approved' ? before.pendingLogo : before.logo, pendingLogo: null }
  }

  #set(row: Row, expected: Profile): void {
    const { slug, merchant_id } = row
    const before = this.billers.get(slug)
    assert.ok(before === undefined || before.merchantId === merchant_id, 'a slug belongs to one merchant')
    assert.deepEqual(profileOf(row), profile(expected), `profile of ${slug}`)
    const own = [...this.billers.values()].find(({ merchantId }) => merchantId === merchant_id)
    assert.ok(own === undefined || own.slug === slug, 'a merchant has one profile')
    this.billers.set(slug, { slug, merchantId: merchant_id, products: before?.products ?? new Map(), ...profile(expected) })
  }

  #saveProduct({ decided }: Entry, { biller, slug, title, amount_mode: mode, version, state }: ProductRow): void {
    const products = this.billers.get(biller)?.products
    const before = products?.get(slug)
    const command = decided?.command as Command
    assert.ok(command.type === 'SaveProduct' && 'title' in command.definition, 'a merchant saves a definition without a fault')
    assert.equal(command.mode === 'create', before === undefined, 'a product is created once')
    const { definition } = command
    assert.deepEqual([title, mode], [definition.title, definition.amount_mode], 'a product is what its merchant says')
    assert.deepEqual([version, state], [(before?.version ?? 0) + 1, before?.state ?? 'active'], `version and state of ${slug}`)
    products?.set(slug, { slug, title, mode, version, state })
  }
}

function moved({ decided, record }: Entry, before: Profile, move: (typeof MOVES)[number]): Profile {
  const command = decided?.command as Command
  const reason = command.type === 'CurateBiller' ? command.reason : ''
  switch (move) {
    case 'submitted':
      return { ...before, state: 'in_review', rejectReason: null, submittedAt: new Date(record.timeMs).toISOString() }
    case 'approved':
      return { ...before, state: 'published', isLive: command.type === 'CurateBiller' }
    case 'rejected':
      return { ...before, state: 'rejected', rejectReason: reason }
    case 'suspended':
      return { ...before, state: 'suspended', suspendReason: reason }
    case 'reinstated':
      return { ...before, state: 'published', suspendReason: null }
  }
}

function profile({
  name,
  category,
  shortDesc,
  state,
  isLive,
  logo,
  pendingLogo,
  submittedAt,
  rejectReason,
  suspendReason,
}: Profile): Profile {
  return { name, category, shortDesc, state, isLive, logo, pendingLogo, submittedAt, rejectReason, suspendReason }
}

function profileOf(row: Row): Profile {
  const { display_name: name, category, short_desc: shortDesc, directory_state: state, live: isLive } = row
  const logos = { logo: row.logo?.file ?? null, pendingLogo: row.pending_logo?.file ?? null }
  const { submitted_at: submittedAt, reject_reason: rejectReason, suspend_reason: suspendReason } = row
  return { name, category, shortDesc, state, isLive, ...logos, submittedAt, rejectReason, suspendReason }
}
