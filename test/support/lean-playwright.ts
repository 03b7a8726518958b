// Playwright sends a script of its own to each page whose elements are asked for: 330 KB, a tenth of what most pages cost. Here it loads
// with that script minified.
import Module, { createRequire } from 'node:module'
import { transformSync } from 'esbuild'

type Playwright = typeof import('playwright-core')
interface Compiling {
  _compile(this: unknown, content: string, path: string): unknown
}

const BUNDLE = '/playwright-core/lib/coreBundle.js'
/** Texts of scripts, each in a line of its own. */
const SCRIPT = /^( +source\d* = )('(?:[^'\\\n]|\\.)*');$/gm
const SCRIPT_LENGTH_MIN = 100_000

/** Other packages load as they are. */
export function leanPlaywright(): Playwright {
  const modules = (Module as unknown as { readonly prototype: Compiling }).prototype
  const compile = modules._compile
  modules._compile = function (content, path) {
    return compile.call(this, path.endsWith(BUNDLE) ? content.replace(SCRIPT, minified) : content, path)
  }
  try {
    return createRequire(import.meta.url)('playwright-core') as Playwright
  } finally {
    modules._compile = compile
  }
}

function minified(line: string, start: string, literal: string): string {
  if (literal.length < SCRIPT_LENGTH_MIN) return line
  // A literal of JavaScript, which JSON cannot read.
  const text = new Function(`return ${literal}`)() as string
  return `${start}${JSON.stringify(transformSync(text, { minify: true }).code)};`
}
