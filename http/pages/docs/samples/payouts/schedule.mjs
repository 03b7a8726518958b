import { cauri } from './cauri.mjs'

const schedule = await cauri.schedules.create({
  recurrence: 'monthly',
  start_at: new Date(Date.now() + 86_400_000).toISOString(),
  reference: 'PAIE',
  items: [{ recipient: '@awa_demo', amount: 150_000 }],
})
console.log(schedule.id, schedule.state)
