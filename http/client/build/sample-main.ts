// `npm run sample -- <name> …`: starts a sample with the client of this source, which it builds.
import { join } from 'node:path'
import { bundleClient, CLIENT_ROOT } from './client-bundle.ts'

const SAMPLES: Readonly<Record<string, () => Promise<unknown>>> = {
  shop: () => import('../samples/shop/main.js'),
  payroll: () => import('../samples/payroll/main.js'),
  biller: () => import('../samples/biller/main.js'),
}

const [name = ''] = process.argv.splice(2, 1)
const start = SAMPLES[name]
const dist = join(CLIENT_ROOT, 'dist')
if (start === undefined) {
  process.stderr.write(`usage: npm run sample -- ${Object.keys(SAMPLES).join(' | ')}\n`)
  process.exitCode = 2
} else {
  await bundleClient(dist)
  await start()
}
