// The devices that a wallet is signed in on.

import { PageQuery } from '../../../engine/contract/common.ts'
import { DeletedDevice, type Device, DeviceList } from '../../../engine/contract/device.ts'
import { text } from '../../../engine/contract/schema.ts'
import type { Device as RegisteredDevice } from '../../../engine/domain/auth/auth-state.ts'
import type { House } from '../../app/house.ts'
import { rowsPage, type StateRow } from '../../lists/lists.ts'
import { type Call, type Route, route, type WalletPrincipal } from '../../server/route.ts'
import { DEVICE } from '../shared-examples.ts'

export function deviceRoutes(house: House): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/me/devices',
      operationId: 'listDevices',
      tag: 'Wallet',
      summary: 'Which devices are signed in',
      description: 'A wallet has 10 at most: with one more, the one that signed in first goes.',
      auth: 'wallet',
      idempotency: 'none',
      query: PageQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: DeviceList,
          example: { data: [DEVICE], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => listDevices(house, call),
    }),
    route({
      method: 'DELETE',
      path: '/v1/me/devices/{id}',
      operationId: 'deleteDevice',
      tag: 'Wallet',
      summary: 'Sign a device out and forget it',
      description: 'Its sessions end at once and it cannot renew them. It may be the one that asks.',
      auth: 'wallet',
      idempotency: 'none',
      params: { id: text({ lines: 'one', minLength: 1, maxLength: 128, description: 'Id of the device, as the app named it.' }) },
      responses: [{ status: 200, description: 'Removed.', schema: DeletedDevice, example: { id: DEVICE.id, deleted: true } }],
      errors: [],
      handle: (call) => {
        const { account } = call.principal
        call.submit({ type: 'RemoveDevice', account, deviceId: String(call.params[0]) }, account)
      },
    }),
  ]
}

interface DeviceRow extends StateRow {
  readonly device: RegisteredDevice
}

function listDevices(house: House, call: Call<unknown, PageQuery, WalletPrincipal>): void {
  const { account, device: current } = call.principal
  const rows = house.engine.state.auth
    .devicesOf(account)
    .map((device): DeviceRow => ({ id: device.registration_id, created_at: device.created_at, device }))
  const page = rowsPage(rows, call.query, ({ device }) => publicDevice(device, current.id))
  if (page === null) return call.refuse('invalid_parameter', 'cursor')
  call.answer(200, page)
}

/** Without account numbers, hashes and sessions. */
function publicDevice({ id, name, platform, created_at }: RegisteredDevice, currentId: string): Device {
  return { id, name, platform, current: id === currentId, created_at }
}
