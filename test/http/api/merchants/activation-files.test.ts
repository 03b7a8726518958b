// Files of a live activation over HTTP: which are taken, who reads them, and what the data folder holds of them.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import type { Activation, ActivationFile, MerchantActivation } from '../../../../engine/contract/activation.ts'
import { fetched, form, said } from '../../../support/biller-callers.ts'
import type { Client } from '../../../support/client.ts'
import { signUp } from '../../../support/dashboard-callers.ts'
import { jpeg, png, webpLossy } from '../../../support/pictures.ts'
import { newKey, TestServer } from '../../../support/server-fixture.ts'
import { ownServer, sharedServer } from '../../../support/shared-server.ts'
import { ok } from '../../../support/wallet-callers.ts'

const PATH = '/v1/dashboard/activation/files'
const BYTES_MAX = 5 * 1024 * 1024
const MARK = 'CNI 1 751 1990 01234'
const PDF = Buffer.from(`%PDF-1.7\n${MARK}\n%%EOF\n`)

let server: TestServer

before(async () => {
  server = await sharedServer()
})

function send(browser: Client, content: Buffer | string, headers: Readonly<Record<string, string>> = {}, boundary = 'a') {
  return browser.request<Record<string, unknown>>('POST', PATH, {
    ...form([{ name: 'file', content, fileName: 'registre.pdf' }], boundary),
    headers,
  })
}

/** The file as an operator's program gets it. */
function read(from: TestServer, merchantId: string, file: unknown) {
  return fetched(from, `/v1/operator/merchants/${merchantId}/activation-files/${file}`, from.operator.headers)
}

test('an operator reads each file as it was sent, with the type of its content, as an attachment', async () => {
  const { browser, merchantId } = await signUp(server)
  const rows = [
    [PDF, 'application/pdf', 'pdf'],
    [png(640, 480), 'image/png', 'png'],
    [jpeg(640, 480), 'image/jpeg', 'jpg'],
  ] as const
  const files: ActivationFile[] = []
  for (const [content, type, ending] of rows) {
    const { status, body } = await send(browser, content)
    assert.deepEqual([status, body.content_type, body.size_bytes], [201, type, content.length])
    files.push(body as unknown as ActivationFile)
    const { status: found, bytes, headers } = await read(server, merchantId, body.id)
    assert.ok(found === 200 && bytes.equals(content), type)
    assert.deepEqual(
      [headers['content-type'], headers['content-disposition'], headers['x-content-type-options'], headers['cache-control']],
      [type, `attachment; filename="${body.id}.${ending}"`, 'nosniff', 'no-store'],
    )
  }
  assert.deepEqual((await browser.get<Activation>('/v1/dashboard/activation')).body.files, files)
  const { data } = (await ok(server.operator.get<{ data: MerchantActivation[] }>('/v1/operator/activations?state=active&limit=100'))).body
  assert.deepEqual(data.find((row) => row.merchant_id === merchantId)?.files, files)
})

test('a file that is neither PDF, PNG nor JPEG by its content is refused under any name', async () => {
  const { browser } = await signUp(server)
  const reason = 'Le fichier doit être un PDF, ou une image PNG ou JPEG.'
  for (const content of [webpLossy(200), 'GIF89a', '<html>%PDF-1.7', ' %PDF-1.7', '%PDF', png(64).subarray(0, 20)]) {
    const { status, body } = await send(browser, content)
    assert.deepEqual([status, body.code, body.param, body.message], [400, 'invalid_request', 'file', reason], String(content.slice(0, 9)))
  }
  assert.deepEqual(said(await send(browser, '')), [400, 'invalid_request', 'file'])
  const other = await browser.request('POST', PATH, form([{ name: 'logo', content: PDF }]))
  assert.deepEqual(said(other), [400, 'invalid_request', 'file'])
  assert.deepEqual(said(await browser.post(PATH, { file: 'x' })), [415, 'unsupported_media_type'])
  assert.deepEqual((await browser.get<Activation>('/v1/dashboard/activation')).body.files, [])
})

test('a file has 5 MiB at most, and one of that size comes back whole', async () => {
  const { browser, merchantId } = await signUp(server)
  const sized = (bytes: number): Buffer => Buffer.concat([PDF, Buffer.alloc(bytes - PDF.length, 0xa5)])
  assert.deepEqual(said(await send(browser, sized(BYTES_MAX + 1))), [413, 'payload_too_large', 'file'])
  const { status, body } = await send(browser, sized(BYTES_MAX))
  assert.equal(status, 201)
  const { bytes } = await read(server, merchantId, body.id)
  assert.ok(bytes.equals(sized(BYTES_MAX)))
})

