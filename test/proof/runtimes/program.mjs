// Runs the walk of a merchant's program in Node.js, Bun or Deno: settings from the environment, lines on standard output.
import process from 'node:process'
import * as sdk from '@cauri/node'
import { walk } from './walk.mjs'

const { BASE_URL, PUBLIC_KEY, SECRET_KEY } = process.env
console.log((await walk(sdk, { baseUrl: BASE_URL, publicKey: PUBLIC_KEY, secretKey: SECRET_KEY })).join('\n'))
