// Compiles TypeScript that generators make.
import { basename, join } from 'node:path'
import ts from 'typescript'

/** The errors of a program beside the generated files. */
export function errorsOfProgram(folder: string, text: string): string[] {
  const program = join(folder, 'program.ts')
  ts.sys.writeFile(program, text)
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipDefaultLibCheck: true,
    types: [],
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  }
  return ts.getPreEmitDiagnostics(ts.createProgram([program], options)).map(({ file, start = 0, messageText }) => {
    const line = file?.getLineAndCharacterOfPosition(start).line ?? 0
    return `${basename(file?.fileName ?? '')}:${line + 1} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
}
