// What holds for the reader of payment files over any text and any bytes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isUnreadable, readPaymentFile } from '../../../../http/client/src/payment-file/payment-file.ts'
import { fileProblemText, lineProblemText, paymentFileText } from '../../../../http/client/src/payment-file/payment-file-text.ts'
import { runs } from '../../../support/property-runs.ts'

test('lines come back as they were typed, with any text in them', () => {
  const cell = fc.string({ unit: fc.constantFrom(...'ab;,"\t \n1é@+.'), maxLength: 8 })
  fc.assert(
    fc.property(fc.array(fc.record({ recipient: cell, amount: cell, reference: cell, note: cell }), { maxLength: 6 }), (lines) => {
      const typed = lines.map(({ recipient, amount, reference, note }) => ({
        ...{ recipient: recipient.trim(), amount: amount.trim(), reference: reference.trim(), note: note.trim() },
      }))
      for (const language of ['fr', 'en'] as const) {
        for (const lineEnd of ['\n', '\r\n']) {
          const file = readPaymentFile(paymentFileText(typed, language).replaceAll('\n', lineEnd), { currency: 'XOF' })
          assert.ok(!isUnreadable(file))
          assert.deepEqual(
            file.lines.map(({ typed: { recipient, amount }, reference, note }) => ({ recipient, amount, reference, note })),
            typed.filter((line) => Object.values(line).some((text) => text !== '')),
          )
        }
      }
    }),
  )
})

test('any bytes are a file of lines or a problem in words, and an amount is a whole number of the text', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 6 }),
    fc.constantFrom(
      ...['"', '""', ';', ',', '\n', '\r', '\ufeff', 'montant', 'Destinataire;', '@awa;5\n', '25,000', 'sep=,\n', '1e5'].map((text) =>
        Buffer.from(text),
      ),
    ),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.constantFrom('', 'fffe', 'feff', 'efbbbf', '504b0304'), (pieces, head) => {
      const file = readPaymentFile(Buffer.concat([Buffer.from(head, 'hex'), ...pieces]), { currency: 'XOF', callingCode: '221' })
      if (isUnreadable(file)) {
        for (const language of ['fr', 'en'] as const) assert.match(fileProblemText(file.problem, language), /^[A-Z].*[.]$/s)
        return
      }
      for (const { amount, problem, typed } of file.lines) {
        assert.equal(amount === null, problem !== null)
        if (amount !== null) assert.equal(String(amount), typed.amount.replace(/[.,]0{1,2}\D*$/, '').replace(/\D/g, ''))
        if (problem !== null) for (const language of ['fr', 'en'] as const) assert.notEqual(lineProblemText(problem, language), '')
      }
    }),
    { numRuns: runs(2000) },
  )
})
