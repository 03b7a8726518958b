import { Cauri } from '@cauri/node'

export const cauri = new Cauri({
  baseUrl: process.env.CAURI_URL ?? 'http://127.0.0.1:8080',
  publicKey: process.env.CAURI_API_KEY ?? '',
  secretKey: process.env.CAURI_API_SECRET ?? '',
})
