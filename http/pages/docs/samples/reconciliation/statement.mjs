import { cauri } from './cauri.mjs'

const created_from = `${new Date().toISOString().slice(0, 10)}T00:00:00Z`
const lines = await cauri.transactions.list({ created_from }).toArray(100_000)
const totals = {}
let balance = null
for (const { id, type, amount, balance_after } of lines.reverse()) {
  if (balance !== null && balance + amount !== balance_after) throw new Error(`a line is missing before ${id}`)
  balance = balance_after
  totals[type] = (totals[type] ?? 0) + amount
}
console.log(`${lines.length} lines, closing balance ${balance}`, totals)
