// State of wallet sign-in: challenges, sends, unfinished sign-ups and logins, PINs and devices. Codes, PINs and
// tokens are stored as hashes that the caller made; this file cannot check them.
import { type Environment, environmentOfPhone } from '../../kernel/environment.ts'
import { LargeMap } from '../../kernel/large-map.ts'
import type { OtherBound, QuotaUse, RowCount } from '../../kernel/quota.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import type { TimeMs } from '../../kernel/time.ts'
import { TimerQueue } from '../../kernel/timer-queue.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { SharedState } from '../state.ts'
import { CHALLENGES } from './auth-limits.ts'
import { type DeviceRow, deviceKey, type PushToken, pushKey } from './device-row.ts'
import { LockedPins } from './locked-pins.ts'
import { RowsByOwner } from './rows-by-owner.ts'
import type { Challenge, DevicePin, KnownNetworks, Login, OtpPurpose, Pin, PinCounts, SendWindow, Signup } from './sign-in-rows.ts'

type Rows<Row> = Map<string, Row>

const BY_RATES: OtherBound = {
  boundedBy: 'codes a minute of each network (http/auth/wallet/sign-in-limits.ts), and the lifetime of a row',
}
const OF_WALLETS: OtherBound = { boundedBy: 'one row of each wallet' }
const OF_DEVICES: OtherBound = { boundedBy: 'DEVICES_MAX rows of each wallet; the oldest device gives way' }

const NOTHING_TRIED: PinCounts = { failures: 0, locks: 0, locked_until_ms: 0 }

declare module '../state.ts' {
  interface State {
    readonly auth: Authentication
  }
}

export class Authentication extends SnapshotTables {
  /** Timer queues expire rows by time in any order of insertion, so a state restored from a snapshot expires the same rows. */
  readonly #expiry = new TimerQueue()
  readonly #challengeExpiry: Record<Environment, TimerQueue> = { live: new TimerQueue(), test: new TimerQueue() }
  readonly #byIdentifier = new LargeMap<string, Rows<Challenge>>()
  readonly #challengeUse: QuotaUse
  readonly #byNetwork: Record<Environment, RowsByOwner> = { live: new RowsByOwner(), test: new RowsByOwner() }
  readonly #tags = new Map<string, Signup>()
  readonly #bySession = new LargeMap<string, DeviceRow>()
  readonly #byAccount = new LargeMap<AccountNumber, Rows<DeviceRow>>()
  readonly #byPushToken = new LargeMap<string, DeviceRow>()

  readonly lockedPins = new LockedPins()

  readonly challenges: Table<Challenge>

