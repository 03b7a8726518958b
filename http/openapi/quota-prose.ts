// Quotas in the OpenAPI document: a table made from their declarations.

import { FILLED_BY, fewOf, type Quota } from '../../engine/kernel/quota.ts'
import { SERVED_QUOTAS } from '../api/operator/served-quotas.ts'

const AT_SHARE = {
  refused: '429 `quota_exceeded`',
  oldest_gives_way: 'the oldest one ends',
  not_made: 'the link is not sent',
} as const satisfies Record<Quota['atShare'], string>

export const QUOTAS_ABOUT = `**Quotas.** Each table that callers fill has a quota: a maximum of all, a part for each environment, and a share of one account. At its share an
account gets 429 \`quota_exceeded\` with \`Retry-After\`; \`param\` is the name of the quota. The answer is not stored under a key. Accounts with few
rows have a reserve: accounts with more fill at most ${percent(FILLED_BY.many)} of a part, unless their merchant is activated in live or holds
live money; ${percent(1 - FILLED_BY.few)} of each part is for those alone. So strangers never take the rows of an activated merchant. One
merchant's products, API keys, members and webhook endpoints have a 409 of their own at the share (\`too_many_…\`).

| Quota | Counts | Share of one | Live | Test | Few are below | At the share |
|---|---|---|---|---|---|---|
${SERVED_QUOTAS.map(row).join('\n')}`

function row({ name, counts, holder, share, ofFree, max, atShare }: Quota): string {
  const parts = max.both === undefined ? [max.live, max.test] : [`${number(max.both)} together`, '']
  const few = Object.values(max).map((most) => number(fewOf(most)))
  const cells = [
    `\`${name}\``,
    counts,
    `${number(share)} ${holder === 'account' ? 'an' : 'a'} ${holder}${ofFree === undefined ? '' : `, and ${percent(ofFree)} of what is free`}`,
    ...parts.map(number),
    few.join(' / '),
    AT_SHARE[atShare],
  ]
  return `| ${cells.join(' | ')} |`
}

/** As the rest of the document writes numbers. */
function number(value: number | string | undefined): string {
  return typeof value === 'number' ? String(value).replace(/\B(?=(\d{3})+$)/g, ' ') : (value ?? '')
}

function percent(fraction: number): string {
  return `${fraction * 100} %`
}
