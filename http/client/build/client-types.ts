// Types of the client: those of the OpenAPI document of this source, and the declarations of the client's own code over them.
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { CLIENT_ROOT, COMMONJS_FOLDER } from './client-bundle.ts'
import { documentOf } from './document.ts'

/** Routes that the client calls. */
const MERCHANT_PATHS = /^\/(?:v1\/biz\/|healthz$)/

/** A field with a default may be left out of a request. */
const OPTIONS = { defaultNonNullable: false } as const

/** Writes `api.d.ts` and the declarations. Rejects with the errors of the compiler. */
export async function writeClientTypes(folder: string): Promise<void> {
  await writeFile(join(folder, 'api.d.ts'), await apiTypes())
  const { config } = ts.readConfigFile(join(CLIENT_ROOT, 'tsconfig.json'), ts.sys.readFile) as { readonly config: object }
  const { options, fileNames, errors: mistakes } = ts.parseJsonConfigFileContent(config, ts.sys, CLIENT_ROOT)
  const program = ts.createProgram(fileNames, { ...options, outDir: folder, rootDirs: [join(CLIENT_ROOT, 'src'), folder] })
  const { diagnostics } = program.emit(undefined, (path, text) => {
    // Programs do not import the command.
    if (!path.includes('/cli/')) ts.sys.writeFile(path, text)
  })
  const errors = [...mistakes, ...ts.getPreEmitDiagnostics(program), ...diagnostics]
  if (errors.length === 0) return copyForCommonJs(folder)
  const host = { getCanonicalFileName: (name: string) => name, getCurrentDirectory: () => CLIENT_ROOT, getNewLine: () => '\n' }
  throw new Error(ts.formatDiagnostics(errors, host))
}

/** A declaration is of the kind of the `package.json` above it, so CommonJS has the same ones once more. */
async function copyForCommonJs(folder: string): Promise<void> {
  const commonJs = join(folder, COMMONJS_FOLDER)
  const names = await readdir(folder, { recursive: true })
  for (const name of names.filter((each) => each.endsWith('.d.ts') && !each.startsWith(COMMONJS_FOLDER))) {
    await mkdir(dirname(join(commonJs, name)), { recursive: true })
    await copyFile(join(folder, name), join(commonJs, name))
  }
}

async function apiTypes(): Promise<string> {
  const document = documentOf((path) => MERCHANT_PATHS.test(path))
  return `// Generated from the OpenAPI document.\n${astToString(await openapiTS(structuredClone(document) as unknown as OpenAPI3, OPTIONS))}`
}
