// The golden scenario of live activation: required by a sign-up, requested, refused, requested again and given; of a new name, and of a logo.
import type { EngineFixture } from '../support/engine-fixture.ts'
import { must } from './golden-steps.ts'

const DETAILS = {
  legal_name: 'Boutique “Awa” SARL',
  registration_number: 'SN-1',
  address: 'Dakar',
  contact_name: 'Awa Diallo',
  contact_phone: '+221770000001',
  activity: 'Tissus',
} as const

export function playActivation(fixture: EngineFixture): void {
  const signUp = (name: string): string => {
    const session = { tokenHash: `token ${name}`, userAgent: 'Firefox' }
    const merchant = { merchantName: name, email: `${name}@example.com`, passwordHash: 'password', session, needsActivation: true }
    must(fixture, { type: 'SignUpMerchant', ...merchant }, 201)
    return [...fixture.state.merchants.merchants.values()].find((row) => row.name === name)?.id ?? ''
  }
  const merchantId = signUp('awa')
  const request = { type: 'RequestActivation', merchantId, details: DETAILS } as const
  must(fixture, { type: 'RefuseActivation', merchantId, reason: 'Trop tôt' }, 409, 'too early')
  must(fixture, request, 200, 'request')
  const file = { type: 'AddActivationFile', merchantId, contentType: 'application/pdf', sizeBytes: 8, sealed: 'sealed:v1:AAAA' } as const
  must(fixture, file, 201, 'file')
  must(fixture, { type: 'RefuseActivation', merchantId, reason: 'Registre introuvable' }, 200, 'refuse')
  const fileOf = (at: number): string => fixture.state.merchants.merchants.get(merchantId)?.activation_files?.[at]?.id ?? ''
  must(fixture, { type: 'DeleteActivationFile', merchantId, id: fileOf(0) }, 200, 'delete an unreadable file')
  must(fixture, file, 201)
  must(fixture, { ...request, details: { ...DETAILS, registration_number: 'SN-2' } }, 200)
  must(fixture, { type: 'ActivateMerchant', merchantId }, 200, 'activate')
  must(fixture, { type: 'DeleteActivationFile', merchantId, id: fileOf(0) }, 409, 'delete a file that it was activated with')
  for (const contentType of ['image/png', 'image/jpeg', 'image/png'] as const) must(fixture, { ...file, contentType }, 201)
  must(fixture, file, 409, 'one too many')
  playNames(fixture, merchantId)
  playLogos(fixture, merchantId)
  must(fixture, { type: 'RequestActivation', merchantId: signUp('moussa'), details: DETAILS }, 200)
  signUp('koffi')
}

/** One is withdrawn, one refused, one replaced by another, which is approved; the last one waits. */
function playNames(fixture: EngineFixture, merchantId: string): void {
  const actedBy = { kind: 'member', id: '01936f0c-0000-7000-8000-000000000001', name: 'awa@example.com' } as const
  const set = { type: 'SetMerchantAccount', merchantId, actedBy, logosBase: 'https://api.example/logos/' } as const
  must(fixture, { type: 'ApproveMerchantName', merchantId, name: 'Chez Awa' }, 409, 'approve no name')
  must(fixture, { ...set, name: 'Chez Awa', address: 'Dakar', timeZone: 'Africa/Lagos', emailLanguage: 'en' }, 200)
  must(fixture, { ...set, name: 'awa', address: null, emailLanguage: null }, 200)
  must(fixture, { ...set, name: 'Banque d’État' }, 200)
  must(fixture, { type: 'RefuseMerchantName', merchantId, reason: 'Un autre commerce' }, 200, 'refuse a name')
  must(fixture, { type: 'RefuseMerchantName', merchantId, reason: 'Encore' }, 409, 'refuse a name twice')
  must(fixture, { ...set, name: 'Chez Awa' }, 200)
  must(fixture, { ...set, name: 'Chez Awa et fils' }, 200)
  must(fixture, { type: 'ApproveMerchantName', merchantId, name: 'Chez Awa' }, 409, 'approve a name that was replaced')
  must(fixture, { type: 'ApproveMerchantName', merchantId, name: 'Chez Awa et fils' }, 200, 'approve a name')
  must(fixture, { ...set, name: 'Awa', address: '12 rue Félix Faure', emailLanguage: 'fr' }, 200)
}

/** One is withdrawn, one refused, one approved and removed, one replaced by another; the last one waits behind one that is shown. */
function playLogos(fixture: EngineFixture, merchantId: string): void {
  const actedBy = { kind: 'member', id: '01936f0c-0000-7000-8000-000000000001', name: 'awa@example.com' } as const
  const send = (file: string | null): void => {
    const logo = file === null ? null : { file, base64: Buffer.from(file).toString('base64') }
    must(fixture, { type: 'SetMerchantLogo', merchantId, logo, actedBy, logosBase: 'https://api.example/logos/' }, 200)
  }
  const approve = (file: string, status: number): void =>
    must(fixture, { type: 'ReviewMerchantLogo', merchantId, decision: { approved: true, file } }, status, `approve ${file}, ${status}`)
  const refusal = { type: 'ReviewMerchantLogo', merchantId, decision: { approved: false, reason: 'Un autre commerce' } } as const
  approve('one.png', 409)
  send('one.png')
  send(null)
  send('two.png')
  must(fixture, refusal, 200, 'refuse a logo')
  must(fixture, refusal, 409, 'refuse a logo twice')
  send('one.png')
  send('two.png')
  approve('one.png', 409)
  approve('two.png', 200)
  send(null)
  send('one.png')
  approve('one.png', 200)
  send('three.jpg')
  send('one.png')
  send('two.png')
}
