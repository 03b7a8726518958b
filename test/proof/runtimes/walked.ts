// What the walk of a merchant's program prints in every runtime.

export const WALKED = `payouts: paid, the same true, replays false true
list: TROIS DEUX UN
csv: 4 lines
batches: 620 paid in 2 files, 2 replayed
errors: true not_found, stopped by the caller
retries: paid, attempts 2, one key true, replay true
webhooks: ping, true forged, facture
stream: UN DEUX DIRECT
`
