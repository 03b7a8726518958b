// Threads and processes start from source and from plain JavaScript alike.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { processEntry, threadEntry } from '../../../engine/kernel/script-entry.ts'

const folder = mkdtempSync(join(tmpdir(), 'cauri script entry '))
const TEXT =
  'const answer%s = 42\nif (workerThreads.isMainThread) console.log(answer)\nelse workerThreads.parentPort%s.postMessage(answer)\n'

writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')

after(() => rmSync(folder, { recursive: true, force: true }))

/** A script of this kind in a folder whose name has spaces. */
function script(extension: 'ts' | 'mjs'): URL {
  const path = join(folder, `script.${extension}`)
  const [type, sure] = extension === 'ts' ? [': number', '?'] : ['', '']
  writeFileSync(path, `import * as workerThreads from 'node:worker_threads'\n${TEXT.replace('%s', type).replace('%s', sure)}`)
  return pathToFileURL(path)
}

for (const extension of ['ts', 'mjs'] as const) {
  test(`a .${extension} script runs as a process`, () => {
    assert.equal(execFileSync(process.execPath, processEntry(script(extension)), { encoding: 'utf8' }), '42\n')
  })

  test(`a .${extension} script runs as a worker thread`, async () => {
    const { source, options } = threadEntry(script(extension))
    const worker = new Worker(source, options)
    const answer = await new Promise((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
    })
    assert.equal(answer, 42)
    await worker.terminate()
  })
}
