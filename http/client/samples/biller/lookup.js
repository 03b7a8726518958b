// What a customer has to pay. This file answers the webhook on the biller's server, and runs as it is as hosted code: no imports.
const BILLS = {
  '01234567890': {
    customer: 'Awa Diallo',
    number: 'FAC-2026-11-0042',
    lines: [
      ['Consommation', 11_800],
      ['Redevance', 700],
    ],
  },
  '09876543210': { customer: 'Kofi Mensah', number: 'FAC-2026-11-0043', lines: [['Consommation', 5_200]] },
}

export function lookup({ fields }) {
  const bill = Object.hasOwn(BILLS, fields.numero) ? BILLS[fields.numero] : null
  if (bill === null) return { ok: false, reason: 'Compteur inconnu.' }
  return {
    ok: true,
    amount: bill.lines.reduce((sum, [, amount]) => sum + amount, 0),
    currency: 'XOF',
    label: 'Facture de novembre',
    customer_name: bill.customer,
    biller_ref: bill.number,
    line_items: bill.lines.map(([label, amount]) => ({ label, amount })),
  }
}
