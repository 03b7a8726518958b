// Page of the dashboard that each event of a notice is about.

/** By the types of `CAUSE_WORDS`; behind the environment, with `{id}` where each event has its own page. */
export const CAUSE_PAGES: Readonly<Record<string, string>> = {
  'merchant.activated': 'activation',
  'merchant.activation_refused': 'activation',
  'merchant.name_approved': 'account',
  'merchant.name_refused': 'account',
  'merchant.logo_approved': 'account',
  'merchant.logo_refused': 'account',
  'top_up.confirmed': 'top-ups/{id}',
  'top_up.refused': 'top-ups/{id}',
  'withdrawal.paid': 'withdrawals/{id}',
  'withdrawal.refused': 'withdrawals/{id}',
  'schedule.ran': 'schedules/{id}',
  'disbursement.awaiting_approval': 'disbursements/{id}',
  'disbursement.paused': 'disbursements/{id}',
  'disbursement.completed': 'disbursements/{id}',
  'disbursement.rejected': 'disbursements/{id}',
  'bill.fulfilled': 'bills/{id}',
  'delivery.attempted': 'events/{id}',
  'biller.approved': 'biller',
  'biller.rejected': 'biller',
  'biller.suspended': 'biller',
  'biller.reinstated': 'biller',
  'biller.logo_approved': 'biller',
  'biller.logo_rejected': 'biller',
  'dashboard_session.opened': 'security',
}

/** Returns the page of the event; of several, the list that has them. */
export function causesPage(causes: readonly { readonly type: string; readonly id: string }[]): string {
  const [first] = causes
  const page = CAUSE_PAGES[first?.type ?? ''] ?? ''
  const isOne = first?.id !== '' && causes.every(({ id, type }) => id === first?.id && type === first.type)
  return isOne ? page.replace('{id}', first?.id ?? '') : page.replace('/{id}', '')
}
