import { readFile } from 'node:fs/promises'
import { cauri } from './cauri.mjs'

const { logo_url, pending } = await cauri.biller.uploadLogo(await readFile('logo.png'))
console.log(logo_url, pending)
