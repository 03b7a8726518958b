// Paths in comments: a comment that names a file or folder of the source names one that exists.
import { posix } from 'node:path'
import { FOLDERS, GENERATED } from './source-tree.ts'
import type { Rule, Violation } from './violation.ts'

/** The comment of a line: all of it, or what stands behind the code. */
const COMMENT = /^\s*(?:\/\/|\/\*\*?|\*)(?=\s)(.*)|\s\/\/\s(.*)/

/** A file by its name or the end of its path; a generated declaration is none. */
const FILE = /(?<![\w@./*<>…-])(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*(?<!\.d)\.ts\b/g

/** A path from the root. */
const FROM_ROOT = new RegExp(`(?<![\\w@./-])(?:${FOLDERS.join('|')})/[\\w./-]*\\w`, 'g')

function pathsIn(line: string): string[] {
  const [, whole, behind] = COMMENT.exec(line) ?? []
  const comment = whole ?? behind ?? ''
  return [...comment.matchAll(FILE), ...comment.matchAll(FROM_ROOT)].map(([path]) => path)
}

/** Every end of every path: `engine/kernel/a.ts`, `kernel/a.ts`, `a.ts`; and every folder from the root. */
function namesOf(paths: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const path of paths) {
    for (let at = 0; at >= 0; at = path.indexOf('/', at) + 1 || -1) names.add(path.slice(at))
    for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) names.add(folder)
  }
  return names
}

export const COMMENT_PATHS: Rule = {
  name: 'comment-paths',
  reason: 'A comment that leads to a file that was moved or renamed costs its reader a search.',
  check: (tree) => {
    const names = namesOf(tree.paths)
    // The comments of this test name examples.
    return [...tree.files.values()]
      .filter(({ path }) => !path.startsWith('test/architecture/'))
      .flatMap(({ path, text }) =>
        text.split('\n').flatMap((line, index): Violation[] => {
          const missing = pathsIn(line).find((name) => !names.has(name) && !GENERATED.has(name))
          return missing === undefined ? [] : [{ file: path, line: index + 1, message: `names ${missing}, which does not exist` }]
        }),
      )
  },
}
