// The e-mail that gives an approved operator its token. Only that operator reads it: who asked and who approved never see the token.
import type { CommandOf } from '../../../engine/api.ts'
import type { Seal } from '../../crypto/seal.ts'
import { sealEmail } from '../../workers/gateways/email.ts'
import { newOperatorToken } from './operator.ts'

type Credential = NonNullable<CommandOf<'ApproveOperator'>['credential']>

/** Returns a new token's hash and its e-mail. `deskUrl`: the desk's login page. */
export function operatorCredential(seal: Pick<Seal, 'seal'>, to: string, deskUrl: string): Credential {
  const { token, hash } = newOperatorToken()
  const paragraphs = [
    'Bonjour,',
    'Un accès d’opérateur vient d’être ouvert pour vous, avec l’accord d’une seconde personne. Votre jeton :',
    token,
    `Il ouvre le bureau à cette adresse : ${deskUrl}`,
    'Gardez-le pour vous : personne d’autre ne l’a vu. Si vous n’attendiez pas cet accès, prévenez le service.',
    '—',
    'Hello,',
    'An operator access was opened for you, with the approval of a second person. Your token is above.',
    `It opens the desk at this address: ${deskUrl}`,
    'Keep it to yourself: no one else has seen it. If you did not expect this access, contact the service.',
  ]
  return { tokenHash: hash, email: sealEmail(seal, { to, subject: 'Votre accès d’opérateur', text: paragraphs.join('\n\n') }) }
}
