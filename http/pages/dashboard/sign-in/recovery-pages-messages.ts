// Texts of recovery-pages.ts, in both languages.
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    joinAccount: 'Rejoindre le compte',
    addressConfirmed: 'Adresse confirmée',
    thankEMailAddressConfirmed: 'Merci. Votre adresse e-mail est confirmée.',
    checkMailbox: 'Vérifiez votre boîte aux lettres',
    ifAddressHasAccountLink:
      'Si cette adresse a un compte, un lien vient d’y être envoyé. Il est valable 30 minutes. Rien reçu ? Regardez parmi les courriers indésirables.',
    newPasswordSavedAndAll: 'Votre nouveau mot de passe est enregistré, et toutes vos sessions sont fermées. Connectez-vous.',
    passwordChanged: 'Mot de passe changé',
    forgottenPassword: 'Mot de passe oublié',
    typeEMailAddressAccount: 'Saisissez l’adresse e-mail de votre compte : vous recevrez un lien pour choisir un nouveau mot de passe.',
    getLink: 'Recevoir le lien',
    backSignIn: 'Revenir à la connexion',
    alreadyMemberLogInIf: 'Déjà membre ? Connectez-vous. Sinon, demandez une nouvelle invitation à un propriétaire du compte.',
    join: 'Rejoindre',
    confirmEMailAddress: 'Confirmer l’adresse e-mail',
    confirmMyAddress: 'Confirmer mon adresse',
    addressMayBeConfirmedAlready: 'Votre adresse est peut-être déjà confirmée. Sinon, la page de votre compte renvoie le lien.',
    openMyAccount: 'Ouvrir mon compte',
  },
  en: {
    joinAccount: 'Join the account',
    addressConfirmed: 'Address confirmed',
    thankEMailAddressConfirmed: 'Thank you. Your e-mail address is confirmed.',
    checkMailbox: 'Check your mailbox',
    ifAddressHasAccountLink:
      'If this address has an account, a link was just sent to it. It is valid for 30 minutes. Nothing received? Look in your spam folder.',
    newPasswordSavedAndAll: 'Your new password is saved, and all your sessions are closed. Sign in.',
    passwordChanged: 'Password changed',
    forgottenPassword: 'Forgotten password',
    typeEMailAddressAccount: 'Type the e-mail address of your account: you will get a link to choose a new password.',
    getLink: 'Get the link',
    backSignIn: 'Back to sign-in',
    alreadyMemberLogInIf: 'Already a member? Log in. If not, ask an owner of the account for a new invitation.',
    join: 'Join',
    confirmEMailAddress: 'Confirm the e-mail address',
    confirmMyAddress: 'Confirm my address',
    addressMayBeConfirmedAlready: 'Your address may be confirmed already. If not, the page of your account sends the link again.',
    openMyAccount: 'Open my account',
  },
})
