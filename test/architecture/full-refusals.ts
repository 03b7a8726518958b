// Who may answer `rate_limited` or `unavailable`: what a caller can fill answers `quota_exceeded` with the name of its quota
// (http/server/account-quota.ts), so that a caller at its share never takes it for a fault of the service.
import { type Exception, isWithin, type Rule, withExceptions } from './violation.ts'

const REFUSAL = /(?:refuse\([^'\n]*|Fault\(|errorValue\()'(?:rate_limited|unavailable)'/

const STOPPED = 'the node stops, starts, or does not accept commands'

const EXCEPTIONS: readonly Exception[] = [
  { file: 'http/server/steps/rate-limit.ts', reason: 'the rate limit' },
  { file: 'http/server/steps/rights.ts', reason: 'a limit of calls of the route' },
  { file: 'http/server/steps/pause.ts', reason: 'the caller was refused before' },
  { file: 'http/server/steps/prove.ts', reason: 'a node without a proof that it owns the log' },
  { file: 'http/server/steps/forward.ts', reason: 'no owner of the log' },
  { file: 'http/server/steps/settle.ts', reason: STOPPED },
  { file: 'http/server/steps/late.ts', reason: STOPPED },
  { file: 'http/server/steps/node.ts', reason: STOPPED },
  { file: 'http/server/steps/caller.ts', reason: STOPPED },
  { file: 'http/server/refusal.ts', reason: 'the ring of an HTTP thread, which knows no accounts' },
  { file: 'http/auth/wallet/otp-challenges.ts', reason: 'codes of a phone or network in a time' },
  { file: 'http/auth/wallet/pin-check.ts', reason: 'guesses of one PIN; hashes: the busiest network of FairQueue' },
  { file: 'http/auth/dashboard/password-check.ts', reason: 'guesses of one password; hashes: the busiest network of FairQueue' },
  { file: 'http/auth/dashboard/sign-in-outcome.ts', reason: STOPPED },
  { file: 'http/api/wallets/me-routes.ts', reason: 'hashes: the busiest network of FairQueue' },
  { file: 'http/api/wallets/sign-up-routes.ts', reason: 'sign-ups of a network in a time; hashes: the busiest network of FairQueue' },
  { file: 'http/api/wallets/sign-in-routes.ts', reason: 'exchanges of a network in a time; Firebase does not answer' },
  { file: 'http/api/billers/product-routes.ts', reason: 'the merchant’s own runs of hosted code; the sandbox is gone' },
  { file: 'http/api/health/health-routes.ts', reason: 'the health of the node' },
  { file: 'http/api/dashboard/recovery-routes.ts', reason: 'resets of a network in a time' },
  { file: 'http/api/stream/stream-routes.ts', reason: STOPPED },
  { file: 'http/pages/dashboard/shared/news-stream.ts', reason: 'the rate limit' },
]

export const FULL_REFUSALS: Rule = {
  name: 'full-is-quota-exceeded',
  reason: 'At its share a caller gets 429 `quota_exceeded` with the name of the quota: declare a Quota and ask AccountQuota.',
  check: (tree) => {
    const found = [...tree.files.values()]
      .filter(({ path }) => isWithin('http/', path) && !isWithin('http/client/', path))
      .flatMap(({ path, text }) => {
        const line = text.split('\n').findIndex((one) => REFUSAL.test(one)) + 1
        return line === 0 ? [] : [{ file: path, line, message: 'refuses without the name of a quota' }]
      })
    return withExceptions(
      found,
      EXCEPTIONS.filter(({ file }) => tree.files.has(file)),
    )
  },
}
