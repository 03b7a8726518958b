// A shop's day in a real browser, on a phone and in French. test/pages/shop-days.test.ts has the other forms.
import { FRENCH_PHONE } from '../support/shop-day-steps.ts'
import { playDays } from '../support/shop-day-walk.ts'

playDays([FRENCH_PHONE], { hasLong: false })
