import { cauri } from './cauri.mjs'

// Store stream_id with your work: `lastId` resumes behind it.
for await (const event of cauri.events.stream({ lastId: 0 })) {
  console.log(event.stream_id, event.type)
  break
}
