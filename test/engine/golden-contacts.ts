// The golden scenario of contacts: added, replaced, deleted.
import { openMerchant } from '../support/commands.ts'
import type { EngineFixture } from '../support/engine-fixture.ts'
import { must, newestId } from './golden-steps.ts'

export function playContacts(fixture: EngineFixture): void {
  const { test: merchant } = openMerchant(fixture, 'Boutique')
  const add = (recipient: string, name: string): string => {
    const fields = { recipient, name, groups: ['Employés', 'Dakar'], amount: 150_000, reference: 'PAIE' }
    must(fixture, { type: 'AddContact', merchant, ...fields }, 201)
    return newestId(fixture)
  }
  const awa = add('awa', 'Awa Diallo')
  const moussa = add('+2250700000012', '')
  must(fixture, { type: 'AddContact', merchant, recipient: 'awa', name: '', groups: [], amount: null, reference: '' }, 409)
  must(
    fixture,
    { type: 'ReplaceContact', merchant, id: awa, recipient: 'awa_diallo', name: 'Awa', groups: ['Dakar'], amount: null, reference: '' },
    200,
  )
  must(fixture, { type: 'DeleteContact', merchant, id: moussa }, 200)
}
