// The brake on one-time codes of all callers together: how much it lets through, and who is refused first.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SendBudget } from '../../../../http/auth/wallet/send-budget.ts'
import { SignInLimits } from '../../../../http/auth/wallet/sign-in-limits.ts'

const NETWORKS = { ipv4: [1000, 1000, 1000], ipv6: [1000, 1000, 1000, 1000] } as const

function budget(perMinute: number, perCallingCode = 1): SendBudget {
  return new SendBudget({ perMinute, burst: perMinute, perCallingCode, networks: NETWORKS, networksMax: 1000 })
}

/** As many as are let through, each from a network of its own. */
function letThrough(sends: SendBudget, asked: number, callingCode: string, nowMs: number): number {
  return Array.from({ length: asked }, (_, index) => sends.take(`${1 + (index % 200)}.${index % 250}.0.1`, callingCode, nowMs)).filter(
    (waitS) => waitS === 0,
  ).length
}

describe('the brake', () => {
  it('the brake lets through so many codes a minute, wherever they are asked for', () => {
    const sends = budget(60)
    assert.ok(letThrough(sends, 500, '+221', 0) <= 60)
    assert.ok(letThrough(sends, 500, '+221', 1000) <= 1)
    assert.ok(letThrough(sends, 500, '+221', 61_000) <= 60)
  })

  it('the brake leaves the other calling codes their part when one is flooded', () => {
    const sends = budget(60, 0.5)
    assert.ok(letThrough(sends, 500, '+221', 0) <= 30)
    assert.equal(sends.take('41.82.7.9', '+225', 0), 0)
  })

  it('the brake refuses the busiest network first: the others still get their codes', () => {
    const sends = new SendBudget({
      ...{ perMinute: 100, burst: 100, perCallingCode: 1, networksMax: 1000 },
      networks: { ipv4: [50, 50, 50], ipv6: [50, 50, 50, 50] },
    })
    const busy = Array.from({ length: 200 }, () => sends.take('41.82.7.9', '+221', 0)).filter((waitS) => waitS === 0).length
    assert.ok(busy > 20 && busy < 50, `${busy}`)
    for (let index = 0; index < 40; index++) assert.equal(sends.take(`42.${index}.7.9`, '+221', 0), 0)
  })

  it('the brake gives back what was not sent', () => {
    const sends = budget(10)
    for (let tries = 0; tries < 100; tries++) {
      assert.equal(sends.take('41.82.7.9', '+221', 0), 0)
      sends.giveBack('41.82.7.9', '+221', 0)
    }
  })
})

describe('one IPv6 /48', () => {
  it('one IPv6 /48 gets 200 live codes an hour however many of its addresses ask, and other networks get theirs', () => {
    const clock = { nowMs: 0 }
    const limits = new SignInLimits({ callingCodes: ['+221', '+225'], perMinute: 300, now: () => clock.nowMs })
    const ask = (address: string): number => limits.takeCode({ environment: 'live', address, phone: '+221771234567' })
    let [attacker, honest, refused] = [0, 0, 0]
    for (let second = 0; second < 44; second++) {
      clock.nowMs += 1000
      for (let index = 0; index < 1127; index++) {
        if (ask(`2001:db8:7:${((second * 1127 + index) % 65_536).toString(16)}::/64`) === 0) attacker++
      }
      if (ask(`41.82.${second}.9`) === 0) honest++
      else refused++
    }
    assert.deepEqual([honest, refused], [44, 0])
    assert.ok(attacker <= 203, `${attacker}`)
  })
})

describe('served phones', () => {
  const limits = new SignInLimits({ callingCodes: ['+221'], perMinute: 300, now: () => 0 })
  const rows = [
    { phone: '+221771234567', served: true },
    { phone: '+33612345678', served: false },
    { phone: '+2250712345678', served: false },
    { phone: '+2250012345678', served: true },
  ]
  for (const { phone, served } of rows) {
    it(`${phone} ${served ? 'is' : 'is not'} one of them where +221 alone is set`, () => assert.equal(limits.serves(phone), served))
  }
})
