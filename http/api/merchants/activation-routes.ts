// Live activation: the merchant sends its details from the dashboard, an operator decides.
import { AUDIT_ACCOUNT, publicActivation } from '../../../engine/api.ts'
import {
  Activation,
  type ActivationDetails,
  ActivationRequest,
  ListActivationsQuery,
  type MerchantActivation,
  MerchantActivationList,
  RefuseActivationBody,
} from '../../../engine/contract/activation.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { Merchant } from '../../../engine/contract/merchant.ts'
import { because } from '../../../engine/contract/reasons.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { type Route, route } from '../../server/route.ts'
import { MERCHANT } from '../operator/operator-examples.ts'
import { ACTIVATION_FILE, type ActivationFileParts, activationFileRoutes } from './activation-file-routes.ts'

const DETAILS: ActivationDetails = {
  legal_name: 'Boutique Awa SARL',
  registration_number: 'SN-DKR-2024-B-12345',
  address: '12 rue Félix Faure, Dakar',
  contact_name: 'Awa Diallo',
  contact_phone: '+221770000001',
  activity: 'Vente de tissus et confection',
}

const NUMBER = 'registration_number'
const NO_NUMBER = { noun: 'field', path: NUMBER } as const
const EMPTY_NUMBER = { noun: 'field', path: NUMBER, bound: 1 } as const

const REQUESTED: Activation = {
  state: 'requested',
  reason: null,
  requested_at: '2026-11-20T10:00:00.000Z',
  decided_at: null,
  details: DETAILS,
  files: [ACTIVATION_FILE],
}

const MERCHANT_ID = { id: uuid({ description: 'Id of the merchant.' }) }
const WAITING: MerchantActivation = { merchant_id: MERCHANT.id, merchant_name: MERCHANT.name, ...REQUESTED }

export function activationRoutes(parts: ActivationFileParts): readonly Route[] {
  return [...merchantRoutes(), ...activationFileRoutes(parts), listRoute(parts), ...decisionRoutes()]
}

function merchantRoutes(): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/dashboard/activation',
      operationId: 'getActivation',
      tag: 'Dashboard',
      summary: 'Get the live activation',
      description: 'Until `state` is `active`, each movement of live money is answered 403 `live_not_activated`.',
      auth: 'session',
      idempotency: 'none',
      responses: [{ status: 200, description: 'The activation.', schema: Activation, example: REQUESTED }],
      errors: [],
      handle: (call) => call.answer(200, JSON.stringify(publicActivation(call.principal.merchant))),
    }),
    route({
      method: 'POST',
      path: '/v1/dashboard/activation',
      operationId: 'requestActivation',
      tag: 'Dashboard',
      summary: 'Ask for live activation',
      description: REQUEST_DESCRIPTION,
      auth: 'session',
      idempotency: 'accepted',
      body: ActivationRequest,
      bodyExample: DETAILS,
      responses: [{ status: 200, description: 'The activation.', schema: Activation, example: REQUESTED }],
      commands: ['RequestActivation'],
      unreachable: ['not_found'],
      errors: [],
      handle: (call) => {
        const { merchant, account } = call.principal
        const { registration_number: number, informal } = call.body
        if (informal !== true && number === undefined) return call.refuse('invalid_request', NUMBER, because('missing', NO_NUMBER))
        if (informal !== true && number?.trim() === '') return call.refuse('invalid_request', NUMBER, because('too_short', EMPTY_NUMBER))
        const details = { ...call.body, registration_number: number ?? '' }
        call.submit({ type: 'RequestActivation', merchantId: merchant.id, details }, account)
      },
    }),
  ]
}

function listRoute(parts: Pick<ActivationFileParts, 'engine'>): Route {
  return route({
    method: 'GET',
    path: '/v1/operator/activations',
    operationId: 'listActivations',
    tag: 'Operator',
    summary: 'List live activations',
    description: 'Those that wait for a decision, unless `state` says another.',
    auth: 'operator',
    idempotency: 'none',
    query: ListActivationsQuery,
    responses: [
      {
        status: 200,
        description: 'One page, newest merchant first.',
        schema: MerchantActivationList,
        example: { data: [WAITING], has_more: false, next_cursor: null },
      },
    ],
    errors: [],
    handle: (call) => {
      const { state = 'requested', ...query } = call.query
      answerPage(call, parts.engine.query('merchants.activations', { state, query }))
    },
  })
}

function decisionRoutes(): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/operator/merchants/{id}/activate',
      operationId: 'activateMerchant',
      tag: 'Operator',
      summary: 'Activate a merchant for live money',
      description: 'Whether or not it has sent its details. An active merchant answers 200 too.',
      auth: 'operator',
      idempotency: 'accepted',
      params: MERCHANT_ID,
      responses: [{ status: 200, description: 'The merchant, active.', schema: Merchant, example: MERCHANT }],
      commands: ['ActivateMerchant'],
      errors: [],
      handle: (call) => call.submit({ type: 'ActivateMerchant', merchantId: String(call.params[0]).toLowerCase() }, AUDIT_ACCOUNT),
    }),
    route({
      method: 'POST',
      path: '/v1/operator/merchants/{id}/refuse',
      operationId: 'refuseMerchant',
      tag: 'Operator',
      summary: 'Refuse the live activation of a merchant',
      description: 'The merchant sees the reason and may send its details again. Without an open request: 409 `request_not_open`.',
      auth: 'operator',
      idempotency: 'accepted',
      params: MERCHANT_ID,
      body: RefuseActivationBody,
      bodyExample: { reason: 'Le numéro du registre est introuvable.' },
      responses: [{ status: 200, description: 'The merchant.', schema: Merchant, example: { ...MERCHANT, activation_state: 'refused' } }],
      commands: ['RefuseActivation'],
      errors: [],
      handle: (call) => {
        const merchantId = String(call.params[0]).toLowerCase()
        call.submit({ type: 'RefuseActivation', merchantId, reason: call.body.reason }, AUDIT_ACCOUNT)
      },
    }),
  ]
}

const REQUEST_DESCRIPTION = `With the setting \`SIGNUP=approval\`, a merchant that signed up moves no live money (403 \`live_not_activated\`) until an operator has
activated it. Details that are sent again replace the ones before; those of an active merchant change nothing. Test money needs no activation.
A business that is in no register sends \`informal: true\`, and \`registration_number\` may be empty or left out.`
