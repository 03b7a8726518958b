// Outcomes of an outgoing call. Everything that the other side does is a value, never an exception.

/** Stable names; merchants see them in their delivery log. */
export const OUTBOUND_FAILURES = {
  invalid_url: 'L’adresse n’est pas valide.',
  invalid_request: 'La requête ne peut pas être envoyée telle quelle.',
  forbidden_address: 'Cette adresse n’est pas autorisée : elle n’est pas publique.',
  https_required: 'L’adresse doit commencer par https://.',
  name_not_found: 'Le nom de l’hôte est introuvable.',
  name_unresolved: 'Le nom de l’hôte n’a pas pu être résolu.',
  connection_failed: 'La connexion a échoué.',
  tls_failed: 'La connexion sécurisée a échoué : le certificat n’est pas valable pour ce nom.',
  timeout: 'Le serveur n’a pas répondu à temps.',
  answer_too_large: 'La réponse est trop volumineuse.',
  invalid_answer: 'La réponse n’est pas du HTTP lisible.',
  stopped: 'L’appel a été interrompu par l’arrêt du service.',
} as const satisfies Record<string, string>

export type OutboundFailure = keyof typeof OUTBOUND_FAILURES

export interface Answered {
  readonly kind: 'answered'
  readonly status: number
  /** Names in lower case; repeated values joined by commas, without `set-cookie`. */
  readonly headers: ReadonlyMap<string, string>
  /** Body as UTF-8; empty when the rule does not read it. */
  readonly body: string
  /** Body as received. */
  readonly bytes: Uint8Array
  readonly durationMs: number
}

export interface Failed {
  readonly kind: 'failed'
  readonly failure: OutboundFailure
  /** French, ready to display. */
  readonly message: string
  readonly durationMs: number
}

export type OutboundOutcome = Answered | Failed

/** Carries a failure from a look-up or a reader to the code that returns outcomes. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly failure: OutboundFailure

  constructor(failure: OutboundFailure) {
    super(failure)
    this.failure = failure
  }
}

const UNTRUSTED_CERTIFICATE = /^(?:ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/

/** Returns the failure of a network error; null for any other error, which is a bug. */
export function failureOf(error: unknown): OutboundFailure | null {
  if (error instanceof OutboundError) return error.failure
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown }
  // The client asserts that a status is at least 100.
  if (name === 'HTTPParserError' || code === 'ERR_ASSERTION') return 'invalid_answer'
  if (typeof code !== 'string') return null
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH') return 'invalid_request'
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'answer_too_large'
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return 'stopped'
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'timeout'
  if (UNTRUSTED_CERTIFICATE.test(code)) return 'tls_failed'
  return /^E[A-Z]+$/.test(code) || code.startsWith('UND_ERR_') ? 'connection_failed' : null
}
