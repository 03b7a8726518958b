// What people type into forms, as the API takes it. What cannot be understood is handed on as it is: the API says what is
// wrong with it.

/** `12 500`, `12.500` or `12 500 F` as 12500; anything else stays text, which no amount is. */
export function amountOf(typed: string): number | string {
  const bare = typed.replaceAll(/[\s\u00a0\u202f]|F\s*CFA|F$/gi, '').replaceAll(/[.,](?=\d{3}(?:\D|$))/g, '')
  return /^\d{1,15}$/.test(bare) ? Number(bare) : typed
}

/** The body without the fields that were left empty. */
export function filled(body: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''))
}
