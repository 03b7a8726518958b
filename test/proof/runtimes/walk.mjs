// A merchant's program in every runtime that has fetch: payouts, lists, batches, signatures and the stream. It uses nothing but the
// package, and returns a line for each step, so that all runtimes can be compared.

/** Lines of a batch in two files. */
const LINES = 620
const SECRET = 'whsec_du_parcours'

/** @param sdk the module `@cauri/node`; @param settings `baseUrl`, `publicKey` and `secretKey` of a test merchant */
export async function walk(sdk, settings) {
  const cauri = new sdk.Cauri({ ...settings, retry: { baseMs: 1 } })
  const tag = `parcours_${Math.random().toString(36).slice(2, 10)}`
  await cauri.test.createWallet(tag)
  await cauri.test.deposit({ amount: 10_000 })
  return [
    `payouts: ${await payTwice(cauri, tag)}`,
    `list: ${await iterate(cauri, tag)}`,
    `csv: ${await exported(cauri, tag)}`,
    `batches: ${await upload(cauri, tag)}`,
    `errors: ${await rejections(sdk, cauri)}`,
    `retries: ${await retried(sdk, settings, tag)}`,
    `webhooks: ${await signatures(sdk)}`,
    `stream: ${await resumed(cauri, tag)}`,
  ]
}

/** The second request has the key of the first one. */
async function payTwice(cauri, recipient) {
  const replays = []
  const options = { idempotencyKey: `parcours-${recipient}`, onAnswer: ({ isReplay }) => replays.push(isReplay) }
  const first = await cauri.payouts.create({ recipient, amount: 100, reference: 'UN' }, options)
  const again = await cauri.payouts.create({ recipient, amount: 100, reference: 'UN' }, options)
  return `${first.state}, the same ${first.id === again.id}, replays ${replays.join(' ')}`
}

async function iterate(cauri, recipient) {
  for (const reference of ['DEUX', 'TROIS']) await cauri.payouts.create({ recipient, amount: 1, reference })
  const seen = []
  for await (const { reference } of cauri.payouts.list({ recipient, limit: 1 })) seen.push(reference)
  return seen.join(' ')
}

async function exported(cauri, recipient) {
  let text = ''
  for await (const part of cauri.payouts.csv({ recipient })) text += part
  return `${text.trim().split('\n').length} lines`
}

async function upload(cauri, recipient) {
  async function* lines() {
    for (let index = 0; index < LINES; index++) yield { recipient, amount: 1, reference: `L${index}` }
  }
  const first = await cauri.batches.upload(lines(), { runId: recipient })
  const again = await cauri.batches.upload(lines(), { runId: recipient })
  return `${first.paidCount} paid in ${first.files} files, ${again.replayedFiles} replayed`
}

async function rejections(sdk, cauri) {
  const failed = await cauri.payouts.get('019aa0f0-2a00-7b11-8c2d-3e4f50617283').catch((error) => error)
  const aborted = new AbortController()
  aborted.abort(new Error('stopped by the caller'))
  const stopped = await cauri.balance({ signal: aborted.signal }).catch((error) => error)
  return `${failed instanceof sdk.NotFoundError} ${failed.code}, ${stopped.message}`
}

/** The first answer is lost: the second attempt has the same key, and is the replay of the first. */
async function retried(sdk, settings, recipient) {
  const keys = []
  const lossy = async (address, init) => {
    const response = await fetch(address, init)
    keys.push(init.headers.get('idempotency-key'))
    if (keys.length > 1) return response
    await response.text()
    throw new TypeError('the connection was lost')
  }
  const cauri = new sdk.Cauri({ ...settings, retry: { baseMs: 1 }, fetch: lossy })
  let isReplay = false
  const onAnswer = (head) => {
    isReplay = head.isReplay
  }
  const { state } = await cauri.payouts.create({ recipient, amount: 1, reference: 'PERDU' }, { onAnswer })
  return `${state}, attempts ${keys.length}, one key ${new Set(keys).size === 1}, replay ${isReplay}`
}

async function signatures(sdk) {
  const body = JSON.stringify({ type: 'ping', data: { endpoint_id: 'é' } })
  const header = await sdk.webhooks.sign(body, SECRET)
  const event = await sdk.webhooks.verify(new TextEncoder().encode(body), header, SECRET)
  const forged = await sdk.webhooks.verify(body, header, 'whsec_another').catch((error) => error)
  const question = JSON.stringify({ product: 'facture', fields: { numero: '1' }, request_id: 'r', ts: 1 })
  const { product } = await sdk.billers.verifyLookup(question, await sdk.webhooks.sign(question, SECRET), SECRET)
  return `${event.type}, ${forged instanceof sdk.WebhookSignatureError} ${forged.reason}, ${product}`
}

/** A stream that begins with the first event, one that goes on behind it, and one that gets an event as it happens. */
async function resumed(cauri, recipient) {
  const first = await firstOf(cauri.events.stream({ lastId: 0, types: ['payout.paid'] }))
  const second = await firstOf(cauri.events.stream({ lastId: first.stream_id, types: ['payout.paid'] }))
  let isPaid = false
  const onOpen = () => {
    if (!isPaid) void cauri.payouts.create({ recipient, amount: 1, reference: 'DIRECT' })
    isPaid = true
  }
  const live = await firstOf(cauri.events.stream({ types: ['payout.paid'], onOpen }))
  return [first, second, live].map(({ data }) => data.reference).join(' ')
}

async function firstOf(stream) {
  for await (const event of stream) return event
}