  readonly sends = new Table<SendWindow>(this, 'otp_sends', BY_RATES, (row, before) => {
    const { key } = (row ?? before) as SendWindow
    expire(this.#expiry, 'sends', key, row === undefined ? undefined : (row.times.at(-1) ?? 0) + row.within_ms)
  })

  /** Keyed by token hash. */
  readonly signups = new Table<Signup>(this, 'signup', BY_RATES, (row, before) => {
    expire(this.#expiry, 'signup', ((row ?? before) as Signup).token_hash, row?.expires_at_ms)
    // An expired sign-up may have lost its tag to another sign-up, which keeps it.
    if (before !== undefined && this.#tags.get(tagKey(before)) === before) this.#tags.delete(tagKey(before))
    if (row !== undefined && row.tag !== null) this.#tags.set(tagKey(row), row)
  })

  /** Keyed by token hash. */
  readonly logins = new Table<Login>(this, 'login', BY_RATES, (row, before) => {
    expire(this.#expiry, 'login', ((row ?? before) as Login).token_hash, row?.expires_at_ms)
  })

  /** Keyed by account number. */
  readonly pins = new Table<Pin>(this, 'pin', OF_WALLETS, (row, before) => this.lockedPins.index(row, before))

  /** Keyed by `deviceKey`. */
  readonly devicePins = new Table<DevicePin>(this, 'device_pin', OF_DEVICES, (row, before) => {
    this.lockedPins.index(row, before, (row ?? before)?.device_id)
  })

  /** Keyed by account number. */
  readonly knownNetworks = new Table<KnownNetworks>(this, 'known_networks', OF_WALLETS)

  /** Keyed by `deviceKey`. */
  readonly devices = new Table<DeviceRow>(this, 'device', OF_DEVICES, (row, before) => {
    const { account, id } = (row ?? before) as DeviceRow
    if (before !== undefined) this.#bySession.delete(before.session_id)
    if (row !== undefined) this.#bySession.set(row.session_id, row)
    if (before?.push !== undefined && this.#byPushToken.get(pushKey(before.push)) === before) this.#byPushToken.delete(pushKey(before.push))
    if (row?.push !== undefined) this.#byPushToken.set(pushKey(row.push), row)
    putRow(this.#byAccount, account, id, row)
  })

  constructor({ quotas }: SharedState) {
    super()
    this.#challengeUse = quotas.counted(CHALLENGES)
    const bound: RowCount<Challenge> = {
      useOf: () => this.#challengeUse,
      partOf: ({ environment }) => environment,
      holderOf: ({ origin }) => origin.network,
    }
    this.challenges = new Table(this, 'otp_challenge', bound, (row, before) => this.#placeChallenge(row, before))
  }

  #placeChallenge(row: Challenge | undefined, before: Challenge | undefined): void {
    const challenge = (row ?? before) as Challenge
    const { id, environment, purpose, identifier } = challenge
    expire(this.#challengeExpiry[environment], 'challenge', id, row?.expires_at_ms)
    if (row === undefined) this.#byNetwork[environment].remove(challenge.origin.network, id)
    else this.#byNetwork[environment].add(challenge.origin.network, id)
    putRow(this.#byIdentifier, `${purpose}:${identifier}`, id, row)
  }

  /** Number of challenges in the environment, including expired ones that were not dropped yet. */
  challengeCount(environment: Environment): number {
    return this.#challengeUse.rows(environment)
  }

  /** Returns the challenges of one identifier and purpose, oldest first. */
  challengesOf(purpose: OtpPurpose, identifier: string): Challenge[] {
    const rows = this.#byIdentifier.get(`${purpose}:${identifier}`)
    return rows === undefined ? [] : [...rows.values()].sort(byExpiry)
  }

  /** Returns the newest challenge of one identifier and purpose that was requested from the address; undefined without one. */
  newestFrom(purpose: OtpPurpose, identifier: string, address: string): Challenge | undefined {
    return this.challengesOf(purpose, identifier).findLast(({ origin }) => origin.address === address)
  }

  /**
   * Returns the id of the challenge that gives way to a new one: the oldest of a network at its share, or that of the
   * network with the most in a full part. Null while there is room, or will be after `forget`.
   */
  challengeToDrop(challenge: Pick<Challenge, 'environment' | 'origin'>, nowMs: TimeMs): string | null {
    const { environment } = challenge
    const max = CHALLENGES.max[environment] ?? 0
    if (this.#hasExpiredChallenge(environment, nowMs)) return null
    const rows = this.#byNetwork[environment]
    if (this.#challengeUse.rowsOf(environment, challenge.origin.network) >= CHALLENGES.share) return rows.firstOf(challenge.origin.network)
    return this.#challengeUse.rows(environment) < max ? null : rows.firstOfBusiest()
  }

  /** Returns whether this challenge's code was sent for this subject to the account's phone and is still open. */
  isGoodFor(challengeId: string, { subject, account }: Pick<Challenge, 'subject' | 'account'>, nowMs: TimeMs): boolean {
    const challenge = this.challenges.get(challengeId)
    if (challenge === undefined || challenge.expires_at_ms <= nowMs) return false
    return challenge.purpose === 'payment' && challenge.subject === subject && challenge.account === account
  }

  /** Returns the sign-up that reserves the tag, expired or not. */
  signupWithTag(environment: Environment, tag: string): Signup | undefined {
    return this.#tags.get(`${environment}:${tag}`)
  }

  pin(account: AccountNumber): Pin {
    return this.pins.get(String(account)) ?? { account, hash: '', generation: 0, failures: 0, locks: 0, locked_until_ms: 0 }
  }

  /** Returns the counts of the wallet, or of one of its devices. */
  pinCounts(account: AccountNumber, deviceId: string | null): PinCounts {
    if (deviceId === null) return this.pin(account)
    return this.devicePins.get(deviceKey(account, deviceId)) ?? NOTHING_TRIED
  }

  /** Returns whether the owner of the wallet has signed in from the network. */
  isKnownNetwork(account: AccountNumber, network: string): boolean {
    return this.knownNetworks.get(String(account))?.networks.includes(network) ?? false
  }

  device(account: AccountNumber, id: string): DeviceRow | undefined {
    return this.#byAccount.get(account)?.get(id)
  }

  deviceOfSession(sessionId: string): DeviceRow | undefined {
    return this.#bySession.get(sessionId)
  }

  /** Returns the device that sent the push token last; undefined without one. */
  deviceOfPushToken(token: PushToken): DeviceRow | undefined {
    return this.#byPushToken.get(pushKey(token))
  }

  /** Returns devices in order of registration. */
  devicesOf(account: AccountNumber): DeviceRow[] {
    const rows = this.#byAccount.get(account)
    return rows === undefined ? [] : [...rows.values()].sort((one, other) => (one.registration_id < other.registration_id ? -1 : 1))
  }

  /** Constant time, because every payout calls it: most wallets have no device. */
  hasDevices(account: AccountNumber): boolean {
    return this.#byAccount.has(account)
  }

  /** Whether `forget` would make room for a challenge. */
  #hasExpiredChallenge(environment: Environment, nowMs: TimeMs): boolean {
    return (this.#challengeExpiry[environment].nextDueMs() ?? Number.POSITIVE_INFINITY) <= nowMs
  }

  /** Drops expired rows. Only appliers call it, with the time of their record. */
  forget(nowMs: TimeMs): void {
    const tables: Readonly<Record<string, Pick<Table<object>, 'delete'>>> = {
      challenge: this.challenges,
      sends: this.sends,
      signup: this.signups,
      login: this.logins,
    }
    for (const timers of [this.#expiry, this.#challengeExpiry.live, this.#challengeExpiry.test]) {
      for (let due = timers.takeDue(nowMs); due !== null; due = timers.takeDue(nowMs)) tables[due.kind]?.delete(due.key)
    }
  }
}

function expire(timers: TimerQueue, kind: string, key: string, atMs: TimeMs | undefined): void {
  if (atMs === undefined) timers.cancel(kind, key)
  else timers.set(kind, key, atMs)
}

function tagKey({ phone, tag }: Signup): string {
  return `${environmentOfPhone(phone)}:${tag}`
}

/** Ids ascend with time too, and order rows of the same millisecond. */
function byExpiry(one: Challenge, other: Challenge): number {
  return one.expires_at_ms - other.expires_at_ms || (one.id < other.id ? -1 : 1)
}

/** Groups rows by owner. An owner without rows takes no memory. */
function putRow<Owner, Row>(
  owners: Pick<LargeMap<Owner, Rows<Row>>, 'get' | 'set' | 'delete'>,
  owner: Owner,
  id: string,
  row: Row | undefined,
): void {
  const rows = owners.get(owner)
  if (row !== undefined) {
    if (rows === undefined) owners.set(owner, new Map([[id, row]]))
    else rows.set(id, row)
  } else if (rows?.delete(id) === true && rows.size === 0) owners.delete(owner)
}
