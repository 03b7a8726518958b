// `npm run client`: replaces http/client/dist, what the package `@cauri/node` consists of.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleClient, CLIENT_ROOT } from './client-bundle.ts'
import { writeClientTypes } from './client-types.ts'

const folder = join(CLIENT_ROOT, 'dist')
await rm(folder, { recursive: true, force: true })
await bundleClient(folder)
await writeClientTypes(folder)
