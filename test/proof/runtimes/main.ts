// `npm run runtimes`: installs the packed client and other runtimes from the registry into a temporary folder, and runs the same program
// of a merchant in each of them against a real server. Fails when one prints other lines than Node.js does in the tests.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keysOf } from '../../support/built-client.ts'
import { mistake } from '../../support/command-line.ts'
import { npm, projectWithClient } from '../../support/packed-client.ts'
import { TestServer } from '../../support/server-fixture.ts'
import { RUNTIMES, type RunParts } from './runtimes.ts'
import { WALKED } from './walked.ts'

const wanted = process.argv.slice(2)
const unknown = wanted.find((word) => !RUNTIMES.some(({ name }) => name.includes(word)))
if (unknown !== undefined) mistake(`no runtime has ${unknown} in its name: ${RUNTIMES.map(({ name }) => name).join(', ')}`)
const folder = mkdtempSync(join(tmpdir(), 'cauri-runtimes-'))
const server = await TestServer.open()
try {
  const project = await projectWithClient(folder)
  for (const name of ['walk.mjs', 'program.mjs', 'worker.mjs']) cpSync(join(import.meta.dirname, name), join(project, name))
  for (const runtime of RUNTIMES.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)))) {
    const installed = join(folder, 'installed', runtime.name.replaceAll(/\W/g, '-'))
    mkdirSync(installed, { recursive: true })
    console.log(`       ${runtime.name}: ${runtime.source}`)
    npm(installed, ['install', '--prefix', installed, '--ignore-scripts', '--no-audit', '--no-fund', runtime.source])
    const keys = await keysOf(server, await server.fundedMerchant(1_000_000))
    const parts: RunParts = { project, installed, baseUrl: server.process.baseUrl, ...keys }
    const startedMs = Date.now()
    const { output, isGood } = await runtime.run(parts)
    const hasPassed = isGood && output === WALKED
    console.log(`${hasPassed ? 'ok    ' : 'failed'} ${runtime.name} ${Date.now() - startedMs} ms${hasPassed ? '' : `\n${output}`}`)
    if (!hasPassed) process.exitCode = 1
  }
} finally {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}
