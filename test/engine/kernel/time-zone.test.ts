// Time zones of merchants against the database of the platform.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayStartMs, offsetMs, TIME_ZONES, utcName } from '../../../engine/kernel/time-zone.ts'

const HOUR_MS = 3_600_000

test('each time zone has one distance from UTC in every month, the one of the IANA database', () => {
  for (const zone of TIME_ZONES) {
    const hourIn = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' })
    for (let month = 0; month < 12; month++) {
      const noonMs = Date.UTC(2026, month, 15, 12)
      assert.equal(Number(hourIn.format(noonMs)), 12 + offsetMs(zone) / HOUR_MS, `${zone} in month ${month + 1}`)
    }
  }
})

test('a day begins at midnight of its zone, which may be the day before in UTC', () => {
  const at = (text: string): number => Date.parse(text)
  const rows = [
    ['Africa/Dakar', '2026-11-28T23:59:59.999Z', '2026-11-28T00:00:00.000Z'],
    ['Africa/Lagos', '2026-11-28T23:00:00.000Z', '2026-11-28T23:00:00.000Z'],
    ['Africa/Lagos', '2026-11-28T22:59:59.999Z', '2026-11-27T23:00:00.000Z'],
    ['Atlantic/Cape_Verde', '2026-11-28T00:30:00.000Z', '2026-11-27T01:00:00.000Z'],
  ] as const
  for (const [zone, time, start] of rows) assert.equal(dayStartMs(at(time), zone), at(start), `${zone} ${time}`)
  assert.deepEqual(
    ['Africa/Dakar', 'Africa/Lagos', 'Atlantic/Cape_Verde'].map((zone) => utcName(zone as 'Africa/Dakar')),
    ['UTC', 'UTC+1', 'UTC-1'],
  )
})
