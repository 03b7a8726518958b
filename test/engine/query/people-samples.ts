// Samples of the queries about people whom a merchant pays, and who pay it: contacts, problems with payments, and news of members.
import type { EngineFixture } from '../../support/engine-fixture.ts'
import { anyUser, first, MERCHANT, oneProblem, problemPayment } from './sample-rows.ts'

const PAGE = { limit: 2 }

export const PEOPLE_SAMPLES = {
  'news.list': { scenario: 'notices-v1.json', input: (fixture: EngineFixture) => ({ userId: anyUser(fixture).id }) },
  'news.unread': { scenario: 'notices-v1.json', input: (fixture: EngineFixture) => ({ userId: anyUser(fixture).id }) },
  'problems.get': { scenario: 'problems-v1.json', input: (fixture: EngineFixture) => ({ ...oneProblem(fixture), maker: null }) },
  'problems.list': {
    scenario: 'problems-v1.json',
    input: () => ({ account: MERCHANT, query: PAGE, slice: 'first' as const, maker: null }),
  },
  'problems.ofPayment': { scenario: 'problems-v1.json', input: problemPayment },
  'problems.open': { scenario: 'problems-v1.json', input: () => ({ account: MERCHANT }) },
  'problems.payment': { scenario: 'problems-v1.json', input: problemPayment },
  'problems.position': { scenario: 'problems-v1.json', input: (fixture: EngineFixture) => ({ ...oneProblem(fixture), maker: null }) },
  'contacts.get': { scenario: 'contacts-v1.json', input: (fixture: EngineFixture) => first(fixture, 'contact.added').own },
  'contacts.list': { scenario: 'contacts-v1.json', input: () => ({ account: MERCHANT, query: PAGE, slice: 'first' as const }) },
  'contacts.groups': { scenario: 'contacts-v1.json', input: () => ({ account: MERCHANT }) },
  'contacts.ofGroup': { scenario: 'contacts-v1.json', input: () => ({ account: MERCHANT, group: 'Dakar' }) },
}
