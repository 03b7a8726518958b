// Version of the package, from package.json.
import { readFileSync } from 'node:fs'

interface PackageFile {
  readonly version: string
}

export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as PackageFile
  return version
}
