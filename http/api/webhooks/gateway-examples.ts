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
  created_at: '2026-11-20T10:00:00.000Z',
}
