// What all routes of payout schedules share: their address, and whom it names.
import type { Call } from '../../server/route.ts'

export const SCHEDULES_PATH = '/v1/biz/payout-schedules'

export function idOf(call: Pick<Call, 'params'>): string {
  return String(call.params[0]).toLowerCase()
}
