// `npm run paint`: when a phone on slow 3G first paints each page, and how much each page weighs. Wants an idle machine.
import { spreadOf } from '../../../bench/statistics.ts'
import { sharedBrowser } from '../../support/browser.ts'
import { commandLine, wholeNumber } from '../../support/command-line.ts'
import { openEveryPage } from '../../support/every-page.ts'
import { writeProofResult } from '../../support/proof-result.ts'
import { TestServer } from '../../support/server-fixture.ts'
import { firstPaints, type Painted, SLOW_3G } from './first-paints.ts'

const FIRST_PAINT_MUST_MS = 2500
const WEIGHT_MUST_BYTES = 100_000

const USAGE = `npm run paint -- [options]
  --latency 400         ms of each request, from its start to the first byte of its answer
  --kbits 400           kbit/s
  --cpu 4               times that the processor is slower than this one
Exit code 1: a page is first painted after ${FIRST_PAINT_MUST_MS} ms, or weighs more than ${WEIGHT_MUST_BYTES} bytes.`

const values = commandLine(USAGE, {
  latency: { type: 'string', default: String(SLOW_3G.latencyMs) },
  kbits: { type: 'string', default: String((SLOW_3G.bytesPerS * 8) / 1000) },
  cpu: { type: 'string', default: String(SLOW_3G.cpuSlowdown) },
})
const phone = {
  latencyMs: wholeNumber('latency', values.latency),
  bytesPerS: (wholeNumber('kbits', values.kbits, 1) * 1000) / 8,
  cpuSlowdown: wholeNumber('cpu', values.cpu, 1),
}
const isSlow3g = JSON.stringify(phone) === JSON.stringify(SLOW_3G)

const server = await TestServer.open()
const seen: Painted[] = []
try {
  const every = await openEveryPage(server)
  for await (const page of firstPaints(await sharedBrowser(), server.process.baseUrl, every, phone)) {
    seen.push(page)
    const { firstPaintMs, firstContentMs, weightBytes, address } = page
    console.log(`${firstPaintMs.toFixed(0)} ms, text ${firstContentMs.toFixed(0)} ms, ${(weightBytes / 1000).toFixed(1)} kB: ${address}`)
  }
} finally {
  await server.close()
}
const paints = spreadOf(seen.map(({ firstPaintMs }) => firstPaintMs))
const slow = seen.filter(({ firstPaintMs, weightBytes }) => firstPaintMs > FIRST_PAINT_MUST_MS || weightBytes > WEIGHT_MUST_BYTES)
const figures = {
  pages: seen.length,
  'median ms': Math.round(paints.median),
  'slowest ms': Math.round(paints.max),
  'heaviest kB': Math.round(Math.max(...seen.map(({ weightBytes }) => weightBytes)) / 1000),
  above: slow.length,
}
console.log(figures)
if (isSlow3g) console.log(writeProofResult('first paint', figures))
process.exitCode = slow.length === 0 ? 0 : 1
