// Arguments that start a script of this project in a worker thread or a child process. A TypeScript source needs tsx, a file
// of the build does not. The caller starts the thread or the process.

/** Paths of built scripts by the addresses of their sources. */
const builtPaths = new Map<string, string>()

/** Starts the built script in the place of the source from now on: a start from source takes three times the processor time. */
export function startBuilt(source: URL, path: string): void {
  builtPaths.set(source.href, path)
}

/** Returns the path of the file that stands in for the one beside the sources; null when there is none. */
export function builtPathOf(source: URL): string | null {
  return builtPaths.get(source.href) ?? null
}

/** Returns the arguments of `node` that start the script in a process: `[...processEntry(script), ...arguments]`. */
export function processEntry(script: URL): string[] {
  const path = builtPaths.get(script.href) ?? decodeURIComponent(script.pathname)
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
  const built = builtPaths.get(script.href)
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
