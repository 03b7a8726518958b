// Room for open deliveries. At the share of its account a new delivery takes the place of the account's oldest open one,
// which becomes `none` on its event and can be redelivered by hand.
import type { AccountNumber } from '../../ledger/transaction.ts'
import { isProven } from '../quotas.ts'
import type { State } from '../state.ts'
import type { PlannedDelivery } from './webhook-events.ts'
import { OPEN_DELIVERIES } from './webhook-limits.ts'

const HAS_ROOM = {}
const DROPPED = { dropped: true } as const

/** For the deliveries of one decision. */
export class DeliveryRoom {
  readonly #state: State
  readonly #account: AccountNumber
  #opened = 0
  #displaced = 0

  constructor(state: State, account: AccountNumber) {
    this.#state = state
    this.#account = account
  }

  /**
   * Takes the room of one delivery. Returns `displaces` with the open delivery that gives way, or `dropped` where the
   * account has none and the quota no room: then the new one does not begin.
   */
  take(): Pick<PlannedDelivery, 'displaces' | 'dropped'> {
    const state = this.#state
    const account = this.#account
    const use = state.quotas.use(OPEN_DELIVERIES)
    const more = this.#opened - this.#displaced
    if (use.hasRoom(state.accounts.environment(account), account, isProven(state, account), more)) {
      this.#opened++
      return HAS_ROOM
    }
    const oldest = state.webhooks.oldestOpen(account, this.#displaced)
    if (oldest === null) return DROPPED
    this.#opened++
    this.#displaced++
    return { displaces: { id: oldest.id, position: oldest.position } }
  }
}
