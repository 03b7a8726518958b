// Rows of a payment file, split in steps: where a step ends changes nothing, and none is longer than a row may be.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { splitRows } from '../../../../http/client/src/payment-file/file-rows.ts'
import { isUnreadable, paymentFileSteps, readPaymentFile } from '../../../../http/client/src/payment-file/payment-file.ts'
import { allSteps, STEP_LENGTH } from '../../../../http/client/src/payment-file/reading-steps.ts'
import { runs } from '../../../support/property-runs.ts'

/** Longer than every row below. */
const SHORT_STEP = 40

describe('rows of a payment file', () => {
  it('are the same however many steps split them, quotes and line breaks in cells included', () => {
    const cell = fc.constantFrom('', 'a', '5', '"b;c"', '"d\ne"', '"f""g"', 'h"i', ' "j"', '"k" ', '"l"m', '"n')
    const text = fc.array(
      fc.array(cell, { minLength: 1, maxLength: 4 }).map((cells) => cells.join(';')),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(text, fc.constantFrom('', '\n'), (rows, end) => {
        const file = rows.join('\n') + end
        const { problem, rows: whole } = allSteps(splitRows(file, ';', 0, file.length + 1))
        const steps = allSteps(splitRows(file, ';', 0, SHORT_STEP))
        assert.equal(steps.problem === null, problem === null)
        if (problem === null) return assert.deepEqual(steps.rows, whole)
        // A quote that stays open for longer than a step is open, though another one may follow.
        assert.deepEqual([steps.problem?.row, steps.problem?.line], [problem.row, problem.line])
      }),
      { numRuns: runs(2000) },
    )
  })

  it('of a large file are read a few at a time', () => {
    const count = 20_000
    const text = `tag;montant\r\n${Array.from({ length: count }, (_, at) => `@awa${at};${at + 1}`).join('\r\n')}`
    for (const file of [text, Buffer.from(text), Buffer.from(`${text};;é`, 'latin1')]) {
      let steps = 0
      for (const reading = paymentFileSteps(file, { currency: 'XOF' }); ; steps++) {
        const { done, value } = reading.next()
        if (done !== true) continue
        assert.ok(!isUnreadable(value))
        assert.equal(value.lines.length, count)
        break
      }
      assert.ok(steps >= count / 200 + text.length / STEP_LENGTH, `${steps} steps`)
    }
  })

  it('that are longer than a payment can be are refused, and so is a quote that stays open for as long', () => {
    const long = 'x'.repeat(STEP_LENGTH)
    const first = 'tag;montant\n@awa;5\n'
    const after = '\n@kofi;6\n'.repeat(STEP_LENGTH / 8)
    for (const [text, code] of [
      [`${first}@awa;5;${long}`, 'row_too_long'],
      [`${first}@awa;5;${long}${after}`, 'row_too_long'],
      [`${first}@awa;5;"${after}"`, 'open_quote'],
    ] as const) {
      const file = readPaymentFile(text, { currency: 'XOF' })
      assert.ok(isUnreadable(file))
      assert.deepEqual(file.problem, { code, row: 3, line: 3 })
    }
  })
})
