// Merchants with endless loops in their code: creates products over the API, and calls them so that all threads of a server's sandbox
// stay busy until the work is done.
import type { MerchantKeys } from '../load/population.ts'
import type { Subject } from '../measure.ts'

/** Concurrent calls of one merchant: the maximum of the sandbox. */
const CALLS_PER_MERCHANT = 2
const SLUG = 'spinner'

export interface SpinnerOptions {
  /** Enough merchants to fill all threads. */
  readonly merchants: readonly MerchantKeys[]
}

/** Answers to the calls of the spinners. */
export interface SpinnerFigures {
  readonly ended: number
  /** Answers other than a timeout. */
  readonly others: readonly string[]
}

export function merchantsThatFill(threads: number): number {
  return Math.ceil(threads / CALLS_PER_MERCHANT)
}

/** Makes each merchant a biller with a product whose fulfillment never ends. Call it once per server. */
export async function defineSpinners({ port }: Subject, merchants: readonly MerchantKeys[]): Promise<void> {
  const product = {
    slug: SLUG,
    title: 'Don',
    amount_mode: 'user',
    schema: { steps: [{ id: 'don', fields: [{ id: 'montant', label: 'Montant', type: 'amount' }] }] },
    fulfillment_mode: 'code',
    fulfillment_code: 'function onPaid() { for (;;); }',
  }
  for (const [index, keys] of merchants.entries()) {
    const profile = { display_name: `Marchand ${index}`, category: 'donations', short_desc: 'Bench' }
    await expectStatus(port, keys, 'PUT', '/v1/biz/biller', profile, [200, 201])
    await expectStatus(port, keys, 'POST', '/v1/biz/biller/products', product, [201])
  }
}

/** Calls the products repeatedly during `work`. Resolves with the answers when no call is left. */
export async function whileSpinning<Result>(
  { port }: Subject,
  merchants: readonly MerchantKeys[],
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly figures: SpinnerFigures }> {
  let isOver = false
  let ended = 0
  const others: string[] = []
  const spin = async (keys: MerchantKeys): Promise<void> => {
    while (!isOver) {
      const answer = await expectStatus(port, keys, 'POST', `/v1/biz/biller/products/${SLUG}/test-fulfillment`, {}, [200])
      if (/took longer than 10 s|was free for 10 s/.test(answer)) ended++
      else others.push(answer)
    }
  }
  const spinning = merchants.flatMap((keys) => Array.from({ length: CALLS_PER_MERCHANT }, () => spin(keys)))
  try {
    return { result: await work(), figures: { ended, others } }
  } finally {
    isOver = true
    await Promise.all(spinning)
  }
}

async function expectStatus(
  port: number,
  { publicKey, secretKey }: MerchantKeys,
  method: string,
  path: string,
  body: object,
  wanted: readonly number[],
): Promise<string> {
  const headers = { 'X-Api-Key': publicKey, 'X-Api-Secret': secretKey, 'Content-Type': 'application/json' }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: JSON.stringify(body) })
  const text = await response.text()
  if (!wanted.includes(response.status)) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text
}
