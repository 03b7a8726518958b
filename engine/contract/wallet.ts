// Ready-to-use wallets of the test environment.
import { currency, environment, phone, tagInput, tagOutput } from './common.ts'
import { type Static, Type } from './schema.ts'

export const CreateTestWalletBody = Type.Object(
  {
    tag: tagInput({ 'x-error': 'invalid_tag' }),
    currency: Type.Optional(
      currency({
        description: 'ISO 4217: one that this deployment keeps. Default: that of the merchant.',
        'x-error': 'unsupported_currency',
      }),
    ),
  },
  { $id: 'CreateTestWalletBody' },
)

export type CreateTestWalletBody = Static<typeof CreateTestWalletBody>

export const TestWallet = Type.Object(
  {
    tag: tagOutput(),
    phone: phone(),
    pin: Type.String({ pattern: '^[0-9]{4}$', description: 'PIN of the wallet.', examples: ['2580'] }),
    otp: Type.String({ pattern: '^[0-9]{6}$', description: 'The code of every message to a test phone.', examples: ['000000'] }),
    environment: environment(),
  },
  { $id: 'TestWallet' },
)

export type TestWallet = Static<typeof TestWallet>
