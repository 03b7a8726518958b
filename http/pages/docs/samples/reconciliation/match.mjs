import { cauri } from './cauri.mjs'

// Your own records: reference and amount of each order.
const orders = new Map([
  ['CMD-118', 1500],
  ['CMD-119', 4000],
])
for await (const { id, reference, amount } of cauri.transactions.list({ type: 'charge' })) {
  if (orders.get(reference) === amount) console.log('same:', reference, id)
  else console.log('only at Cauri, or another amount:', reference, amount)
  orders.delete(reference)
}
for (const reference of orders.keys()) console.log('only in your records:', reference)
