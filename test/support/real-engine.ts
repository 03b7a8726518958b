// A real engine over a real data folder: for what only both together can show.
import { randomFillSync } from 'node:crypto'
import { Engine } from '../../engine/actor/engine.ts'
import type { Outcome } from '../../engine/actor/envelope.ts'
import type { EngineApi } from '../../engine/api.ts'
import type { Command } from '../../engine/domain/command.ts'
import type { OpenDataFolder } from '../../wal/folder/open-folder.ts'
import { withQueries } from './engine-with-queries.ts'

export async function openEngine(folder: OpenDataFolder): Promise<Engine & EngineApi> {
  const engine = await Engine.open({
    log: folder.log,
    localLog: folder.log,
    archive: folder.archive,
    clock: { now: () => Date.now() },
    random: { fill: (target) => void randomFillSync(target) },
    scheduler: {
      soon: (run) => void setImmediate(run),
      at: (timeMs, run) => {
        const timer = setTimeout(run, Math.max(0, timeMs - Date.now()))
        return () => clearTimeout(timer)
      },
    },
    onFatal: (error) => {
      throw error
    },
  })
  return withQueries(engine)
}

/** Resolves with the outcome once it is durable. */
export function send(engine: Engine, command: Command, key?: string): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const mailbox = command.type === 'CreatePayout' ? command.merchant : 0
    const idempotency = key === undefined ? null : { scope: String(mailbox), key, fingerprint: 'f' }
    const refusal = engine.submit({ command, mailbox, idempotency }, { settle: resolve })
    if (refusal !== null) reject(new Error(refusal))
  })
}

/** A merchant with money, two wallets and so many payouts between them; answers the merchant's test account. */
export async function makeHistory(engine: Engine, payouts: number): Promise<number> {
  const created = await send(engine, { type: 'CreateMerchant', name: 'Kora', email: 'kora@example.com', currency: 'XOF' })
  const { id } = JSON.parse(created.body) as { id: string }
  for (const tag of ['awa', 'moussa']) await send(engine, { type: 'CreateTestWallet', tag })
  await send(engine, { type: 'Deposit', target: { merchantId: id }, environment: 'test', amount: 1_000_000, reference: '', by: 'operator' })
  const merchant = engine.state.merchants.merchants.get(id)?.accounts.test as number
  const sent = Array.from({ length: payouts }, (_, index) =>
    send(
      engine,
      { type: 'CreatePayout', merchant, recipient: index % 2 === 0 ? 'awa' : 'moussa', amount: 100 + index, reference: '', note: '' },
      `key-${index}`,
    ),
  )
  await Promise.all(sent)
  return merchant
}
