// The place of a log on a command line: a data folder (or a backup), or a URL of PostgreSQL.
import { resolve } from 'node:path'
import { DataFolderError } from '../folder/folder-error.ts'
import { type PostgresHosts, parsePostgresUrl } from '../log/postgres-hosts.ts'

export type LogPlace =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly hosts: PostgresHosts }

/** Throws DataFolderError for a URL that cannot be read. */
export function readPlace(text: string): LogPlace {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { kind: 'folder', path: resolve(text) }
  try {
    return { kind: 'postgres', url: text, hosts: parsePostgresUrl(text) }
  } catch (error) {
    throw new DataFolderError('unusable', `${withoutCredentials(text)} cannot be used: ${(error as Error).message}.`)
  }
}

/** Returns the place for messages, without user and password. */
export function placeText(place: LogPlace): string {
  return place.kind === 'folder' ? `the data folder ${place.path}` : `PostgreSQL (${withoutCredentials(place.url)})`
}

function withoutCredentials(url: string): string {
  return url.replace(/^[^:]+:\/\/(?:[^/?#]*@)?/, '').replace(/[?#].*$/, '')
}
