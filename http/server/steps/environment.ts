// Step: the header X-Environment, which chooses the environment of a dashboard session.
import { because } from '../../../engine/contract/reasons.ts'
import { ENVIRONMENTS } from '../../../engine/kernel/environment.ts'
import { Fault } from '../body/validation.ts'
import { type HttpRequest, NEXT, type StepResult } from '../request.ts'
import type { AuthRule } from '../route.ts'

/** Auth rules that accept a dashboard session instead of a key. */
const SESSION_RULES: ReadonlySet<AuthRule> = new Set(['session', 'key-or-session'])
const ALLOWED: ReadonlySet<string> = new Set(['', ...ENVIRONMENTS])

export function environment({ endpoint, headers }: HttpRequest): StepResult {
  const isWrong = SESSION_RULES.has(endpoint.route.auth) && !ALLOWED.has(headers.environment)
  return isWrong ? new Fault('invalid_request', 'X-Environment', because('environment_header')) : NEXT
}
