// Requests of the reference without a client: the key stands before the request, and is printed where the answer is lost.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { requestSample } from '../../../../http/pages/docs/reference-samples.ts'
import { TABLE } from '../../../support/api-document.ts'
import { interpreterMissing, runProgram } from '../../../support/interpreters.ts'

const SETTINGS = { ACCESS_TOKEN: 'token', OPERATOR_TOKEN: 'token', CAURI_API_KEY: 'pk_test_x', CAURI_API_SECRET: 'sk_test_x' }

describe('a request of the reference whose answer is lost', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cauri-samples-'))
  /** Keys of the requests that arrived. */
  const keys: string[] = []
  const server = createServer((request) => {
    keys.push(String(request.headers['idempotency-key']))
    request.socket.destroy()
  })

  before(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))

  after(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })

  for (const language of ['sh', 'mjs', 'py', 'php'] as const) {
    test(`a request of the reference in ${language} prints its key where the answer is lost`, {
      skip: interpreterMissing(language),
    }, async () => {
      const route = TABLE.find(({ operationId }) => operationId === 'createTransfer')
      assert.ok(route !== undefined, 'wallets transfer')
      const file = `sample.${language}`
      writeFileSync(join(folder, file), requestSample(route)[language] ?? '')
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const { output } = await runProgram(language, [file], folder, { ...SETTINGS, CAURI_URL: url })
      const key = keys.pop() ?? assert.fail('the request arrives')
      assert.ok(key.length >= 32 && output.includes(`Idempotency-Key: ${key}`), output)
    })
  }
})
