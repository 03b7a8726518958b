// Requests to the gateways: text messages, push notifications and e-mails, ready to show. Only the OpenAPI document
// uses these schemas; http/workers/gateways/ makes the messages.
import { environment, phone, timestamp, uuid } from './common.ts'
import { choice, Type } from './schema.ts'

const MESSAGE = {
  environment: environment({ description: 'Environment of the wallet. Test phones get no text message.' }),
  phone: phone({ description: 'E.164. Phone of the wallet.' }),
  created_at: timestamp(),
}

export const SmsMessage = Type.Object(
  {
    id: uuid({ description: 'The same for all attempts. Use it to drop duplicates.' }),
    channel: choice(['sms'], { description: 'Always `sms`.' }),
    ...MESSAGE,
    title: Type.String({ maxLength: 0, description: 'Empty.' }),
    text: Type.String({
      description:
        'French, or the language of the request that asks for a code, in characters of the GSM alphabet. Never log it: it may contain a code.',
      examples: ['Cauri : 482915 est votre code pour vous connecter.'],
    }),
    data: Type.Object({}, { additionalProperties: Type.String(), description: 'Empty.' }),
    devices: Type.Array(Type.String(), { maxItems: 0, description: 'Empty.' }),
  },
  { $id: 'SmsMessage', description: 'A text message.' },
)

const PushAddress = Type.Object(
  {
    device_id: Type.String({ description: 'Id of the device, as in `devices`.' }),
    provider: Type.String({ description: 'As the app sent it.', examples: ['fcm'] }),
    token: Type.String({ description: 'As the app sent it.' }),
  },
  { $id: 'PushAddress', description: 'Address of a device at a provider of push notifications.' },
)

export const PushMessage = Type.Object(
  {
    id: Type.String({
      description: 'The same for all attempts. Use it to drop duplicates.',
      examples: ['019aa0f8-1c00-7c02-9d5e-6f708192a3b4:118'],
    }),
    channel: choice(['push'], { description: 'Always `push`.' }),
    ...MESSAGE,
    title: Type.String({
      description: 'French, or English where all apps that sent a token prefer it. Ready to show.',
      examples: ['Argent reçu'],
    }),
    text: Type.String({ description: 'In the same language, ready to show.' }),
    data: Type.Object(
      {},
      {
        additionalProperties: Type.String(),
        description: 'For the app: `type` is the event of the stream, with the id of the resource to open.',
      },
    ),
    devices: Type.Array(Type.String(), { description: 'Ids of the signed-in devices of the wallet, as the app registered them.' }),
    push_tokens: Type.Array(PushAddress, {
      description: 'Of the devices whose app has sent a token by `PUT /v1/me/devices/{id}/push-token` since they signed in. May be empty.',
    }),
  },
  { $id: 'PushMessage', description: 'A push notification.' },
)

export const EmailMessage = Type.Object(
  {
    id: uuid({ description: 'The same for all attempts. Use it to drop duplicates.' }),
    channel: choice(['email'], { description: 'Always `email`.' }),
    environment: environment({ description: 'Always `live`: users of the dashboard have both environments.' }),
    to: Type.String({ format: 'email', description: 'Address of the recipient.', examples: ['awa@boutique.example'] }),
    subject: Type.String({ description: 'French, or the language of the request that asks for the e-mail. One line.' }),
    text: Type.String({ description: 'Plain text in the same language. Never log it: links in it hold tokens.' }),
    created_at: timestamp(),
  },
  { $id: 'EmailMessage', description: 'An e-mail to a user of the dashboard.' },
)
