// Runs the walk of a merchant's program in a worker: settings from its bindings, lines as the answer of each request.
import * as sdk from './index.js'
import { walk } from './walk.mjs'

const worker = {
  async fetch(_request, { BASE_URL, PUBLIC_KEY, SECRET_KEY }) {
    try {
      const lines = await walk(sdk, { baseUrl: BASE_URL, publicKey: PUBLIC_KEY, secretKey: SECRET_KEY })
      return new Response(`${lines.join('\n')}\n`)
    } catch (error) {
      return new Response(`${error.stack}\n`, { status: 500 })
    }
  },
}

// biome-ignore lint/style/noDefaultExport: a worker is the default export of its module
export default worker
