// How programs are started: `node http/start.js`, in small houses of their own, cold and warm, whole and damaged.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'

const ROOT = join(import.meta.dirname, '..', '..')
const LONG_AGO_S = 1

interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

class SmallHouse {
  readonly root: string
  readonly temporary: string

  constructor(context: TestContext, sources: Readonly<Record<string, string>>) {
    this.root = mkdtempSync(join(tmpdir(), 'cauri-start-'))
    context.after(() => rmSync(this.root, { recursive: true, force: true }))
    this.temporary = join(this.root, 'temporary')
    mkdirSync(this.temporary)
    cpSync(join(ROOT, 'http', 'start.js'), join(this.root, 'http', 'start.js'))
    cpSync(join(ROOT, 'http', 'start'), join(this.root, 'http', 'start'), { recursive: true })
    mkdirSync(join(this.root, 'node_modules'))
    symlinkSync(join(ROOT, 'node_modules', 'esbuild'), join(this.root, 'node_modules', 'esbuild'))
    const scripts = { start: 'node http/start.js http/main.ts', verify: 'node http/start.js wal/tool.ts' }
    this.write('package.json', JSON.stringify({ type: 'module', scripts, dependencies: { esbuild: '' } }))
    for (const [path, text] of Object.entries({ 'wal/tool.ts': '// none', ...sources })) this.write(path, text)
  }

  get cache(): string {
    return join(this.root, 'node_modules', '.cache', 'cauri')
  }

  write(path: string, text: string): void {
    const file = join(this.root, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }

  start(...args: string[]): Ended {
    const { status, stdout, stderr } = spawnSync(process.execPath, this.#command(args), { encoding: 'utf8', env: this.#environment() })
    return { status, stdout, stderr }
  }

  /** Answers once it has said its first words. */
  async startLong(...args: string[]): Promise<{ readonly end: () => Promise<unknown> }> {
    const child = spawn(process.execPath, this.#command(args), { env: this.#environment(), stdio: ['ignore', 'pipe', 'inherit'] })
    const exited = once(child, 'exit')
    await once(child.stdout, 'data')
    return {
      end: () => {
        child.kill('SIGKILL')
        return exited
      },
    }
  }

  #command(args: readonly string[]): string[] {
    return [join(this.root, 'http', 'start.js'), ...(args.length === 0 ? ['http/main.ts'] : args)]
  }

  #environment(): NodeJS.ProcessEnv {
    return { PATH: process.env.PATH, TMPDIR: this.temporary }
  }

  versions(cache = this.cache): string[] {
    return readdirSync(cache).sort()
  }

  /** As if nobody had started any of them for long. */
  age(): void {
    for (const version of this.versions()) utimesSync(join(this.cache, version, 'users'), LONG_AGO_S, LONG_AGO_S)
  }
}

const said = (text: string): string => `// a program\nconsole.log(${JSON.stringify(text)})\n`

test('a program is compiled once, has its arguments and its own path, and says itself how it ends', (context) => {
  const house = new SmallHouse(context, {
    'http/main.ts': '// a program\nconst [, path, ...rest]: string[] = process.argv\nconsole.log(path, ...rest)\nprocess.exitCode = 7\n',
  })
  const cold = house.start('http/main.ts', '--port', '1')
  assert.deepEqual(cold, { status: 7, stdout: `${join(house.root, 'http', 'main.ts')} --port 1\n`, stderr: '' })
  const [version = ''] = house.versions()
  const made = statSync(join(house.cache, version, 'contents.json')).mtimeMs
  assert.equal(house.start().status, 7)
  assert.equal(house.start('wal/tool.ts').status, 0)
  assert.deepEqual(house.versions(), [version])
  assert.equal(statSync(join(house.cache, version, 'contents.json')).mtimeMs, made)
  assert.deepEqual(readdirSync(join(house.cache, version, 'users')), [])
  // Newer versions of Node would find out by themselves, at a price; Node 20.18 takes what is not said for CommonJS.
  assert.equal(JSON.parse(readFileSync(join(house.cache, version, 'package.json'), 'utf8')).type, 'module')
})

test('sources know where they are: assets beside them, threads, processes, packages, stacks', (context) => {
  const house = new SmallHouse(context, {
    'http/main.ts': `// a program
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { whereIsIt } from '../engine/kernel/below.ts'
console.log(readFileSync(new URL('asset.txt', import.meta.url), 'utf8'), import.meta.dirname, import.meta.resolve('esbuild') !== '')
const child = fileURLToPath(new URL('../wal/child.ts', import.meta.url))
console.log(spawnSync(process.execPath, [child], { encoding: 'utf8' }).stdout)
new Worker(new URL('./thread.ts', import.meta.url)).on('message', (text: string) => {
  console.log(text)
  whereIsIt()
})
`,
    'http/asset.txt': 'asset',
    'http/thread.ts': "// a thread\nimport { parentPort } from 'node:worker_threads'\nparentPort?.postMessage('thread' as string)\n",
    'wal/child.ts':
      '// a process\ninterface Text { readonly text: string }\nconst child: Text = { text: "child" }\nconsole.log(child.text)\n',
    'engine/kernel/below.ts':
      '// below\nexport interface Nothing {\n  readonly a: number\n}\n\nexport function whereIsIt(): never {\n  throw new TypeError("here")\n}\n',
  })
  const { status, stdout, stderr } = house.start()
  assert.equal(stdout, `asset ${join(house.root, 'http')} true\nchild\n\nthread\n`)
  assert.match(stderr, new RegExp(`TypeError: here\\n\\s+at whereIsIt \\(${house.root}/engine/kernel/below\\.ts:7:`))
  assert.equal(status, 1)
})

test('a source that changed is seen, though its size and its times did not', (context) => {
  const house = new SmallHouse(context, { 'http/main.ts': said('one') })
  assert.equal(house.start().stdout, 'one\n')
  const { atime, mtime } = statSync(join(house.root, 'http/main.ts'))
  house.write('http/main.ts', said('two'))
  utimesSync(join(house.root, 'http/main.ts'), atime, mtime)
  assert.equal(house.start().stdout, 'two\n')
  house.write('http/main.ts', said('one'))
  assert.equal(house.start().stdout, 'one\n')
  assert.equal(house.versions().length, 2)
})

test('versions that nobody runs are removed, and none that somebody runs', async (context) => {
  const house = new SmallHouse(context, { 'http/main.ts': `${said('old')}setInterval(() => {}, 1000)\n` })
  const old = await house.startLong()
  const [version = ''] = house.versions()
  house.write('http/main.ts', said('between'))
  house.start()
  assert.equal(house.versions().length, 2)
  house.age()
  house.write('http/main.ts', said('new'))
  house.start()
  assert.equal(house.versions().length, 2, 'the one between is gone')
  assert.ok(house.versions().includes(version))
  await old.end()
  house.age()
  house.write('http/main.ts', said('newest'))
  house.start()
  assert.deepEqual(house.versions().includes(version), false)
})

test('starts at once make one version, and leave nothing half done', async (context) => {
  const house = new SmallHouse(context, { 'http/main.ts': `${said('here')}setInterval(() => {}, 1000)\n` })
  const running = await Promise.all(Array.from({ length: 5 }, () => house.startLong()))
  assert.equal(house.versions().length, 1)
  await Promise.all(running.map(({ end }) => end()))
})

test('what is damaged is made anew', (context) => {
  const house = new SmallHouse(context, { 'http/main.ts': said('whole') })
  house.start()
  const compiled = join(house.cache, house.versions()[0] ?? '', 'http', 'main.js')
  for (const damage of [() => writeFileSync(compiled, ''), () => rmSync(compiled)]) {
    damage()
    assert.deepEqual(house.start(), { status: 0, stdout: 'whole\n', stderr: '' })
    assert.match(readFileSync(compiled, 'utf8'), /whole/)
  }
})

test('sources that do not compile are told with file and line, and exit code 1', (context) => {
  const house = new SmallHouse(context, {
    'http/main.ts': "// a program\nimport { a } from './a.ts'\nconsole.log(a)\n",
    'http/a.ts': '// a\nexport const a = = 1\n',
  })
  const { status, stdout, stderr } = house.start()
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /^The sources do not compile\.\n[\s\S]*http\/a\.ts:2:17/)
  assert.doesNotMatch(stderr, /node:internal|\n\s+at /)
  house.write('http/a.ts', '// a\nexport const b = 1\n')
  assert.match(house.start().stderr, /No matching export[\s\S]*http\/main\.ts:2:9/)
  const missing = house.start('http/nothing.ts')
  assert.deepEqual([missing.status, /nothing\.ts/.test(missing.stderr)], [1, true])
})

