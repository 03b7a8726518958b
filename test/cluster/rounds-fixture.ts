// Three nodes with a funded merchant, ready for rounds of faults.
import assert from 'node:assert/strict'
import { Client } from '../support/client.ts'
import { ClusterServers } from '../support/cluster-servers.ts'
import { newDatabase, startPair } from '../support/postgres.ts'
import { newTag, TestServer } from '../support/server-fixture.ts'
import { OPERATOR_TOKEN } from '../support/server-process.ts'
import { type Account, Rounds } from './rounds.ts'

export interface OpenRounds {
  readonly rounds: Rounds
  remove(): Promise<void>
}

export async function openRounds(): Promise<OpenRounds> {
  const pair = await startPair()
  const servers = new ClusterServers(pair.primary.url(await newDatabase(pair.primary)))
  const remove = async (): Promise<void> => {
    await servers.remove()
    await pair.remove()
  }
  try {
    await servers.start('a')
    await servers.becomesOwner('a')
    await servers.start('b')
    await servers.start('c')
    return { rounds: new Rounds(servers, await openAccount(servers.node('b').baseUrl)), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function openAccount(baseUrl: string): Promise<Account> {
  const operator = (await Client.to(baseUrl)).with({ authorization: `Bearer ${OPERATOR_TOKEN}` })
  const house = await TestServer.attached(baseUrl, { authorization: `Bearer ${OPERATOR_TOKEN}` })
  const merchant = await house.fundedMerchant(1_000_000)
  const recipient = newTag()
  assert.equal((await merchant.test.post('/v1/biz/test/wallets', { tag: recipient })).status, 201)
  const keys = await operator.post<{ public_key: string; secret_key: string }>(`/v1/operator/merchants/${merchant.id}/api-keys`, {
    environment: 'test',
    scopes: ['disbursements.write'],
  })
  return { headers: { 'x-api-key': keys.body.public_key, 'x-api-secret': keys.body.secret_key }, recipient }
}
