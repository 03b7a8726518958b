// Returns what a customer has to pay. In your own code `fetch` asks your system instead of this table.
const BILLS = {
  '01234567890': { number: 'FAC-2026-11-0042', customer: 'Awa Diallo', amount: 12500 },
}

export async function lookup({ fields }) {
  const bill = Object.hasOwn(BILLS, fields.numero) ? BILLS[fields.numero] : null
  if (bill === null) return { ok: false, reason: 'Compteur inconnu.' }
  return { ok: true, amount: bill.amount, customer_name: bill.customer, biller_ref: bill.number }
}
