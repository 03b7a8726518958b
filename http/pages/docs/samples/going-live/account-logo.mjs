import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'

const key = randomUUID()
const form = new FormData()
form.set('file', new Blob([await readFile('logo.png')]), 'logo.png')
try {
  const response = await fetch(`${process.env.CAURI_URL}/v1/dashboard/account/logo`, {
    method: 'POST',
    headers: {
      Cookie: process.env.SESSION_COOKIE ?? '',
      'X-CSRF-Token': process.env.CSRF_TOKEN ?? '',
      'Idempotency-Key': key,
    },
    body: form,
  })
  console.log(response.status, await response.text())
  if (!response.ok) console.error('Idempotency-Key:', key)
} catch (error) {
  console.error('Idempotency-Key:', key)
  throw error
}
