// What wallet sign-in remembers: challenges, sends, half-done sign-ups and logins, PINs and devices. Codes, PINs and
// tokens stand here as hashes that were made outside; this file could not tell a right code from a wrong one by itself.
import { type Environment, environmentOfPhone } from '../../kernel/environment.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import type { TimeMs } from '../../kernel/time.ts'
import { TimerBook } from '../../kernel/timer-book.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { CHALLENGES_MAX } from './auth-limits.ts'
import { RowsByOwner } from './rows-by-owner.ts'

export const OTP_PURPOSES = ['signup', 'login', 'payment'] as const

export type OtpPurpose = (typeof OTP_PURPOSES)[number]

/** A code that was sent, or that would have been if its identifier led to anybody. */
export interface Challenge {
  readonly id: string
  readonly purpose: OtpPurpose
  readonly environment: Environment
  /** The phone that it stands for; of a payment, the identifier as it was given. */
  readonly identifier: string
  /** What a payment's code is good for, such as a charge's token; empty for sign-in. */
  readonly subject: string
  /** The wallet that pays; null for sign-in, and where the identifier leads to nobody. */
  readonly account: AccountNumber | null
  /** Keyed hash of id and code. */
  readonly code_hash: string
  /** Wrong codes so far. */
  readonly failures: number
  readonly expires_at_ms: TimeMs
  /** Where it was asked for. Absent from challenges of otp.started version 1. */
  readonly origin?: Origin
}

/** Where a request came from. Keyed hashes: the log holds no list of addresses. */
export interface Origin {
  /** IPv4 address or IPv6 /64. A code shown without the id of its challenge counts for challenges of this address alone. */
  readonly address: string
  /** IPv4 /24 or IPv6 /48. */
  readonly network: string
}

/** When codes were sent to one phone, or asked for from one address. Times leave when their window has passed. */
export interface SendWindow {
  readonly key: string
  /** Ascending. */
  readonly times: readonly TimeMs[]
  readonly within_ms: TimeMs
}

/** A sign-up after the right code; fields fill in as its steps are done. */
export interface Signup {
  /** SHA-256 of the sign-up token: nothing else finds the row. */
  readonly token_hash: string
  readonly phone: string
  readonly family_name: string | null
  readonly given_name: string | null
  /** Kept for this sign-up as long as it lasts. */
  readonly tag: string | null
  readonly expires_at_ms: TimeMs
}

/** A login after the right code, before the PIN. */
export interface Login {
  readonly token_hash: string
  readonly account: AccountNumber
  readonly expires_at_ms: TimeMs
}

/** A wallet's PIN and what was tried against it. No row: no PIN of its own and nothing tried. */
export interface Pin {
  readonly account: AccountNumber
  /** Slow keyed hash with its salt and cost; empty while the wallet has no PIN of its own. */
  readonly hash: string
  /** Grows with each new PIN: a check that began before a change counts for nothing after it. */
  readonly generation: number
  /** Wrong ones in a row since the last lock. */
  readonly failures: number
  /** Locks in a row: each is twice as long as the one before. */
  readonly locks: number
  readonly locked_until_ms: TimeMs
}

/** What was tried against the PIN on one registered device. No row: nothing. */
export interface DevicePin {
  readonly account: AccountNumber
  readonly device_id: string
  readonly failures: number
  readonly locks: number
  readonly locked_until_ms: TimeMs
}

/** Counts of wrong PINs, of a wallet or of one of its devices. */
export type PinCounts = Pick<DevicePin, 'failures' | 'locks' | 'locked_until_ms'>

/** Networks on which the owner of a wallet has signed in. */
export interface KnownNetworks {
  readonly account: AccountNumber
  /** `Origin.network` of each, newest first. */
  readonly networks: readonly string[]
}

export interface DeviceRow {
  readonly account: AccountNumber
  /** The caller's own name for it, unique within the wallet. */
  readonly id: string
  /** UUIDv7 of its registration. */
  readonly registration_id: string
  readonly name: string
  readonly platform: string
  /** SHA-256 of the device token. */
  readonly token_hash: string
  /** Access tokens name it; those that name an earlier one are revoked. */
  readonly session_id: string
  readonly created_at: string
}

type Rows<Row> = Map<string, Row>

