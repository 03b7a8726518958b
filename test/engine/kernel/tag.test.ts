// Tags: which a new wallet may take.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isFreeForWallets } from '../../../engine/kernel/tag.ts'

describe('a new tag', () => {
  const reserved = [
    'admin',
    'support',
    'service',
    'cauri',
    'orange',
    'wave',
    'moov',
    'mtn',
    'total',
    'null',
    'none',
    'undefined',
    'test',
    'root',
    'operator',
  ]
  for (const tag of [...reserved, 'nan', 'true', 'telephone', 'montant']) {
    it(`the reserved word ${tag} is no tag, with underscores around it neither`, () => {
      for (const written of [tag, `_${tag}`, `${tag}__`]) assert.equal(isFreeForWallets(written), false, written)
    })
  }

  it('words of the service that are put together are no tag, however they are joined and with digits', () => {
    for (const tag of [
      ...['cauri_support', 'support_cauri', 'wave_money', 'admin_cauri_', 'caurisupport', 'orangemoney', 'cauri1', 'cauri_225'],
      ...['1_support', 'wave2money', 'sup_port', 'agent007'],
    ])
      assert.equal(isFreeForWallets(tag), false, tag)
  })

  it('a tag has at least one letter', () => {
    for (const tag of ['123', '___', '12_34', '771234567']) assert.equal(isFreeForWallets(tag), false, tag)
    for (const tag of ['a12', '__a', '12_34b']) assert.equal(isFreeForWallets(tag), true, tag)
  })

  it('names of people, and words that only contain a reserved one, are tags', () => {
    for (const tag of [
      'awa',
      'awa_demo',
      'test_blocked',
      'test_awa',
      'totale',
      'adminata',
      'support_awa',
      'roots',
      'mtn_awa',
      'agentawa',
      'caurisse',
      'test1',
    ])
      assert.equal(isFreeForWallets(tag), true, tag)
  })
})
