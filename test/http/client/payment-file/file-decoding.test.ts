// Encodings of payment files, by the bytes that Excel, LibreOffice and Google Sheets write.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeFile } from '../../../../http/client/src/payment-file/file-decoding.ts'

const TEXT = 'Bénéficiaire;Montant\n@awa;1000'

test('a file is read by its mark, as UTF-8, and else as Windows-1252', () => {
  const utf16 = Buffer.from(`\uFEFF${TEXT}`, 'utf16le')
  for (const [bytes, encoding] of [
    [Buffer.from(TEXT), 'utf-8'],
    [Buffer.from(`\uFEFF${TEXT}`), 'utf-8'],
    [utf16, 'utf-16le'],
    [Buffer.from(utf16).swap16(), 'utf-16be'],
    [Buffer.from(TEXT, 'latin1'), 'windows-1252'],
  ] as const)
    assert.deepEqual(decodeFile(bytes), { text: TEXT, encoding })
})

test('Windows-1252 has its quotes, ligatures and dashes, and no control character', () => {
  const bytes = Buffer.from([
    ...Buffer.from('L'),
    0x92,
    ...Buffer.from('ann'),
    0xe9,
    ...Buffer.from('e '),
    0x9c,
    0x80,
    0x96,
    0x97,
    0x85,
    0xa0,
  ])
  assert.deepEqual(decodeFile(bytes), { text: 'L’année œ€–—…\u00a0', encoding: 'windows-1252' })
  for (let byte = 0x80; byte <= 0xff; byte++) {
    const decoded = decodeFile(Buffer.from([0x41, byte, 0x41]))
    if ([0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte)) assert.deepEqual(decoded, { problem: 'encoding' })
    else assert.ok('text' in decoded && decoded.text.length === 3 && !/[\u0080-\u009f]/.test(decoded.text), String(byte))
  }
})

test('a workbook and a binary file are none', () => {
  for (const head of ['504b0304', 'd0cf11e0a1b11ae1'])
    assert.deepEqual(decodeFile(Buffer.from(`${head}00000000`, 'hex')), { problem: 'workbook' })
  for (const binary of [Buffer.from(TEXT, 'utf16le'), Buffer.from('fffe41', 'hex'), Buffer.from('efbbbfff', 'hex')])
    assert.deepEqual(decodeFile(binary), { problem: 'encoding' })
})
