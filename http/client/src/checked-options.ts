// Checks of the address and the keys that a client is made with, before a request could send them anywhere.

interface Access {
  readonly baseUrl: string
  readonly publicKey: string
  readonly secretKey: string
}

/** A byte beyond would make `fetch` fail, with the secret in its message. */
const PRINTABLE = /^[!-~]+$/
const ENVIRONMENT = /^[ps]k_(test|live)_/

/** Returns the address without slashes at its end. Throws a TypeError, whose message never holds a key. */
export function checkedBase({ baseUrl, publicKey, secretKey }: Access): string {
  const { protocol, hostname, href, username } = addressOf(baseUrl)
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError(`baseUrl begins with https://, not with ${protocol}`)
  if (username !== '') throw new TypeError('baseUrl has no user name: keys are publicKey and secretKey')
  checkKeys(publicKey, secretKey)
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
  if (protocol === 'http:' && !isLoopback && publicKey.startsWith('pk_live_')) {
    throw new TypeError('live keys are sent over https:// only')
  }
  return href.replace(/\/+$/, '')
}

function checkKeys(publicKey: string, secretKey: string): void {
  if (publicKey === '' || secretKey === '') throw new TypeError('publicKey and secretKey are required')
  if (secretKey.startsWith('pk_')) throw new TypeError('secretKey is a public key (pk_…): give the secret key of the pair (sk_…)')
  if (publicKey.startsWith('sk_')) throw new TypeError('publicKey is a secret key (sk_…): give the public key of the pair (pk_…)')
  for (const [name, key] of Object.entries({ publicKey, secretKey })) {
    if (!PRINTABLE.test(key)) throw new TypeError(`${name} has a space, a line break or another character that keys do not have`)
  }
  const [one, other] = [ENVIRONMENT.exec(publicKey)?.[1], ENVIRONMENT.exec(secretKey)?.[1]]
  if (one !== undefined && other !== undefined && one !== other)
    throw new TypeError(`publicKey is a ${one} key, and secretKey a ${other} key`)
}

function addressOf(baseUrl: string): URL {
  try {
    return new URL(baseUrl)
  } catch (cause) {
    throw new TypeError(`${JSON.stringify(baseUrl)} is no address: it begins with https://`, { cause })
  }
}
