// Texts of session-parts.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    currentPasswordIncorrect: 'Le mot de passe actuel n’est pas le bon.',
    changePassword: 'Changer de mot de passe',
    changePassword2: 'Changer le mot de passe',
    currentPassword: 'Mot de passe actuel',
    atLeast10CharactersOther: 'Au moins 10 caractères. Vos autres sessions seront fermées.',
    signedInClosesOn: (agoText: Fragment, expiresAt: Fragment) => html`Connexion ${agoText} ; se ferme le ${expiresAt}`,
    session: 'Cette session',
    closeSession: 'Fermer cette session',
    openSessions: 'Sessions ouvertes',
    closeAllOtherSessions: 'Fermer toutes les autres sessions',
    theyHaveSignInAgain: 'Elles devront se connecter de nouveau. Vous ne reconnaissez pas l’une d’elles ? Changez aussi le mot de passe.',
    closeOthers: 'Fermer les autres',
  },
  en: {
    currentPasswordIncorrect: 'The current password is incorrect.',
    changePassword: 'Change the password',
    changePassword2: 'Change the password',
    currentPassword: 'Current password',
    atLeast10CharactersOther: 'At least 10 characters. Your other sessions will be closed.',
    signedInClosesOn: (agoText, expiresAt) => html`Signed in ${agoText}; closes on ${expiresAt}`,
    session: 'This session',
    closeSession: 'Close this session',
    openSessions: 'Open sessions',
    closeAllOtherSessions: 'Close all other sessions',
    theyHaveSignInAgain: 'They have to sign in again. You do not recognise one of them? Change the password as well.',
    closeOthers: 'Close the others',
  },
})
