// Links in e-mails of the dashboard: invitation, forgotten password, confirmation of an address. The token is random and used once;
// the log holds its hash and the sealed e-mail.
import type { NewLink, OutgoingEmail } from '../../../engine/api.ts'
import { newOpaqueToken, type TokenKind } from '../../crypto/opaque-token.ts'
import type { Seal } from '../../crypto/seal.ts'
import { sealEmail } from '../../workers/gateways/email.ts'

export interface AccountLinkParts {
  readonly seal: Pick<Seal, 'seal'>
  /** Base URL of the dashboard, without a trailing slash. */
  readonly baseUrl: () => string
}

interface LinkText {
  readonly token: TokenKind
  /** Path of the page. */
  readonly path: string
  readonly subject: string
  /** Paragraphs before and after the address. */
  readonly before: string
  readonly after: string
}

const ROLE_NAMES = { viewer: 'lecteur', cashier: 'caissier', manager: 'gérant', owner: 'propriétaire' } as const

export class AccountLinks {
  readonly #parts: AccountLinkParts

  constructor(parts: AccountLinkParts) {
    this.#parts = parts
  }

  invitation(email: string, merchantName: string, role: keyof typeof ROLE_NAMES): NewLink {
    return this.#link(email, {
      token: 'invitation',
      path: 'accept',
      subject: `Invitation à rejoindre « ${merchantName} »`,
      before: `Vous êtes invité à rejoindre le compte marchand « ${merchantName} » avec le rôle de ${ROLE_NAMES[role]}. Pour accepter, choisissez votre mot de passe à cette adresse :`,
      after: 'Ce lien est valable 7 jours. Si vous n’attendiez pas cette invitation, ignorez ce message.',
    })
  }

  reset(email: string): NewLink {
    return this.#link(email, {
      token: 'reset',
      path: 'password-reset',
      subject: 'Votre nouveau mot de passe',
      before: 'Vous avez demandé un nouveau mot de passe. Choisissez-le à cette adresse :',
      after:
        'Ce lien est valable 30 minutes et ne sert qu’une fois. Si vous n’avez rien demandé, ignorez ce message : votre mot de passe reste le même.',
    })
  }

  confirmation(email: string, merchantName: string): NewLink {
    return this.#link(email, {
      token: 'confirm',
      path: 'confirm-email',
      subject: 'Confirmez votre adresse e-mail',
      before: `Le compte marchand « ${merchantName} » utilise cette adresse. Pour la confirmer, ouvrez ce lien :`,
      after: 'Ce lien est valable 7 jours. Si ce compte n’est pas le vôtre, ignorez ce message.',
    })
  }

  /** Returns the notice that the second factor of a user was reset. It has no link. */
  totpReset(to: string, merchantName: string): OutgoingEmail {
    const subject = 'Validation en deux étapes réinitialisée'
    const before = `La validation en deux étapes de votre accès au compte marchand « ${merchantName} » vient d’être réinitialisée à la demande de votre commerce. Votre mot de passe suffit maintenant à la connexion : activez-la de nouveau sur votre téléphone.`
    const after = 'Si vous n’avez rien demandé, changez tout de suite votre mot de passe et prévenez un propriétaire du compte.'
    return sealEmail(this.#parts.seal, { to, subject, text: `Bonjour,\n\n${before}\n\n${after}\n` })
  }

  #link(to: string, { token: kind, path, subject, before, after }: LinkText): NewLink {
    const { token, hash } = newOpaqueToken(kind)
    const address = `${this.#parts.baseUrl()}/dashboard/${path}?token=${token}`
    const text = `Bonjour,\n\n${before}\n\n${address}\n\n${after}\n`
    return { tokenHash: hash, email: sealEmail(this.#parts.seal, { to, subject, text }) }
  }
}
