// What the gateways of the settings are sent: text messages and push notifications, in French, ready to show. Read by the
// document alone; the messages are made in http/gateways/.
import { environment, phone, timestamp, uuid } from './common.ts'
import { choice, Type } from './schema.ts'

const MESSAGE = {
  environment: environment({ description: 'Of the wallet. Test phones get no text message.' }),
  phone: phone({ description: 'E.164. Phone of the wallet.' }),
  created_at: timestamp(),
}

export const SmsMessage = Type.Object(
  {
    id: uuid({ description: 'The same over all tries: drop doubles by it.' }),
    channel: choice(['sms'], { description: 'Always `sms`.' }),
    ...MESSAGE,
    title: Type.String({ maxLength: 0, description: 'Empty.' }),
    text: Type.String({
      description: 'French, in letters of the GSM alphabet. Never log it: it may hold a code.',
      examples: ['Cauri : 482915 est votre code pour vous connecter.'],
    }),
    data: Type.Object({}, { additionalProperties: Type.String(), description: 'Empty.' }),
    devices: Type.Array(Type.String(), { maxItems: 0, description: 'Empty.' }),
  },
  { $id: 'SmsMessage', description: 'A text message.' },
)

export const PushMessage = Type.Object(
  {
    id: Type.String({
      description: 'The same over all tries: drop doubles by it.',
      examples: ['019aa0f8-1c00-7c02-9d5e-6f708192a3b4:118'],
    }),
    channel: choice(['push'], { description: 'Always `push`.' }),
    ...MESSAGE,
    title: Type.String({ description: 'French, ready to show.', examples: ['Argent reçu'] }),
    text: Type.String({ description: 'French, ready to show.' }),
    data: Type.Object(
      {},
      { additionalProperties: Type.String(), description: 'For the app: `type` is the event of the stream, beside it the id to open.' },
    ),
    devices: Type.Array(Type.String(), { description: 'Ids of the signed-in devices of the wallet, as the app named them.' }),
  },
  { $id: 'PushMessage', description: 'A push notification.' },
)
