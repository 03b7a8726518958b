// POSTs of top-ups and withdrawals, which merchants ask and operators decide, and of operators who stop wallets and merchants.
import type { MerchantAccount } from '../../engine/contract/merchant-account.ts'
import { form } from './biller-callers.ts'
import type { Client } from './client.ts'
import { signUp } from './dashboard-callers.ts'
import type { KeyedRows, KeyedWorld } from './keyed-request.ts'
import { enableTotp } from './member-callers.ts'
import { png } from './pictures.ts'
import { newKey } from './server-fixture.ts'
import { ok } from './wallet-callers.ts'

const DESTINATION = { kind: 'bank', name: 'Boutique Awa', account: 'SN08SN0100152000048500003035' }

async function topUpOf({ merchant }: KeyedWorld): Promise<string> {
  const { body } = await ok(merchant.test.post('/v1/biz/top-ups', { amount: 10 }))
  return String(body.id)
}

async function withdrawalOf({ server, merchant }: KeyedWorld): Promise<string> {
  const funds = { merchant_id: merchant.id, environment: 'test', amount: 10 }
  await ok(server.operator.post('/v1/operator/deposits', funds, newKey()))
  const { body } = await ok(merchant.test.post('/v1/biz/withdrawals', { amount: 10, destination: DESTINATION }, newKey()))
  return String(body.id)
}

/** Id of a new withdrawal account. */
export async function savedAccountOf(client: Client): Promise<string> {
  const account = { kind: 'bank', name: 'Awa', account: 'SN08SN0100152000048500003035' }
  return String((await ok(client.post('/v1/biz/withdrawal-accounts', account))).body.id)
}

export const CASH_ROUTES: KeyedRows = {
  createTopUp: ({ merchant }) => ({ client: merchant.test, path: '/v1/biz/top-ups', json: { amount: 10 } }),
  cancelTopUp: async (world) => ({ client: world.merchant.test, path: `/v1/biz/top-ups/${await topUpOf(world)}/cancel` }),
  confirmTestTopUp: async (world) => ({ client: world.merchant.test, path: `/v1/biz/test/top-ups/${await topUpOf(world)}/confirm` }),
  createWithdrawalAccount: ({ merchant }) => ({
    client: merchant.test,
    path: '/v1/biz/withdrawal-accounts',
    json: { kind: 'mobile_money', name: 'Awa', account: '+221770000012', provider: 'wave' },
  }),
  confirmWithdrawalAccount: async ({ server, merchant }) => ({
    client: server.operator,
    path: `/v1/operator/withdrawal-accounts/${await savedAccountOf(merchant.live)}/confirm`,
  }),
  requestWithdrawal: async (world) => {
    await withdrawalOf(world)
    return { client: world.merchant.test, path: '/v1/biz/withdrawals', json: { amount: 1, destination: DESTINATION } }
  },
  cancelWithdrawal: async (world) => ({ client: world.merchant.test, path: `/v1/biz/withdrawals/${await withdrawalOf(world)}/cancel` }),
  payTestWithdrawal: async (world) => ({ client: world.merchant.test, path: `/v1/biz/test/withdrawals/${await withdrawalOf(world)}/pay` }),
  confirmTopUp: async (world) => ({
    client: world.server.operator,
    path: `/v1/operator/top-ups/${await topUpOf(world)}/confirm`,
    json: { amount: 10, reference: 'VIR-1' },
  }),
  refuseTopUp: async (world) => ({
    client: world.server.operator,
    path: `/v1/operator/top-ups/${await topUpOf(world)}/refuse`,
    json: { reason: 'Rien n’est arrivé.' },
  }),
  payWithdrawal: async (world) => ({
    client: world.server.operator,
    path: `/v1/operator/withdrawals/${await withdrawalOf(world)}/pay`,
    json: { reference: 'VIR-2' },
  }),
  refuseWithdrawal: async (world) => ({
    client: world.server.operator,
    path: `/v1/operator/withdrawals/${await withdrawalOf(world)}/refuse`,
    json: { reason: 'Compte inconnu.' },
  }),
}

const DETAILS = {
  legal_name: 'Boutique Awa SARL',
  registration_number: 'SN-1',
  address: 'Dakar',
  contact_name: 'Awa Diallo',
  contact_phone: '+221770000001',
  activity: 'Tissus',
}

const ACTIVATION_FORM = form([{ name: 'file', content: '%PDF-1.7\n%%EOF\n', fileName: 'registre.pdf' }])

/** A file that a new merchant sent. */
export async function activationFileOf({ server }: KeyedWorld) {
  const { browser, merchantId } = await signUp(server)
  const { body } = await ok(browser.request<{ id: string }>('POST', '/v1/dashboard/activation/files', ACTIVATION_FORM))
  return { browser, merchantId, id: body.id }
}

const LOGO_FORM = form([{ name: 'file', content: png(128), fileName: 'logo.png' }])

