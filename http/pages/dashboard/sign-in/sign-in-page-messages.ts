// Texts of sign-in-page.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    signIn: 'Connexion',
    forgottenPassword: 'Mot de passe oublié ?',
    noAccountYetCreateMerchant: html`Pas encore de compte ? <a href="signup">Créer un compte marchand</a>`,
    verificationCode: 'Code de validation',
    account: (email: Fragment) => html`Compte : <bdi>${email}</bdi>`,
    phoneAndRecoveryCodesLost:
      'Téléphone et codes de secours perdus ? Demandez à un propriétaire de votre compte, ou à notre équipe, de désactiver la validation.',
    useAnotherAccount: 'Utiliser un autre compte',
    of6DigitCodeAppOr: 'Le code à 6 chiffres de votre application, ou un code de secours.',
    createMerchantAccount: 'Créer un compte marchand',
    createMyAccount: 'Créer mon compte',
    alreadyHaveAccountSignIn: html`Déjà un compte ? <a href="login">Se connecter</a>`,
    whatIsNeeded:
      'Pour essayer, une adresse e-mail suffit. Pour l’argent réel, nous demandons ensuite le nom et l’adresse du commerce, son numéro au registre s’il en a un, une personne à joindre et, si possible, des justificatifs.',
    nameBusiness: 'Nom de votre commerce',
    customersSeeItWhenThey: 'Vos clients le voient au moment de payer.',
    currency: 'Devise du compte, qui ne change plus ensuite',
    signUpClosedOurTeam:
      'L’inscription est fermée : les comptes sont ouverts par notre équipe. Écrivez-lui, ou demandez une invitation à un membre de votre commerce.',
  },
  en: {
    signIn: 'Sign in',
    forgottenPassword: 'Forgotten password?',
    noAccountYetCreateMerchant: html`No account yet? <a href="signup">Create a merchant account</a>`,
    verificationCode: 'Verification code',
    account: (email) => html`Account: <bdi>${email}</bdi>`,
    phoneAndRecoveryCodesLost: 'Phone and recovery codes lost? Ask an owner of your account, or our team, to turn the verification off.',
    useAnotherAccount: 'Use another account',
    of6DigitCodeAppOr: 'The 6-digit code of your app, or a recovery code.',
    createMerchantAccount: 'Create a merchant account',
    createMyAccount: 'Create my account',
    alreadyHaveAccountSignIn: html`Already have an account? <a href="login">Sign in</a>`,
    whatIsNeeded:
      'To try it, an e-mail address is enough. For real money we then ask for name and address of the business, its registration number if it has one, a person to contact and, if possible, supporting documents.',
    nameBusiness: 'Name of your business',
    customersSeeItWhenThey: 'Your customers see it when they pay.',
    currency: 'Currency of the account, which does not change later',
    signUpClosedOurTeam: 'Sign-up is closed: our team opens the accounts. Write to it, or ask a member of your business for an invitation.',
  },
})
