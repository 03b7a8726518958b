// The till: sums of a period over the charges of a merchant, read in slices so that other requests run in between.
import type { AccountNumber, EngineApi, QueryAnswer } from '../../../engine/api.ts'
import { because } from '../../../engine/contract/reasons.ts'
import type { Static } from '../../../engine/contract/schema.ts'
import { Till, type TillMember, TillQuery } from '../../../engine/contract/till.ts'
import { parseTime } from '../../../engine/contract/time-text.ts'
import type { Position } from '../../../engine/kernel/position.ts'
import { rfc3339, type TimeMs } from '../../../engine/kernel/time.ts'
import { SLICE_COST, TILL_MOVES_MAX, TILL_MOVES_PER_SLICE } from '../../lists/list-limits.ts'
import { CallLimit } from '../../server/call-limit.ts'
import { fairWork } from '../../server/fair-work.ts'
import { later } from '../../server/later.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { cashierOf } from '../../server/route-guards.ts'
import { TILL_READS_PER_MINUTE } from '../../server/server-limits.ts'

const DAY_MS = 86_400_000

interface TillRoutesParts {
  readonly engine: Pick<EngineApi, 'query'>
}

export function tillRoutes(parts: TillRoutesParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/biz/till',
      operationId: 'getTill',
      tag: 'Charges',
      summary: 'Count the till of a period',
      description: DESCRIPTION,
      auth: 'key-or-session',
      cashierReads: true,
      idempotency: 'none',
      callLimit: new CallLimit<AccountNumber>(TILL_READS_PER_MINUTE),
      takesLong: true,
      query: TillQuery,
      responses: [{ status: 200, description: 'The sums of the period.', schema: Till, example: TILL }],
      errors: ['insufficient_role'],
      handle: (call) => answerTill(parts, call),
    }),
  ]
}

const DESCRIPTION = `Charges that were paid from \`from\` (inclusive) to \`to\` (exclusive), and charges that were refunded in that time. A refund counts for
the member that made the charge, not for the one that refunded it. A session of a \`cashier\` gets its own charges alone: another \`member_id\` is 403
\`insufficient_role\`. A period with more than 200 000 payments and refunds is 400 \`invalid_parameter\`: choose a shorter one. At most 60 requests a minute.`

const MEMBER: Static<typeof TillMember> = {
  id: '019aa0f8-1c00-7a11-8f70-8192a3b4c5d6',
  name: 'caisse@boutique-awa.example',
  paid_count: 14,
  paid_amount: 250_000,
  refunded_count: 1,
  refunded_amount: 15_000,
}

const TILL: Till = {
  from: '2026-11-20T00:00:00.000Z',
  to: '2026-11-20T19:00:00.000Z',
  currency: 'XOF',
  paid_count: 16,
  paid_amount: 274_500,
  refunded_count: 1,
  refunded_amount: 15_000,
  net_amount: 259_500,
  by_member: [MEMBER],
}

type TillCall = Call<unknown, TillQuery, MerchantPrincipal>

interface Period {
  readonly fromMs: TimeMs
  readonly toMs: TimeMs
  readonly memberId: string | null
}

function answerTill({ engine }: TillRoutesParts, call: TillCall): void {
  const { query, principal } = call
  const cashier = cashierOf(principal)
  const memberId = query.member_id?.toLowerCase() ?? cashier
  if (cashier !== null && memberId !== cashier) return call.refuse('insufficient_role', 'member_id')
  const toMs = (query.to === undefined ? null : parseTime(query.to)) ?? engine.query('engine.time', null)
  const fromMs = (query.from === undefined ? null : parseTime(query.from)) ?? Math.floor(toMs / DAY_MS) * DAY_MS
  if (fromMs > toMs) return call.refuse('invalid_parameter', 'to', because('period_reversed'))
  later(call, async () => {
    const till = await countedTill(engine, principal.account, { fromMs, toMs, memberId })
    if (till === null) return call.refuse('invalid_parameter', 'from', because('period_too_long'))
    call.answer(200, JSON.stringify(till))
  })
}

/** Returns null for a period with too many payments and refunds. */
async function countedTill(engine: TillRoutesParts['engine'], account: AccountNumber, period: Period): Promise<Till | null> {
  const { fromMs, toMs, memberId } = period
  const sums = new TillSums(memberId)
  let below: Position | null = null
  for (let read = 0; read < TILL_MOVES_MAX; read += TILL_MOVES_PER_SLICE) {
    const page: QueryAnswer<'charges.till'> = engine.query('charges.till', { account, fromMs, toMs, below, limit: TILL_MOVES_PER_SLICE })
    for (const move of page.moves) sums.add(move)
    if (page.next === null) {
      const currency = engine.query('accounts.currency', { account })
      return { from: rfc3339(fromMs), to: rfc3339(toMs), currency, ...sums.report() }
    }
    below = page.next
    await fairWork.turn(account, SLICE_COST)
  }
  return null
}

type Sums = Pick<Till, 'paid_count' | 'paid_amount' | 'refunded_count' | 'refunded_amount'>

class TillSums {
  readonly #memberId: string | null
  readonly #all = nothing()
  readonly #members = new Map<string, { name: string; readonly sums: Sums }>()

  /** `memberId` null: of all makers. */
  constructor(memberId: string | null) {
    this.#memberId = memberId
  }

  add({ maker, state, amount }: QueryAnswer<'charges.till'>['moves'][number]): void {
    if (this.#memberId !== null && (maker.kind !== 'member' || maker.id !== this.#memberId)) return
    count(this.#all, state, amount)
    if (maker.kind !== 'member') return
    const member = this.#members.get(maker.id) ?? { name: maker.name, sums: nothing() }
    count(member.sums, state, amount)
    this.#members.set(maker.id, member)
  }

  report(): Omit<Till, 'from' | 'to' | 'currency'> {
    const members = [...this.#members].map(([id, { name, sums }]) => ({ id, name, ...sums }))
    const by_member = members.sort((one, other) => one.name.localeCompare(other.name, 'fr'))
    return { ...this.#all, net_amount: this.#all.paid_amount - this.#all.refunded_amount, by_member }
  }
}

function nothing(): Sums {
  return { paid_count: 0, paid_amount: 0, refunded_count: 0, refunded_amount: 0 }
}

function count(sums: Sums, state: 'paid' | 'refunded', amount: number): void {
  sums[`${state}_count`] += 1
  sums[`${state}_amount`] += amount
}
