// Tells your system that a bill is paid. The same transaction_id may come again: deliver it once.
export async function onPaid(ctx) {
  const response = await fetch('https://energie.example/payments', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ id: ctx.transaction_id, bill: ctx.biller_ref, amount: ctx.amount }),
  })
  console.log('answered', response.status)
  if (!response.ok) throw new Error(`answered ${response.status}`)
}
