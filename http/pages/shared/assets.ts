// Stylesheets, scripts and images of the pages. They are read once and served under content-addressed names, so that
// browsers may cache them without a time limit.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Type } from '../../../engine/contract/schema.ts'
import { answerPublic } from '../../server/content-coding.ts'
import { type Route, route } from '../../server/route.ts'

const PAGES = new URL('../', import.meta.url)

const TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const

/** Stylesheets of several parts, each served as one file. */
const PARTS: Readonly<Partial<Record<string, readonly string[]>>> = {
  'shared/look.css': ['shared/look.css', 'shared/data-table.css', 'shared/menu.css', 'shared/print.css'],
  'dashboard/shared/dashboard.css': ['dashboard/shared/dashboard.css', 'dashboard/overview/chart.css', 'dashboard/get-paid/counter.css'],
}

/** Files of the folder of all pages. */
const FILES = [
  'shared/look.css',
  'shared/icon.svg',
  'checkout/checkout.js',
  'dev/dev.css',
  'dev/dev.js',
  'operator/desk.css',
  'dashboard/shared/dashboard.css',
  'dashboard/shared/dashboard.js',
  'dashboard/get-paid/poster.css',
  'dashboard/shared/receipt.css',
  'docs/docs.css',
  'docs/docs.js',
] as const

export type AssetName = (typeof FILES)[number]

interface Asset {
  /** Content-addressed name, for example `look.3fa9c1d2e4b5.css`. */
  readonly servedAs: string
  readonly contentType: string
  readonly bytes: Buffer
}

const ASSETS = Object.fromEntries(FILES.map((name) => [name, readAsset(name)])) as Readonly<Record<AssetName, Asset>>
const BY_SERVED_NAME: ReadonlyMap<string, Asset> = new Map(Object.values(ASSETS).map((asset) => [asset.servedAs, asset]))

/** Returns the path of an asset, relative to the root. */
export function assetPath(name: AssetName): string {
  return `assets/${ASSETS[name].servedAs}`
}

export const ASSET_ROUTE: Route = route({
  method: 'GET',
  path: '/assets/{name}',
  operationId: 'getAsset',
  tag: 'Pages',
  summary: 'A stylesheet, script or picture of the pages',
  auth: 'public',
  idempotency: 'none',
  params: { name: Type.String() },
  responses: [{ status: 200, description: 'The file.', contentType: 'text/css' }],
  errors: [],
  handle: (call) => {
    const asset = BY_SERVED_NAME.get(String(call.params[0]))
    if (asset === undefined) return call.refuse('not_found')
    // The content-addressed name is also the ETag. It is weak, because it stands for both codings (RFC 9110, section 8.8.1).
    const headers = [
      ['Content-Type', asset.contentType],
      ['Cache-Control', 'public, max-age=31536000, immutable'],
      ['ETag', `W/"${asset.servedAs}"`],
    ] as const
    if (call.ifNoneMatch.includes(`"${asset.servedAs}"`)) return call.answerAs(304, '', headers)
    answerPublic(call, 200, asset.bytes, headers)
  },
})

function readAsset(name: AssetName): Asset {
  const parts = PARTS[name] ?? [name]
  const bytes = Buffer.concat(parts.map((part) => readFileSync(new URL(part, PAGES))))
  const [stem, extension] = basename(name).split('.') as [string, keyof typeof TYPES]
  const version = hash('sha256', bytes, 'hex').slice(0, 12)
  return { servedAs: `${stem}.${version}.${extension}`, contentType: TYPES[extension], bytes }
}
