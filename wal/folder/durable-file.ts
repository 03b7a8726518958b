// Small files of a data folder: created and replaced durably, name and content, with access for their owner only.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

const OWNER_ONLY = 0o600

/** Returns the text without surrounding spaces; null when there is no such file. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Creates the file. Never overwrites. */
export function createFile(path: string, text: string): void {
  write(path, 'wx', text)
  withFile(dirname(path), 'r', fsyncSync)
}

/** Replaces the file atomically: after a crash it has the old content or the new one. */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.draft`
  write(draft, 'w', text)
  moveFile(draft, path)
}

/** Renames a file of a folder, over another one if there is one. */
export function moveFile(from: string, to: string): void {
  renameSync(from, to)
  withFile(dirname(to), 'r', fsyncSync)
}

function write(path: string, flags: 'w' | 'wx', text: string): void {
  withFile(path, flags, (file) => {
    writeSync(file, text)
    fsyncSync(file)
  })
}

function withFile(path: string, flags: string, use: (file: number) => void): void {
  const file = openSync(path, flags, OWNER_ONLY)
  try {
    use(file)
  } finally {
    closeSync(file)
  }
}
