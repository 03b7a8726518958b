// A Firebase project on the loopback: its key server, and ID tokens that it signed.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export interface FirebaseProject {
  /** Settings of a server that trusts it. */
  readonly settings: Readonly<Record<string, string>>
  idToken(phone: string): Promise<string>
  close(): void
}

export async function openFirebaseProject(id: string): Promise<FirebaseProject> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256' }
  const server = createServer((_request, response) => void response.end(JSON.stringify({ keys: [jwk] })))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    settings: {
      FIREBASE_PROJECT_ID: id,
      FIREBASE_JWKS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`,
      OUTBOUND_ALLOW_PRIVATE: 'true',
    },
    idToken: (phone_number) =>
      new SignJWT({ phone_number })
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .setIssuer(`https://securetoken.google.com/${id}`)
        .setAudience(id)
        .setSubject('firebase-user')
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
