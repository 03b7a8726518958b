// Transfers from wallet to wallet. Decisions are in engine/domain/transfer.

import { CreateTransferBody, Transfer } from '../../../engine/contract/transfer.ts'
import { isPhoneWithoutPlus, normalizeTag } from '../../../engine/kernel/tag.ts'
import type { WalletAccess } from '../../auth/wallet/wallet-access.ts'
import { type Call, type Route, route, type WalletPrincipal } from '../../server/route.ts'
import { TRANSFER, TRANSFER_REQUEST } from '../shared-examples.ts'

export interface TransferRoutesParts {
  readonly wallets: Pick<WalletAccess, 'pinChecks'>
}

export function transferRoutes(parts: TransferRoutesParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/me/transfers',
      operationId: 'createTransfer',
      tag: 'Wallet transfers',
      summary: 'Send money to a wallet',
      description: CREATE_DESCRIPTION,
      auth: 'wallet',
      idempotency: 'required',
      body: CreateTransferBody,
      bodyExample: TRANSFER_REQUEST,
      secretFields: ['pin'],
      responses: [{ status: 201, description: 'The money is there.', schema: Transfer, example: TRANSFER }],
      commands: ['RecordPinCheck', 'CreateTransfer'],
      errors: ['invalid_recipient'],
      handle: (call) => createTransfer(parts, call),
    }),
  ]
}

const CREATE_DESCRIPTION = `The recipient has the money at once and gets a push notification. The PIN is checked first, so a wrong PIN reveals nothing about
the recipient. Decided outcomes (201, 402, 409) are stored under the Idempotency-Key: a replay does not check the PIN, and the PIN is not compared. A wrong
PIN is stored under no key.`

function createTransfer(parts: TransferRoutesParts, call: Call<CreateTransferBody, Record<string, unknown>, WalletPrincipal>): void {
  const { recipient: given, amount, note = '', pin } = call.body
  const { account } = call.principal
  const recipient = isPhoneWithoutPlus(given) ? null : normalizeTag(given)
  if (recipient === null) return call.refuse('invalid_recipient', 'recipient')
  parts.wallets.pinChecks.guard(call, { account, pin }, () => {
    call.submit({ type: 'CreateTransfer', sender: account, recipient, amount, note }, account)
  })
}
