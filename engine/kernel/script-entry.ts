// Arguments that start a script of this project in a worker thread or a child process. A TypeScript source needs tsx, a file
// of the build does not. The caller starts the thread or the process.

/**
 * Environment variable with JSON: paths of built scripts by the addresses of their sources. They start in the place of the sources.
 * `npm test` sets it, because a start from source takes three times the processor time.
 */
export const BUILT_SCRIPTS = 'CAURI_BUILT_SCRIPTS'

const builtPaths = JSON.parse(process.env[BUILT_SCRIPTS] ?? '{}') as Readonly<Record<string, string>>

/** Returns the arguments of `node` that start the script in a process: `[...processEntry(script), ...arguments]`. */
export function processEntry(script: URL): string[] {
  const path = builtPaths[script.href] ?? decodeURIComponent(script.pathname)
  return isSource(path) ? ['--import', import.meta.resolve('tsx'), path] : [path]
}

export interface ThreadEntry {
  readonly source: URL | string
  readonly options: { readonly eval: boolean; readonly execArgv: string[] }
}

/**
 * Returns the first argument of `new Worker` and its options. Node.js 20 ignores `--import tsx` in threads, so a short
 * script registers tsx and then imports the source.
 */
export function threadEntry(script: URL): ThreadEntry {
  const built = builtPaths[script.href]
  if (built !== undefined || !isSource(script.pathname)) return { source: built ?? script, options: { eval: false, execArgv: [] } }
  const [loader, source] = [import.meta.resolve('tsx/esm/api'), script.href].map((address) => JSON.stringify(address))
  return {
    source: `import(${loader}).then(({ register }) => { register(); return import(${source}) })`,
    options: { eval: true, execArgv: [] },
  }
}

function isSource(path: string): boolean {
  return path.endsWith('.ts')
}
