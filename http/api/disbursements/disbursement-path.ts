// What all routes of disbursements share: their address, and whom it names.
import { uuid } from '../../../engine/contract/common.ts'
import type { Call } from '../../server/route.ts'

export const DISBURSEMENTS_PATH = '/v1/biz/disbursements'
export const DISBURSEMENT_TAG = 'Disbursements'
export const DISBURSEMENT_PARAMS = { id: uuid({ description: 'Id of the disbursement.' }) }

export function idOf(call: Pick<Call, 'params'>): string {
  return String(call.params[0]).toLowerCase()
}