const NOTHING_TRIED: PinCounts = { failures: 0, locks: 0, locked_until_ms: 0 }

declare module '../state.ts' {
  interface State {
    readonly auth: Authentication
  }
}

export class Authentication extends SnapshotTables {
  /** Books forget by time whatever the order of insertion, so a state restored from an image forgets the same rows. */
  readonly #expiry = new TimerBook()
  readonly #challengeExpiry: Record<Environment, TimerBook> = { live: new TimerBook(), test: new TimerBook() }
  readonly #byIdentifier = new Map<string, Rows<Challenge>>()
  readonly #challengeCounts: Record<Environment, number> = { live: 0, test: 0 }
  readonly #byNetwork: Record<Environment, RowsByOwner> = { live: new RowsByOwner(), test: new RowsByOwner() }
  readonly #tags = new Map<string, Signup>()
  readonly #bySession = new Map<string, DeviceRow>()
  readonly #byAccount = new Map<AccountNumber, Rows<DeviceRow>>()

  readonly challenges = new Table<Challenge>(this, 'otp_challenge', (row, before) => {
    const { id, environment, purpose, identifier, origin } = (row ?? before) as Challenge
    expire(this.#challengeExpiry[environment], 'challenge', id, row?.expires_at_ms)
    if (before === undefined) this.#challengeCounts[environment]++
    if (row === undefined) this.#challengeCounts[environment]--
    if (row === undefined) this.#byNetwork[environment].remove(origin?.network ?? '', id)
    else this.#byNetwork[environment].add(origin?.network ?? '', id)
    putRow(this.#byIdentifier, `${purpose}:${identifier}`, id, row)
  })

  readonly sends = new Table<SendWindow>(this, 'otp_sends', (row, before) => {
    const { key } = (row ?? before) as SendWindow
    expire(this.#expiry, 'sends', key, row === undefined ? undefined : (row.times.at(-1) ?? 0) + row.within_ms)
  })

  /** By token hash. */
  readonly signups = new Table<Signup>(this, 'signup', (row, before) => {
    expire(this.#expiry, 'signup', ((row ?? before) as Signup).token_hash, row?.expires_at_ms)
    // An expired sign-up may have lost its tag to another one, which keeps it.
    if (before !== undefined && this.#tags.get(tagKey(before)) === before) this.#tags.delete(tagKey(before))
    if (row !== undefined && row.tag !== null) this.#tags.set(tagKey(row), row)
  })

  /** By token hash. */
  readonly logins = new Table<Login>(this, 'login', (row, before) => {
    expire(this.#expiry, 'login', ((row ?? before) as Login).token_hash, row?.expires_at_ms)
  })

  /** By account number. */
  readonly pins = new Table<Pin>(this, 'pin')

  /** By `deviceKey`. */
  readonly devicePins = new Table<DevicePin>(this, 'device_pin')

  /** By account number. */
  readonly knownNetworks = new Table<KnownNetworks>(this, 'known_networks')

  /** By `deviceKey`. */
  readonly devices = new Table<DeviceRow>(this, 'device', (row, before) => {
    const { account, id } = (row ?? before) as DeviceRow
    if (before !== undefined) this.#bySession.delete(before.session_id)
    if (row !== undefined) this.#bySession.set(row.session_id, row)
    putRow(this.#byAccount, account, id, row)
  })

  /** Open challenges of the environment, those included that have expired and were not forgotten yet. */
  challengeCount(environment: Environment): number {
    return this.#challengeCounts[environment]
  }

  /** Of one identifier and purpose, oldest first. */
  challengesOf(purpose: OtpPurpose, identifier: string): Challenge[] {
    const rows = this.#byIdentifier.get(`${purpose}:${identifier}`)
    return rows === undefined ? [] : [...rows.values()].sort(byExpiry)
  }

  /** The newest challenge of one identifier and purpose that was asked for from the address; undefined when there is none. */
  newestFrom(purpose: OtpPurpose, identifier: string, address: string): Challenge | undefined {
    return this.challengesOf(purpose, identifier).findLast(({ origin }) => origin === undefined || origin.address === address)
  }

  /** Id of the challenge that a full table drops for one more; null while there is room, or will be after `forget`. */
  challengeToDrop(environment: Environment, nowMs: TimeMs): string | null {
    const hasRoom = this.#challengeCounts[environment] < CHALLENGES_MAX[environment] || this.#hasExpiredChallenge(environment, nowMs)
    return hasRoom ? null : this.#byNetwork[environment].firstOfBusiest()
  }

  /** Whether this challenge's code was sent for this very thing to the account's phone, and is still good. */
  isGoodFor(challengeId: string, { subject, account }: Pick<Challenge, 'subject' | 'account'>, nowMs: TimeMs): boolean {
    const challenge = this.challenges.get(challengeId)
    if (challenge === undefined || challenge.expires_at_ms <= nowMs) return false
    return challenge.purpose === 'payment' && challenge.subject === subject && challenge.account === account
  }

  /** The sign-up that keeps the tag for itself, expired or not. */
  signupWithTag(environment: Environment, tag: string): Signup | undefined {
    return this.#tags.get(`${environment}:${tag}`)
  }

  pin(account: AccountNumber): Pin {
    return this.pins.get(String(account)) ?? { account, hash: '', generation: 0, failures: 0, locks: 0, locked_until_ms: 0 }
  }

  /** Counts of the wallet, or of one of its devices. */
  pinCounts(account: AccountNumber, deviceId: string | null): PinCounts {
    if (deviceId === null) return this.pin(account)
    return this.devicePins.get(deviceKey(account, deviceId)) ?? NOTHING_TRIED
  }

  /** Whether the owner of the wallet has signed in on the network. */
  isKnownNetwork(account: AccountNumber, network: string): boolean {
    return this.knownNetworks.get(String(account))?.networks.includes(network) ?? false
  }

  device(account: AccountNumber, id: string): DeviceRow | undefined {
    return this.#byAccount.get(account)?.get(id)
  }

  deviceOfSession(sessionId: string): DeviceRow | undefined {
    return this.#bySession.get(sessionId)
  }

  /** In the order of their registration. */
  devicesOf(account: AccountNumber): DeviceRow[] {
    const rows = this.#byAccount.get(account)
    return rows === undefined ? [] : [...rows.values()].sort((one, other) => (one.registration_id < other.registration_id ? -1 : 1))
  }

  /** Cheap enough for every payout: most wallets that are paid have none. */
  hasDevices(account: AccountNumber): boolean {
    return this.#byAccount.has(account)
  }

  /** Whether `forget` would make room for a challenge. */
  #hasExpiredChallenge(environment: Environment, nowMs: TimeMs): boolean {
    return (this.#challengeExpiry[environment].nextDueMs() ?? Number.POSITIVE_INFINITY) <= nowMs
  }

  /** Drops what has expired. For appliers alone, with the time of their record. */
  forget(nowMs: TimeMs): void {
    const tables: Readonly<Record<string, Pick<Table<object>, 'delete'>>> = {
      challenge: this.challenges,
      sends: this.sends,
      signup: this.signups,
      login: this.logins,
    }
    for (const book of [this.#expiry, this.#challengeExpiry.live, this.#challengeExpiry.test]) {
      for (let due = book.takeDue(nowMs); due !== null; due = book.takeDue(nowMs)) tables[due.kind]?.delete(due.key)
    }
  }
}

function expire(book: TimerBook, kind: string, key: string, atMs: TimeMs | undefined): void {
  if (atMs === undefined) book.cancel(kind, key)
  else book.set(kind, key, atMs)
}

export function deviceKey(account: AccountNumber, id: string): string {
  return `${account}:${id}`
}

function tagKey({ phone, tag }: Signup): string {
  return `${environmentOfPhone(phone)}:${tag}`
}

/** Ids ascend with time too, and tell two of one millisecond apart. */
function byExpiry(one: Challenge, other: Challenge): number {
  return one.expires_at_ms - other.expires_at_ms || (one.id < other.id ? -1 : 1)
}

/** Keeps the rows of one owner together; an owner without rows takes no room. */
function putRow<Owner, Row>(owners: Map<Owner, Rows<Row>>, owner: Owner, id: string, row: Row | undefined): void {
  const rows = owners.get(owner)
  if (row !== undefined) {
    if (rows === undefined) owners.set(owner, new Map([[id, row]]))
    else rows.set(id, row)
  } else if (rows?.delete(id) === true && rows.size === 0) owners.delete(owner)
}
