// The floors inside http/. A request goes down from its route to the server and to the workers; nothing goes up.
import type { SourceTree } from './source-tree.ts'
import { isWithin, type Rule, type Violation } from './violation.ts'

/** From the top down. A file of a floor imports its own floor and the floors below. */
export const HTTP_FLOORS = [
  'http/client/',
  'http/main.ts',
  'http/app/',
  'http/pages/',
  'http/pages/operator/',
  'http/pages/dashboard/',
  'http/pages/dashboard/overview/',
  'http/pages/dashboard/balance/',
  'http/pages/dashboard/bills/',
  'http/pages/dashboard/schedules/',
  'http/pages/dashboard/pay-out/',
  'http/pages/dashboard/get-paid/',
  'http/pages/dashboard/developers/',
  'http/pages/dashboard/products/',
  'http/pages/dashboard/account/',
  'http/pages/dashboard/sign-in/',
  'http/pages/dashboard/lists/',
  'http/pages/dashboard/shared/',
  'http/pages/checkout/',
  'http/pages/dev/',
  'http/pages/docs/',
  'http/pages/shared/',
  'http/openapi/',
  'http/api/',
  'http/lists/',
  'http/auth/',
  'http/workers/',
  'http/server/',
  'http/crypto/',
  'http/outbound/',
  'http/text/',
  'http/client/src/payment-file/',
] as const

export const HTTP_IMPORTS_GO_DOWN: Rule = {
  name: 'http-imports-go-down',
  reason: 'Each floor of http/ can be read, tested and replaced with what is below it alone; http/main.ts and http/app/ put them together.',
  check: violations,
}

function violations(tree: SourceTree): Violation[] {
  const found: Violation[] = []
  for (const file of tree.files.values()) {
    if (!file.path.startsWith('http/')) continue
    const from = floorOf(file.path)
    if (from === -1) found.push({ file: file.path, line: 1, message: 'is on no floor of http/' })
    for (const { target, line, kind } of file.imports) {
      if (target === null || kind === 'path' || !target.startsWith('http/')) continue
      const to = floorOf(target)
      if (from !== -1 && to < from) found.push({ file: file.path, line, message: `imports ${target}, which is on a floor above` })
    }
  }
  return found
}

function floorOf(path: string): number {
  return HTTP_FLOORS.findLastIndex((floor) => isWithin(floor, path))
}
