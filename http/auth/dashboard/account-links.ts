// Links in e-mails of the dashboard: invitation, forgotten password, confirmation of an address. The token is random and used once;
// the log holds its hash and the sealed e-mail.
import type { NewLink, OutgoingEmail } from '../../../engine/api.ts'
import { newOpaqueToken, type TokenKind } from '../../crypto/opaque-token.ts'
import type { Seal } from '../../crypto/seal.ts'
import { DEFAULT_LANGUAGE, type Language } from '../../text/language.ts'
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

const ROLE_NAMES = {
  fr: { viewer: 'lecteur', cashier: 'caissier', manager: 'gérant', owner: 'propriétaire' },
  en: { viewer: 'viewer', cashier: 'cashier', manager: 'manager', owner: 'owner' },
} as const

/** Names the account of a merchant. `name` is as messages show it (merchant-name.ts), null where they do not: they may go to anyone. */
function accountOf(name: string | null, language: Language): string {
  if (language === 'en') return name === null ? 'a merchant account' : `the merchant account “${name}”`
  return name === null ? 'un compte marchand' : `le compte marchand « ${name} »`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

type Role = keyof (typeof ROLE_NAMES)['fr']

/** Each e-mail is in the language of the request that asks for it. */
export class AccountLinks {
  readonly #parts: AccountLinkParts

  constructor(parts: AccountLinkParts) {
    this.#parts = parts
  }

  invitation(email: string, merchantName: string | null, role: Role, language: Language): NewLink {
    const name = ROLE_NAMES[language][role]
    const account = accountOf(merchantName, language)
    const link = { token: 'invitation', path: 'accept' } as const
    if (language === 'en') {
      return this.#link(email, language, {
        ...link,
        subject: `Invitation to join ${account}`,
        before: `You are invited to join ${account} with the role ${name}. To accept, choose your password at this address:`,
        after: 'This link is valid for 7 days. If you did not expect this invitation, ignore this message.',
      })
    }
    return this.#link(email, language, {
      ...link,
      subject: `Invitation à rejoindre ${account}`,
      before: `Vous êtes invité à rejoindre ${account} avec le rôle de ${name}. Pour accepter, choisissez votre mot de passe à cette adresse :`,
      after: 'Ce lien est valable 7 jours. Si vous n’attendiez pas cette invitation, ignorez ce message.',
    })
  }

  reset(email: string, language: Language): NewLink {
    const link = { token: 'reset', path: 'password-reset' } as const
    if (language === 'en') {
      return this.#link(email, language, {
        ...link,
        subject: 'Your new password',
        before: 'You asked for a new password. Choose it at this address:',
        after:
          'This link is valid for 30 minutes and works once. If you asked for nothing, ignore this message: your password stays the same.',
      })
    }
    return this.#link(email, language, {
      ...link,
      subject: 'Votre nouveau mot de passe',
      before: 'Vous avez demandé un nouveau mot de passe. Choisissez-le à cette adresse :',
      after:
        'Ce lien est valable 30 minutes et ne sert qu’une fois. Si vous n’avez rien demandé, ignorez ce message : votre mot de passe reste le même.',
    })
  }

  confirmation(email: string, merchantName: string | null, language: Language): NewLink {
    const link = { token: 'confirm', path: 'confirm-email' } as const
    if (language === 'en') {
      return this.#link(email, language, {
        ...link,
        subject: 'Confirm your e-mail address',
        before: `${capital(accountOf(merchantName, language))} uses this address. To confirm it, open this link:`,
        after: 'This link is valid for 7 days. If this account is not yours, ignore this message.',
      })
    }
    return this.#link(email, language, {
      ...link,
      subject: 'Confirmez votre adresse e-mail',
      before: `${capital(accountOf(merchantName, language))} utilise cette adresse. Pour la confirmer, ouvrez ce lien :`,
      after: 'Ce lien est valable 7 jours. Si ce compte n’est pas le vôtre, ignorez ce message.',
    })
  }

  /**
   * Returns the notice that the second factor of a user was reset. It has no link. An owner who resets it works with the user, so the
   * notice is in the language of the owner; an operator's says nothing about the user's language.
   */
  totpReset(to: string, merchantName: string | null, language: Language = DEFAULT_LANGUAGE): OutgoingEmail {
    if (language === 'en') {
      const done = `The two-step verification of your access to ${accountOf(merchantName, language)} was just reset at the request of your business. Your password is now enough to log in: turn it on again on your phone.`
      const advice = 'If you asked for nothing, change your password at once and notify an owner of the account.'
      return sealEmail(this.#parts.seal, { to, subject: 'Two-step verification reset', text: `Hello,\n\n${done}\n\n${advice}\n` })
    }
    const subject = 'Validation en deux étapes réinitialisée'
    const before = `La validation en deux étapes de votre accès ${`à ${accountOf(merchantName, language)}`.replace('à le ', 'au ')} vient d’être réinitialisée à la demande de votre commerce. Votre mot de passe suffit maintenant à la connexion : activez-la de nouveau sur votre téléphone.`
    const after = 'Si vous n’avez rien demandé, changez tout de suite votre mot de passe et prévenez un propriétaire du compte.'
    return sealEmail(this.#parts.seal, { to, subject, text: `Bonjour,\n\n${before}\n\n${after}\n` })
  }

  #link(to: string, language: Language, { token: kind, path, subject, before, after }: LinkText): NewLink {
    const { token, hash } = newOpaqueToken(kind)
    const address = `${this.#parts.baseUrl()}/dashboard/${path}?token=${token}`
    const text = `${language === 'en' ? 'Hello' : 'Bonjour'},\n\n${before}\n\n${address}\n\n${after}\n`
    return { tokenHash: hash, email: sealEmail(this.#parts.seal, { to, subject, text }) }
  }
}
