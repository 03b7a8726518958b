// TOTP codes beside the vectors of RFC 6238, and recovery codes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newRecoveryCodes, newTotpSecret, otpauthUrl, recoveryText, totpCode, totpStep } from '../../../../http/auth/dashboard/totp.ts'

/** `12345678901234567890` in base32, as in appendix B of the RFC. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test('codes are the last six digits of the vectors of RFC 6238', () => {
  const rows = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const
  for (const [seconds, code] of rows) {
    assert.equal(totpCode(SECRET, Math.floor(seconds / 30)), code)
    assert.equal(totpStep(SECRET, code, seconds * 1000), Math.floor(seconds / 30))
  }
})

test('the step before and after is accepted, further ones and other texts are not', () => {
  const nowMs = 1_111_111_111_000
  const step = Math.floor(nowMs / 30_000)
  const found = (away: number) => totpStep(SECRET, totpCode(SECRET, step + away), nowMs)
  assert.deepEqual([found(-1), found(0), found(1)], [step - 1, step, step + 1])
  assert.deepEqual([found(-2), found(2)], [null, null])
  for (const wrong of ['', '12345', '1234567', 'abcdef', ' 50471', '٠٥٠٤٧١']) assert.equal(totpStep(SECRET, wrong, nowMs), null, wrong)
})

test('secrets have 160 bits in base32, and the address names account and issuer', () => {
  assert.match(newTotpSecret(), /^[A-Z2-7]{32}$/)
  assert.notEqual(newTotpSecret(), newTotpSecret())
  const url = new URL(otpauthUrl(SECRET, 'awa@boutique.example', 'Cauri'))
  assert.deepEqual([url.protocol, url.host, decodeURIComponent(url.pathname)], ['otpauth:', 'totp', '/Cauri:awa@boutique.example'])
  assert.deepEqual([url.searchParams.get('secret'), url.searchParams.get('period')], [SECRET, '30'])
})

test('there are ten different recovery codes, which are read with or without their hyphen, in either case', () => {
  const codes = newRecoveryCodes()
  assert.deepEqual([codes.length, new Set(codes).size], [10, 10])
  for (const code of codes) {
    assert.equal(recoveryText(code), code.replace('-', ''))
    assert.equal(recoveryText(` ${code.replace('-', '').toUpperCase()} `), code.replace('-', ''))
  }
  for (const wrong of ['', '123456', 'abcde-fgh1', 'abcde--fghij']) assert.equal(recoveryText(wrong), null)
})