test('without packages, and without a program, it says what to do', (context) => {
  const house = new SmallHouse(context, { 'http/main.ts': said('never') })
  rmSync(join(house.root, 'node_modules', 'esbuild'))
  const { status, stderr } = house.start()
  assert.equal(status, 1)
  assert.match(stderr, /npm ci\n$/)
  assert.equal(house.start('server').status, 2)
})

test('a version of Node.js outside `engines` is refused in one line, before any package is loaded', (context) => {
  const house = new SmallHouse(context, { 'http/main.ts': said('never') })
  rmSync(join(house.root, 'node_modules', 'esbuild'))
  house.write('package.json', JSON.stringify({ type: 'module', engines: { node: '^98.7.0 || ^99.0.0' } }))
  const { node } = process.versions
  const stderr = `Node.js ${node} cannot run this server: use Node.js 98 (98.7 or newer) or 99.\n`
  assert.deepEqual(house.start(), { status: 1, stdout: '', stderr })
})

test('where nothing can be written beside the packages, a folder of its own among temporary files will do', (context) => {
  const house = new SmallHouse(context, { 'http/main.ts': said('somewhere') })
  // A file in the way stops everybody; permissions do not stop a privileged user.
  house.write('node_modules/.cache', '')
  const own = join(house.temporary, `cauri-${process.getuid?.()}`)
  const cold = house.start()
  assert.deepEqual([cold.status, cold.stdout], [0, 'somewhere\n'])
  assert.match(cold.stderr, /cannot be written \(\w+\): compiled into .*\nRun `node http\/start\.js --compile http\/main\.ts`/)
  assert.equal(statSync(own).mode & 0o777, 0o700)
  assert.deepEqual(house.start(), { status: 0, stdout: 'somewhere\n', stderr: '' })
  // Code that others could have put there is not run.
  chmodSync(own, 0o777)
  const shared = house.start()
  assert.deepEqual([shared.status, shared.stdout], [1, ''])
  assert.match(shared.stderr, /not ours alone/)
})

test('compiled once, it needs no place to write to', (context) => {
  const house = new SmallHouse(context, { 'http/main.ts': said('image'), 'wal/tool.ts': said('tool') })
  assert.deepEqual(house.start('--compile', 'http/main.ts'), { status: 0, stdout: '', stderr: '' })
  const version = join(house.cache, house.versions()[0] ?? '')
  // As on a read-only system: a process that runs it cannot leave word.
  rmSync(join(version, 'users'), { recursive: true })
  writeFileSync(join(version, 'users'), '')
  for (const [program, text] of [
    ['http/main.ts', 'image'],
    ['wal/tool.ts', 'tool'],
  ] as const) {
    assert.deepEqual(house.start(program), { status: 0, stdout: `${text}\n`, stderr: '' })
  }
})
