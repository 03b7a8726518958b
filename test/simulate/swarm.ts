// What one seed decides: its mix of requests and faults, its hour, its size. Most seeds leave some commands and faults out, so that
// what remains meets more often.
import type { CommandType } from '../../engine/domain/command.ts'
import { NOUNS } from '../../engine/domain/registry.ts'
import { Prng } from '../support/prng.ts'

export interface Settings {
  /** By command: how often it is drawn, relative to the others. */
  readonly weights: ReadonlyMap<CommandType, number>
  readonly startMs: number
  readonly faults: Faults
  /** Accounts beside the drawn ones. */
  readonly crowd: number
  /** Requests that are sent at once, once; 0 in most seeds. */
  readonly burst: number
  /** True where accounts may write little in a day. */
  readonly isTight: boolean
}

export interface Faults {
  readonly appendFails: number
  readonly appendMs: number
  readonly archiveMs: number
  readonly archiveFails: number
  readonly falseHits: number
  /** Chances of each in one operation. */
  readonly crash: number
  readonly close: number
  readonly jump: number
  readonly pass: number
  readonly ownerChange: number
  readonly archiveLoss: number
  readonly again: number
  readonly other: number
  /** Longest passage of time. */
  readonly passMs: number
}

const HOUR_MS = 3_600_000
const STARTS = [
  Date.UTC(2026, 8, 21, 14, 13),
  Date.UTC(2027, 0, 29, 23, 50),
  Date.UTC(2027, 0, 31, 12),
  Date.UTC(2028, 1, 28, 23, 30),
  Date.UTC(2028, 1, 29, 1),
  Date.UTC(2100, 1, 27, 22),
  Date.UTC(2027, 11, 31, 23, 45),
] as const

/** What everything else stands on. */
const ALWAYS: ReadonlySet<string> = new Set(['CreateMerchant', 'CreateTestWallet', 'CreateWallet', 'Deposit'])
/** What stops others: drawn as often, it would stop all. */
const SELDOM: ReadonlySet<string> = new Set([
  'SuspendMerchant',
  'BlockWallet',
  'RemoveMember',
  'DeleteEndpoint',
  'RevokeOperator',
  'CancelSchedule',
  'ExpireCharge',
])

export function settingsOf(seed: number): Settings {
  const prng = new Prng(seed ^ 0x5eed)
  return {
    weights: weightsOf(prng),
    startMs: prng.pick(STARTS) + prng.below(10 * 60_000),
    faults: faultsOf(prng),
    crowd: seed % 100 === 50 ? 4300 : seed % 25 === 10 ? 1100 : 0,
    burst: seed % 50 === 7 ? 8600 : 0,
    isTight: prng.chance(0.04),
  }
}

function faultsOf(prng: Prng): Faults {
  return {
    appendFails: prng.pick([0, 0, 0.004, 0.02]),
    appendMs: prng.pick([0, 3, 40, 4000]),
    archiveMs: prng.pick([0, 20, 1500]),
    archiveFails: prng.pick([0, 0, 0.002, 0.01]),
    falseHits: prng.pick([0, 0, 0.3]),
    crash: prng.pick([0.002, 0.008, 0.02]),
    close: prng.pick([0, 0.003]),
    jump: prng.pick([0, 0.02]),
    pass: prng.pick([0.01, 0.05]),
    ownerChange: prng.pick([0, 0, 0.006]),
    archiveLoss: prng.pick([0, 0.5]),
    again: prng.pick([0.03, 0.15]),
    other: prng.pick([0, 0.03]),
    passMs: prng.pick([60_000, HOUR_MS, 24 * HOUR_MS, 40 * 24 * HOUR_MS]),
  }
}

/** What needs the other to go anywhere: a seed that likes the one likes the other. */
const TOGETHER: Readonly<Record<string, string>> = { CreateQuote: 'SaveBiller', CreatePaymentLink: 'CreateCharge', RequestTopUp: 'Deposit' }

/** Each seed likes a few nouns, leaves a few out, and draws the others now and then. */
function weightsOf(prng: Prng): ReadonlyMap<CommandType, number> {
  const likings = new Map<string, number>()
  const groups = NOUNS.map(({ commands }) => Object.keys(commands)).filter((names) => names.length > 0)
  for (const names of groups) {
    const liking = prng.pick([0, 0, 0.3, 0.3, 1, 6, 6])
    for (const name of names) likings.set(name, liking)
  }
  for (const names of groups) {
    const other = names.map((name) => TOGETHER[name]).find((name) => name !== undefined)
    const liking = likings.get(names[0] ?? '') ?? 0
    const others = groups.find((all) => other !== undefined && all.includes(other)) ?? []
    for (const name of others) likings.set(name, Math.max(liking, likings.get(name) ?? 0))
  }
  const weights = new Map<CommandType, number>()
  for (const [name, liking] of likings) {
    const own = liking * prng.pick([0.3, 1, 1, 1, 2])
    const weight = ALWAYS.has(name) ? Math.max(2, own) : SELDOM.has(name) ? 0.15 * own : own
    if (weight > 0) weights.set(name as CommandType, weight)
  }
  return weights
}
