// Devices that a wallet is signed in on.
import { listOf, timestamp } from './common.ts'
import { nameText, type Static, Type, text } from './schema.ts'

function deviceId() {
  return text({
    lines: 'one',
    minLength: 1,
    maxLength: 128,
    description: 'Id that the app gives the device, the same at each sign-in.',
    examples: ['a3f1c7d2-pixel-8'],
  })
}

export const DeviceInput = Type.Object(
  {
    id: deviceId(),
    name: Type.Optional(nameText({ minLength: 0, maxLength: 100, description: 'For the list of devices.', examples: ['Pixel 8 d’Awa'] })),
    platform: Type.Optional(text({ lines: 'one', maxLength: 50, description: 'For the list of devices.', examples: ['android'] })),
  },
  { $id: 'DeviceInput', description: 'The device that signs in.' },
)

export type DeviceInput = Static<typeof DeviceInput>

export const Device = Type.Object(
  {
    id: deviceId(),
    name: Type.String({ description: 'As sent; empty when none was sent.' }),
    platform: Type.String({ description: 'As sent; empty when none was sent.' }),
    current: Type.Boolean({ description: 'Whether this request comes from it.' }),
    created_at: timestamp({ description: 'Time of the last sign-in by code and PIN.' }),
  },
  { $id: 'Device' },
)

export type Device = Static<typeof Device>

export const DeviceList = listOf(Device, 'DeviceList')

export const PushTokenInput = Type.Object(
  {
    provider: text({
      lines: 'one',
      minLength: 1,
      maxLength: 32,
      description: 'Name of the provider, as the gateway for pushes knows it.',
      examples: ['fcm'],
    }),
    token: text({
      lines: 'one',
      minLength: 1,
      maxLength: 2048,
      description: 'Address of the device at the provider.',
      examples: ['dGVzdA:APA91b'],
    }),
  },
  { $id: 'PushTokenInput', description: 'The address of a device for push notifications.' },
)

export type PushTokenInput = Static<typeof PushTokenInput>

export const PushTokenSaved = Type.Object(
  { id: deviceId(), provider: Type.String({ description: 'As sent.', examples: ['fcm'] }) },
  { $id: 'PushTokenSaved' },
)

export const DeletedDevice = Type.Object(
  { id: deviceId(), deleted: Type.Literal(true, { description: 'Always true.' }) },
  { $id: 'DeletedDevice' },
)
