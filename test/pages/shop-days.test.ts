// The five days in a real browser, on a phone in French and on a desk in English, with a team at the till and an operator who searches.
// CAURI_SHOP_DAY names one more form, or `all`.
import { type DayForm, DESK, FRENCH_PHONE, PHONE } from '../support/shop-day-steps.ts'
import { playDays } from '../support/shop-day-walk.ts'

const FORMS: readonly DayForm[] = [FRENCH_PHONE, { name: '1280 dark, English', language: 'en', options: { ...DESK, colorScheme: 'dark' } }]
const OTHERS: readonly DayForm[] = [
  { name: '360 dark, English', language: 'en', options: { ...PHONE, colorScheme: 'dark' } },
  { name: '1280 light', language: 'fr', options: { ...DESK, colorScheme: 'light' } },
  { name: '360 without a script', language: 'fr', options: { ...PHONE, javaScriptEnabled: false } },
]

const asked = process.env.CAURI_SHOP_DAY

playDays([...FORMS, ...OTHERS.filter(({ name }) => asked === 'all' || asked === name)], { hasLong: true })
