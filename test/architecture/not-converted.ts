// Files of http/ that still import the inside of the engine. The list only gets shorter, and must be empty in the end.

export const NOT_CONVERTED: ReadonlySet<string> = new Set([
  'http/api/dashboard/dashboard-routes.ts',
  'http/api/wallets/device-routes.ts',
  'http/api/wallets/sign-in-routes.ts',
  'http/lists/lists.ts',
  'http/workers/gateways/webhook-notices.ts',
  'http/workers/webhooks/deliverer.ts',
  'http/workers/webhooks/result-recorder.ts',
  'http/workers/webhooks/secrets.ts',
])
