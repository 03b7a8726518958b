// Examples of calls to gateways in the OpenAPI document. A test validates each against its schema.
import { USER } from '../shared-examples.ts'

export const SMS_MESSAGE = {
  id: '5f0c6c1e-3b7a-4d8e-9c21-7a6b5c4d3e2f',
  channel: 'sms',
  environment: 'live',
  phone: '+221771234567',
  title: '',
  text: 'Cauri : 482915 est votre code pour vous connecter. Il expire dans 5 minutes. Ne le donnez à personne. Aucun agent ne vous le demandera.',
  data: {},
  devices: [],
  created_at: '2026-11-20T10:00:00.000Z',
}

export const PUSH_MESSAGE = {
  id: `${USER.id}:118`,
  channel: 'push',
  environment: 'live',
  phone: '+221771234567',
  title: 'Argent reçu',
  text: 'Vous avez reçu 5 000 F CFA de Boutique Awa. Nouveau solde : 12 500 F CFA.',
  data: { type: 'payment.received', transaction_id: '019aa0f8-1c00-7a3c-9d5e-6f708192a3b4' },
  devices: ['a3f1c7d2-pixel-8'],
  push_tokens: [{ device_id: 'a3f1c7d2-pixel-8', provider: 'fcm', token: 'dGVzdA:APA91bHun4MxP5egoKMwt2KZFBaFUH-1RYqx' }],
  created_at: '2026-11-20T10:00:00.000Z',
}

export const EMAIL_MESSAGE = {
  id: '019aa0f8-1c00-7b54-8e6f-708192a3b4c5',
  channel: 'email',
  environment: 'live',
  to: 'awa@boutique.example',
  subject: 'Réinitialisation de votre mot de passe',
  text: 'Bonjour,\n\nPour choisir un nouveau mot de passe, ouvrez ce lien dans les 30 minutes :\nhttps://pay.example.com/dashboard/password?token=q3f1c7d2\n\nSi vous n’avez rien demandé, ignorez ce message.',
  created_at: '2026-11-20T10:00:00.000Z',
}
