// Bodies that the thread of disbursements reads are answered as small ones are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LinesThread } from '../../../../../http/api/disbursements/lines/lines-thread.ts'
import { LARGE_FILE_BYTES } from '../../../../../http/server/server-limits.ts'
import { DISBURSEMENTS, openPayroll } from '../../../../support/disbursement-callers.ts'
import { newKey } from '../../../../support/server-fixture.ts'
import { sharedServer } from '../../../../support/shared-server.ts'

const JSON_TYPE = 'application/json'
const CSV = 'text/csv'
const NDJSON = 'application/x-ndjson'

/** Two lines that are no payments stand behind the first of each block, so the rows of a file are not its places. */
function bodies(tag: string, count: number): ReadonlyMap<string, string> {
  const lines = Array.from({ length: count }, (_, index) => ({ recipient: `@${tag}`, amount: 1 + index, reference: `é ${index}` }))
  const csv = [
    'destinataire;montant;référence',
    '',
    ...lines.map(({ recipient, amount, reference }) => `${recipient};${amount};${reference}`),
  ]
  return new Map([
    [JSON_TYPE, JSON.stringify({ reference: 'PAIE', items: [{ recipient: '', amount: 1 }, ...lines, { recipient: tag, amount: 0.5 }, 7] })],
    [CSV, [...csv, `@${tag};1,5`, '@nobody_at_all;3'].join('\r\n')],
    [NDJSON, `\n${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"recipient"\n`],
  ])
}

async function caller() {
  const { server } = { server: await sharedServer() }
  const { key, tag } = await openPayroll(server, null)
  const send = (contentType: string, body: string, headers = newKey()) => key.request('POST', DISBURSEMENTS, { body, contentType, headers })
  return { key, tag, send }
}

interface Created {
  readonly id: string
  readonly total_count: number
  readonly valid_count: number
  readonly valid_amount: number
}

test('each form of a large body has the lines that it has as a small one, and its key answers again', async () => {
  const { key, tag, send } = await caller()
  for (const count of [20, 3000]) {
    for (const [type, body] of bodies(tag, count)) {
      assert.equal(Buffer.byteLength(body) >= LARGE_FILE_BYTES, count === 3000)
      const headers = newKey()
      const { status, text } = await send(type, body, headers)
      assert.equal(status, 201, `${type} ${text}`)
      const { id, total_count, valid_count, valid_amount } = JSON.parse(text) as Created
      const invalid = { [JSON_TYPE]: 3, [CSV]: 2, [NDJSON]: 1 }[type] ?? 0
      assert.deepEqual([total_count, valid_count, valid_amount], [count + invalid, count, (count * (count + 1)) / 2], type)
      assert.equal((await send(type, body, headers)).text, text)
      assert.equal((await send(type, body.replace('é 7', 'è 7'), headers)).status, 422)
      const last = `${DISBURSEMENTS}/${id}/lines?state=invalid&limit=100`
      const { body: found } = await key.get<{ data: { index: number; failure_code: string; row?: number }[] }>(last)
      const shown = found.data.map(({ index, failure_code }) => `${index < 2 ? index : index - count} ${failure_code}`)
      const expected = {
        [JSON_TYPE]: ['0 invalid_recipient', '1 invalid_amount', '2 invalid_recipient'],
        [CSV]: ['0 invalid_amount', '1 recipient_not_found'],
        [NDJSON]: ['0 invalid_json'],
      }[type]
      assert.deepEqual(shown, expected, type)
    }
  }
})

test('a large body with a fault gets the refusal of a small one', async () => {
  const { tag, send } = await caller()
  for (const count of [20, 3000]) {
    const by = bodies(tag, count)
    const json = by.get(JSON_TYPE) ?? ''
    const faulty: readonly (readonly [string, string, string])[] = [
      [JSON_TYPE, json.slice(0, -1), 'invalid_json'],
      [JSON_TYPE, json.replace('"reference":"PAIE"', '"reference":"PAIE","reference":"B"'), 'invalid_request'],
      [JSON_TYPE, json.replace('"reference":"PAIE"', '"colour":"red"'), 'unknown_field'],
      [JSON_TYPE, json.replace('"items":', '"group":"A","items":'), 'invalid_request'],
      [CSV, (by.get(CSV) ?? '').replace('montant', 'couleur'), 'invalid_csv'],
      [CSV, `${by.get(CSV) ?? ''}\r\n"open;1`, 'invalid_csv'],
      ['text/plain', json, 'unsupported_media_type'],
    ]
    for (const [type, body, code] of faulty) {
      const { text } = await send(type, body)
      assert.equal((JSON.parse(text) as { code: string }).code, code, `${type} ${count} ${text.slice(0, 200)}`)
    }
  }
})

const body = (owner: string, text: string) => ({
  mediaType: NDJSON,
  bytes: Buffer.from(text),
  currency: 'XOF' as const,
  owner,
  method: 'POST',
  target: DISBURSEMENTS,
})

test('the thread ends when it has no body, and the next body starts another', async () => {
  const thread = new LinesThread(0)
  const text = '{"recipient":"awa","amount":1}\n'.repeat(2500)
  for (let round = 0; round < 3; round++) {
    const read = await thread.read(body('A', text))
    assert.ok('value' in read)
    assert.equal((read.value as { items: unknown[] }).items.length, 2500)
    // The timer of an idle thread runs before this.
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
})

test('a body whose memory is gone fails alone, and the next one is read', async () => {
  const thread = new LinesThread()
  const text = '{"recipient":"awa","amount":1}\n'.repeat(2500)
  const gone = body('A', text)
  structuredClone(null, { transfer: [gone.bytes.buffer as ArrayBuffer] })
  const reading = [thread.read(gone), thread.read(body('A', text))] as const
  await assert.rejects(reading[0])
  assert.ok('value' in (await reading[1]))
})

test('accounts take turns: a small body of another account goes before the second large one of the first', async () => {
  const thread = new LinesThread()
  const large = '{"recipient":"awa","amount":1}\n'.repeat(10_000)
  const ended: string[] = []
  const read = async (owner: string, text: string): Promise<void> => {
    await thread.read(body(owner, text))
    ended.push(`${owner} ${text.length}`)
  }
  await Promise.all([read('A', large), read('A', large), read('B', large.slice(0, 31))])
  assert.deepEqual(ended, [`A ${large.length}`, 'B 31', `A ${large.length}`])
})
