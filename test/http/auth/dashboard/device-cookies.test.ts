// The cookie that remembers a browser: for its own user alone, for a year, and only as it was signed.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DeviceCookies } from '../../../../http/auth/dashboard/device-cookies.ts'
import { REMEMBERED_BROWSER_S } from '../../../../http/server/server-limits.ts'

function open(isSecure = true) {
  const clock = { nowMs: 1_790_000_000_000 }
  const devices = new DeviceCookies({ key: Buffer.alloc(32, 1), now: () => clock.nowMs, isSecure })
  const sent = (cookies = ''): string => devices.remember(cookies, 'awa')[1].split(';')[0] ?? ''
  return { clock, devices, sent }
}

describe('a device cookie', () => {
  it('a device cookie names the browser of its user, and of no other', () => {
    const { devices, sent } = open()
    const cookie = sent()
    assert.equal(devices.nonceOf(cookie, 'awa')?.length, 22)
    assert.equal(devices.nonceOf(cookie, 'kofi'), null)
    assert.equal(devices.nonceOf('', 'awa'), null)
  })

  it('a device cookie keeps its name when it is renewed, and another browser has another', () => {
    const { devices, sent } = open()
    const cookie = sent()
    assert.equal(devices.nonceOf(sent(cookie), 'awa'), devices.nonceOf(cookie, 'awa'))
    assert.notEqual(devices.nonceOf(sent(), 'awa'), devices.nonceOf(cookie, 'awa'))
  })

  it('a device cookie is nothing once it has expired, changed in any character, or there twice', () => {
    const { clock, devices, sent } = open()
    const cookie = sent()
    const at = cookie.indexOf('=') + 1
    for (let index = at; index < cookie.length; index++) {
      const changed = cookie.slice(0, index) + (cookie[index] === 'A' ? 'B' : 'A') + cookie.slice(index + 1)
      assert.equal(devices.nonceOf(changed, 'awa'), null, changed)
    }
    assert.equal(devices.nonceOf(`${cookie}; ${cookie}`, 'awa'), null)
    clock.nowMs += REMEMBERED_BROWSER_S * 1000
    assert.equal(devices.nonceOf(cookie, 'awa'), null)
  })

  it('a device cookie is out of reach of scripts, and bound to the host where pages are reached by https', () => {
    const [, secure] = open().devices.remember('', 'awa')
    assert.match(secure, /^__Host-device-[\w-]{12}=v1\..*; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure$/)
    const [, plain] = open(false).devices.remember('', 'awa')
    assert.match(plain, /^device-[\w-]{12}=.*SameSite=Lax$/)
  })
})