test('a fifth file is too many, also the same one again and several at once, and a repeated key adds none', async () => {
  const { browser } = await signUp(server)
  const key = newKey()
  const first = await send(browser, PDF, key)
  const again = await send(browser, PDF, key, 'another-boundary')
  assert.deepEqual([again.text, again.headers['idempotent-replayed']], [first.text, 'true'])
  assert.deepEqual(said(await send(browser, png(64), key)), [422, 'idempotency_key_reused'])
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(browser, PDF)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 409, 409])
  const refused = answers.find(({ status }) => status === 409)
  assert.ok(refused !== undefined)
  assert.deepEqual(said(refused), [409, 'too_many_files', 'file'])
  assert.equal((await browser.get<Activation>('/v1/dashboard/activation')).body.files.length, 4)
  assert.equal((await send(browser, PDF, key)).text, first.text, 'a key is repeated when the activation is full, too')
})

test('a file is read under its own merchant alone', async () => {
  const [one, other] = [await signUp(server), await signUp(server)]
  const { body } = await send(one.browser, PDF)
  assert.equal((await read(server, one.merchantId.toUpperCase(), String(body.id).toUpperCase())).status, 200)
  assert.equal((await read(server, other.merchantId, body.id)).status, 404)
  assert.equal((await read(server, one.merchantId, other.merchantId)).status, 404)
  assert.equal((await read(server, one.merchantId, 'x')).status, 404)
})

test('a refused merchant with four files deletes an unreadable one and sends another; what it was activated with stays', async () => {
  const approving = await sharedServer({ SIGNUP: 'approval' })
  const [{ browser, merchantId }, other] = [await signUp(approving), await signUp(approving)]
  const sent = async (): Promise<string> => {
    const { status, body } = await send(browser, PDF)
    assert.equal(status, 201)
    return String(body.id)
  }
  const ids = [await sent(), await sent(), await sent(), await sent()]
  const details = { legal_name: 'A', registration_number: 'SN-1', address: 'D', contact_name: 'A', contact_phone: '+221770000001' }
  const request = { ...details, activity: 'T' }
  await ok(browser.post('/v1/dashboard/activation', request))
  await ok(approving.operator.post(`/v1/operator/merchants/${merchantId}/refuse`, { reason: 'Illisible.' }))
  const remove = (from: Client, id: unknown) => from.request<Record<string, unknown>>('DELETE', `${PATH}/${id}`)
  assert.deepEqual(said(await remove(other.browser, ids[1])), [404, 'not_found'])
  assert.deepEqual((await ok(remove(browser, ids[1]))).body, { id: ids[1], deleted: true })
  assert.equal((await remove(browser, ids[1])).status, 404)
  assert.equal((await read(approving, merchantId, ids[1])).status, 404)
  const added = await sent()
  assert.deepEqual(said(await send(browser, PDF)), [409, 'too_many_files', 'file'])
  const { files } = (await ok(browser.post<Activation>('/v1/dashboard/activation', request))).body
  assert.deepEqual(
    files.map(({ id }) => id),
    [ids[0], ids[2], ids[3], added],
  )
  await ok(approving.operator.post(`/v1/operator/merchants/${merchantId}/activate`, {}))
  assert.deepEqual(said(await remove(browser, added)), [409, 'request_not_open'])
  assert.equal((await read(approving, merchantId, added)).status, 200)
})

test('files survive a crash, a refusal and an activation, and the data folder holds none in clear', async () => {
  const first = await TestServer.open({ settings: { SIGNUP: 'approval' } })
  try {
    const { browser, merchantId } = await signUp(first)
    const { status, body } = await send(browser, PDF)
    assert.equal(status, 201)
    const details = { legal_name: 'A', registration_number: 'SN-1', address: 'D', contact_name: 'A', contact_phone: '+221770000001' }
    const requested = await ok(browser.post<Activation>('/v1/dashboard/activation', { ...details, activity: 'T' }))
    assert.deepEqual(requested.body.files, [body])
    await ok(first.operator.post(`/v1/operator/merchants/${merchantId}/refuse`, { reason: 'Illisible.' }))
    await first.process.kill()
    const second = await ownServer({}, first.process.dataDir)
    assert.ok((await read(second, merchantId, body.id)).bytes.equals(PDF))
    await ok(second.operator.post(`/v1/operator/merchants/${merchantId}/activate`, {}))
    assert.ok((await read(second, merchantId, body.id)).bytes.equals(PDF))
    const entries = readdirSync(first.process.dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const text = entries.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n')
    const forms = [MARK, PDF.toString('base64').slice(16, 40), PDF.toString('base64url').slice(16, 40)]
    assert.deepEqual(
      forms.filter((one) => text.includes(one)),
      [],
    )
    assert.ok(text.includes(merchantId), 'the folder is the one that was written')
    await second.close()
  } finally {
    await first.close()
  }
})
