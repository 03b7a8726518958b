// What one seed decides: its mix of requests and faults, its hour, its size. Most seeds leave some commands and faults out, so that
// what remains meets more often.
import type { CommandType } from '../../../engine/domain/command.ts'
import { NOUNS } from '../../../engine/domain/registry.ts'
import { Prng } from '../../support/prng.ts'
import type { NetworkFaults } from './network.ts'

export interface Settings {
  /** A fifth of the weights of all commands is added to its own. */
  readonly favourite: string
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

export interface Faults extends NetworkFaults {
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
  readonly race: number
  readonly ownerChange: number
  readonly archiveLoss: number
  readonly again: number
  readonly other: number
  /** Longest passage of time. */
  readonly passMs: number
  /** How far ahead a timer may be that is waited for, for a request or a crash to meet it. */
  readonly raceMs: number
  /** Chances of a crash a few steps after a timer is due, and after a request of the favourite command is sent. */
  readonly crashAfterTimer: number
  readonly crashAfterFavourite: number
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
  const favourite = favouriteOf(seed)
  return {
    favourite,
    weights: weightsOf(prng, favourite),
    startMs: prng.pick(STARTS) + prng.below(10 * 60_000),
    faults: { ...faultsOf(prng), ...(seed % 2 === 0 ? LOST_ANSWERS : FAILED_WRITES), ...(SLOW.has(favourite) ? DAYS : {}) },
    crowd: seed % 100 === 50 ? 4300 : seed % 50 === 10 ? 1100 : 0,
    burst: seed % 100 === 7 ? 8600 : 0,
    isTight: prng.chance(0.04),
  }
}

/** Each command is the favourite of two seeds in a row: with these faults in the one, and with those in the other. */
const LOST_ANSWERS = { lostAnswer: 0.25, again: 0.15, other: 0.03 } as const
const FAILED_WRITES = { appendFails: 0.05, appendMs: 40 } as const
/** Share of the requests that are the seed's favourite. */
const FAVOURITE = 0.2
/** Share of each command without which the favourite finds nothing to act on. */
const NEEDED = 0.1
const NEEDS: Readonly<Partial<Record<CommandType, readonly CommandType[]>>> = {
  MarkFulfillmentCall: ['PayBill', 'StartFulfillment', 'SaveProduct', 'ApproveTestBiller'],
  ReturnFulfillment: ['PayBill', 'StartFulfillment', 'SaveProduct', 'ApproveTestBiller'],
  EndFulfillment: ['PayBill', 'StartFulfillment', 'SaveProduct', 'ApproveTestBiller'],
  RedeliverBill: ['PayBill', 'SaveProduct', 'ApproveTestBiller', 'StartFulfillment', 'EndFulfillment'],
  ReleaseDisbursement: ['CreateDisbursement', 'JudgeDisbursementLines', 'SetPayoutPolicy', 'CreateApiKey'],
  CreateDisbursement: ['SetPayoutPolicy', 'JudgeDisbursementLines'],
  MoveDisbursement: ['CreateDisbursement', 'JudgeDisbursementLines'],
  RetryDisbursement: ['CreateDisbursement', 'JudgeDisbursementLines'],
  AdvanceDisbursement: ['CreateDisbursement', 'JudgeDisbursementLines'],
  CreateSchedule: ['CreateDisbursement', 'JudgeDisbursementLines'],
  RunSchedule: ['CreateSchedule', 'CreateDisbursement', 'JudgeDisbursementLines'],
  OpenDeliveries: ['CreateBatch', 'CreateEndpoint'],
  CreateMandate: ['ApproveMandate'],
  ApproveMandate: ['CreateMandate'],
  CancelMandate: ['CreateMandate', 'ApproveMandate'],
  AdvanceMandate: ['CreateMandate', 'ApproveMandate'],
  CompleteLogin: ['GrantSignIn'],
  GrantSignIn: ['CompleteLogin'],
  ApproveMerchantName: ['SetMerchantAccount'],
  RefuseMerchantName: ['SetMerchantAccount'],
  ReviewMerchantLogo: ['SetMerchantLogo'],
  ReadNews: ['SignUpMerchant', 'OpenDashboardSession'],
  SendNotice: ['SignUpMerchant', 'OpenDashboardSession', 'SetNotices'],
  OpenProblem: ['CreateCharge', 'PayCharge', 'RefundCharge'],
  AnswerProblem: ['CreateCharge', 'PayCharge', 'OpenProblem'],
  RemoveMember: ['InviteMember', 'AcceptInvitation', 'EnrolTotp', 'EnableTotp'],
}
/** A mandate pauses after three days of failed attempts, and expires or is cancelled after that: many passages of a day or two. */
const SLOW: ReadonlySet<string> = new Set(['CreateMandate', 'ApproveMandate', 'CancelMandate', 'AdvanceMandate'])
const DAYS = { pass: 0.05, passMs: 3 * 24 * HOUR_MS, race: 0.06, raceMs: 12 * 24 * HOUR_MS, crashAfterTimer: 0.5 } as const

function favouriteOf(seed: number): string {
  const names = NOUNS.flatMap(({ commands }) => Object.keys(commands)).filter((name) => !ALWAYS.has(name))
  return names[(seed >> 1) % names.length] ?? ''
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
    race: 0.01,
    ownerChange: prng.pick([0, 0, 0.006]),
    archiveLoss: prng.pick([0, 0.5]),
    again: prng.pick([0.03, 0.15]),
    other: prng.pick([0, 0.03]),
    passMs: prng.pick([60_000, HOUR_MS, 24 * HOUR_MS, 40 * 24 * HOUR_MS]),
    raceMs: 24 * HOUR_MS,
    crashAfterTimer: 0.2,
    crashAfterFavourite: 0.02,
    lostAnswer: prng.pick([0, 0.05, 0.25]),
    lostRequest: prng.pick([0, 0.02, 0.1]),
    lateRequest: prng.pick([0, 0.1, 0.3]),
    lateAnswer: prng.pick([0, 0.1, 0.3]),
  }
}

/** What needs the other to go anywhere: a seed that likes the one likes the other. */
const TOGETHER: Readonly<Record<string, string>> = {
  CreateQuote: 'SaveBiller',
  CreatePaymentLink: 'CreateCharge',
  RequestTopUp: 'Deposit',
  CreateDisbursement: 'SetPayoutPolicy',
}

/** Each seed likes a few nouns, leaves a few out, and draws the others now and then. */
function weightsOf(prng: Prng, favourite: string): ReadonlyMap<CommandType, number> {
  const likings = new Map<string, number>()
  const groups = NOUNS.map(({ commands }) => Object.keys(commands)).filter((names) => names.length > 0)
  for (const names of groups) {
    const drawn = prng.pick([0, 0, 0.3, 0.3, 1, 6, 6])
    const liking = names.includes(favourite) ? Math.max(2, drawn) : drawn
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
  return favoured(weights, favourite as CommandType)
}

function favoured(weights: Map<CommandType, number>, favourite: CommandType): ReadonlyMap<CommandType, number> {
  let sum = 0
  for (const weight of weights.values()) sum += weight
  for (const needed of NEEDS[favourite] ?? []) weights.set(needed, (weights.get(needed) ?? 0) + NEEDED * sum)
  return weights.set(favourite, (weights.get(favourite) ?? 0) + FAVOURITE * sum)
}
