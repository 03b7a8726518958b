// `login`, `balance`: the keys of a profile, and what they see.
import { Cauri } from '../../cauri.ts'
import type { Command, CommandContext } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { fields, money } from '../output.ts'
import { configPath, DEFAULT_URL, saveProfile } from '../profile.ts'

export const LOGIN: Command = {
  name: ['login'],
  summary: 'Check a pair of keys and keep it in a profile',
  about: 'What is not given as an option is asked for. The file of profiles can be read by its owner alone (mode 0600).',
  options: {
    'public-key': { type: 'string', value: 'KEY', about: 'pk_test_… or pk_live_…' },
    'secret-key': {
      type: 'string',
      value: 'KEY',
      about: 'sk_test_… or sk_live_…; better typed at the prompt, which shows nothing and no shell keeps',
    },
  },
  examples: [
    ['cauri login --url http://127.0.0.1:8080', 'asks for the keys that npm start printed'],
    ['cauri login --profile live --url https://pay.example.com', 'a second profile; use it with --profile live'],
  ],
  run: login,
}

async function login({ given, output, env, ask, askHidden }: CommandContext): Promise<ExitCode> {
  const url = given.text('url') ?? env.CAURI_URL ?? ((await ask(`Address [${DEFAULT_URL}]: `)) || DEFAULT_URL)
  const publicKey = given.text('public-key') ?? (await ask('Public key: '))
  const secretKey = given.text('secret-key') ?? (await askHidden('Secret key (not shown): '))
  const profile = { url, publicKey: publicKey.trim(), secretKey: secretKey.trim() }
  const client = new Cauri({
    baseUrl: url,
    publicKey: profile.publicKey,
    secretKey: profile.secretKey,
    userAgent: 'cauri-cli',
    language: 'en',
  })
  const account = await client.ping()
  saveProfile(env, given.text('profile') ?? 'default', profile)
  output.result(account, [`${account.environment} keys of merchant ${account.merchant_id}, kept in ${configPath(env)}`])
  return EXIT.done
}

export const BALANCE: Command = {
  name: ['balance'],
  summary: 'Show the balance',
  options: {},
  examples: [['cauri balance --json', 'for a script']],
  run: async ({ client, output }) => {
    const balance = await client().balance()
    const { available, pending, currency, environment } = balance
    output.result(balance, fields({ available: money(available, currency), pending: money(pending, currency), environment }))
    return EXIT.done
  },
}
