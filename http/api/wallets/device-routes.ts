// The signed-in devices of a wallet.

import type { EngineApi } from '../../../engine/api.ts'
import { PageQuery } from '../../../engine/contract/common.ts'
import { DeletedDevice, DeviceList, PushTokenInput, PushTokenSaved } from '../../../engine/contract/device.ts'
import { text } from '../../../engine/contract/schema.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { type Call, type Route, route, type WalletPrincipal } from '../../server/route.ts'
import { acceptedLanguage } from '../../text/language.ts'
import { DEVICE } from '../shared-examples.ts'

export interface DeviceRoutesParts {
  readonly engine: Pick<EngineApi, 'query'>
}

const DEVICE_ID = { id: text({ lines: 'one', minLength: 1, maxLength: 128, description: 'Id of the device, as the app named it.' }) }

export function deviceRoutes(parts: DeviceRoutesParts): readonly Route[] {
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
      handle: (call) => listDevices(parts, call),
    }),
    route({
      method: 'PUT',
      path: '/v1/me/devices/{id}/push-token',
      operationId: 'setPushToken',
      tag: 'Wallet',
      summary: 'Say where a device takes push notifications',
      description:
        'Pushes to the wallet carry the token from now on, until the device is signed out or sends another one. They are in the language of this request (`Accept-Language`). A token belongs to one device: sent by another, also for another wallet, it leaves this one.',
      auth: 'wallet',
      idempotency: 'none',
      params: DEVICE_ID,
      body: PushTokenInput,
      bodyExample: { provider: 'fcm', token: 'dGVzdA:APA91bHun4MxP5egoKMwt2KZFBaFUH-1RYqx' },
      responses: [{ status: 200, description: 'Stored.', schema: PushTokenSaved, example: { id: DEVICE.id, provider: 'fcm' } }],
      commands: ['SetPushToken'],
      errors: [],
      handle: (call) => {
        const { account } = call.principal
        const { provider, token } = call.body
        const language = acceptedLanguage(call.browser.acceptLanguage)
        call.submit({ type: 'SetPushToken', account, deviceId: String(call.params[0]), push: { provider, token }, language }, account)
      },
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
      params: DEVICE_ID,
      responses: [{ status: 200, description: 'Removed.', schema: DeletedDevice, example: { id: DEVICE.id, deleted: true } }],
      commands: ['RemoveDevice'],
      errors: [],
      handle: (call) => {
        const { account } = call.principal
        call.submit({ type: 'RemoveDevice', account, deviceId: String(call.params[0]) }, account)
      },
    }),
  ]
}

function listDevices({ engine }: DeviceRoutesParts, call: Call<unknown, PageQuery, WalletPrincipal>): void {
  const { account, device } = call.principal
  answerPage(call, engine.query('devices.list', { account, currentId: device.id, query: call.query }))
}