/** A logo that a new merchant sent. */
async function logoOf(server: KeyedWorld['server']) {
  const { browser, merchantId } = await signUp(server)
  const { body } = await ok(browser.request<MerchantAccount>('POST', '/v1/dashboard/account/logo', LOGO_FORM))
  return { merchantId, logo_url: body.logo_change?.logo_url ?? '' }
}

export const CONTROL_ROUTES: KeyedRows = {
  requestActivation: async ({ server }) => ({ client: (await signUp(server)).browser, path: '/v1/dashboard/activation', json: DETAILS }),
  addActivationFile: async ({ server }) => ({
    client: (await signUp(server)).browser,
    path: '/v1/dashboard/activation/files',
    form: ACTIVATION_FORM,
  }),
  activateMerchant: async ({ server }) => ({
    client: server.operator,
    path: `/v1/operator/merchants/${(await server.merchant()).id}/activate`,
  }),
  refuseMerchant: async ({ server }) => {
    const { browser, merchantId } = await signUp(server)
    await ok(browser.post('/v1/dashboard/activation', DETAILS))
    return { client: server.operator, path: `/v1/operator/merchants/${merchantId}/refuse`, json: { reason: 'Registre introuvable.' } }
  },
  approveMerchantName: async ({ server }) => {
    const { browser, merchantId } = await signUp(server)
    await ok(browser.request('PUT', '/v1/dashboard/account', { json: { name: 'Chez Awa' } }))
    return { client: server.operator, path: `/v1/operator/merchants/${merchantId}/name/approve`, json: { name: 'Chez Awa' } }
  },
  refuseMerchantName: async ({ server }) => {
    const { browser, merchantId } = await signUp(server)
    await ok(browser.request('PUT', '/v1/dashboard/account', { json: { name: 'Chez Awa' } }))
    return { client: server.operator, path: `/v1/operator/merchants/${merchantId}/name/refuse`, json: { reason: 'Un autre commerce.' } }
  },
  setMerchantLogo: async ({ server }) => ({
    client: (await signUp(server)).browser,
    path: '/v1/dashboard/account/logo',
    form: LOGO_FORM,
  }),
  approveMerchantLogo: async ({ server }) => {
    const { merchantId, logo_url } = await logoOf(server)
    return { client: server.operator, path: `/v1/operator/merchants/${merchantId}/logo/approve`, json: { logo_url } }
  },
  refuseMerchantLogo: async ({ server }) => {
    const { merchantId } = await logoOf(server)
    return { client: server.operator, path: `/v1/operator/merchants/${merchantId}/logo/refuse`, json: { reason: 'Un autre commerce.' } }
  },
  addMerchantNote: async ({ server }) => ({
    client: server.operator,
    path: `/v1/operator/merchants/${(await server.merchant()).id}/notes`,
    json: { text: 'Appelé.' },
  }),
  addWalletNote: async (world) => ({
    client: world.server.operator,
    path: `/v1/operator/wallets/${await world.server.wallet(world.merchant)}/notes`,
    json: { text: 'Appelé.', environment: 'test' },
  }),
  blockWallet: async (world) => ({
    client: world.server.operator,
    path: `/v1/operator/wallets/${await world.server.wallet(world.merchant)}/block`,
    json: { reason: 'Vol', environment: 'test' },
  }),
  setFeePlan: ({ server, merchant }) => ({
    client: server.operator,
    path: `/v1/operator/merchants/${merchant.id}/fee-plan`,
    json: { plan: null, environment: 'test' },
  }),
  setWalletTier: async (world) => ({
    client: world.server.operator,
    path: `/v1/operator/wallets/${await world.server.wallet(world.merchant)}/tier`,
    json: { tier: null, reason: 'Vérifié', environment: 'test' },
  }),
  showWalletPhone: async (world) => ({
    client: world.server.operator,
    path: `/v1/operator/wallets/${await world.server.wallet(world.merchant)}/phone`,
    json: { reason: 'Rappel', environment: 'test' },
  }),
  unblockWallet: async (world) => ({
    client: world.server.operator,
    path: `/v1/operator/wallets/${await world.server.wallet(world.merchant)}/unblock`,
    json: { environment: 'test' },
  }),
  suspendMerchant: async ({ server }) => ({
    client: server.operator,
    path: `/v1/operator/merchants/${(await server.merchant()).id}/suspend`,
    json: { reason: 'Plaintes' },
  }),
  resetTotpOfMember: async ({ server }) => {
    const { browser, merchantId } = await signUp(server)
    await enableTotp(browser)
    const { body } = await ok(browser.get('/v1/dashboard/me'))
    const { id } = body.user as { readonly id: string }
    return {
      client: server.operator,
      path: `/v1/operator/merchants/${merchantId}/members/${id}/reset-totp`,
      json: { reason: 'Vu au bureau.' },
    }
  },
  reinstateMerchant: async ({ server }) => ({
    client: server.operator,
    path: `/v1/operator/merchants/${(await server.merchant()).id}/reinstate`,
  }),
}
