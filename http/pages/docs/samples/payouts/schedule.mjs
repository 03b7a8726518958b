import { cauri } from './cauri.mjs'

const schedule = await cauri.schedules.create({
  recurrence: 'monthly',
  start_at: '2099-11-30T08:00:00Z',
  reference: 'PAIE',
  items: [{ recipient: '@awa_demo', amount: 150_000 }],
})
console.log(schedule.id, schedule.state)
