// Texts of security-pages.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    atSignInCodeFrom: (value: Fragment) =>
      html`${value} À la connexion, un code de votre téléphone s’ajoute au mot de passe. Un mot de passe volé ne suffit plus.`,
    recoveryCodesLeft: (id: Fragment) => html`Codes de secours qui restent : <b>${id}</b>`,
    phoneAndRecoveryCodesLost:
      'Téléphone et codes de secours perdus ? Un autre propriétaire du compte, ou notre équipe, la désactive pour vous.',
    makeNewRecoveryCodes: 'Faire de nouveaux codes de secours',
    earlierCodesWillNoLonger: 'Les anciens codes ne serviront plus.',
    makeNewCodes: 'Faire de nouveaux codes',
    of6DigitCodeOrRecovery: 'Code à 6 chiffres, ou code de secours',
    installAuthenticatorAppOnPhone:
      'Installez une application d’authentification sur votre téléphone : Google Authenticator, Aegis, 2FAS ou une autre.',
    scanCodeWithItOr: 'Scannez ce code avec elle, ou saisissez la clé.',
    typeBelow6DigitCode: 'Tapez ci-dessous le code à 6 chiffres qu’elle affiche.',
    qrCodeVerificationKey: 'Code QR de la clé de validation',
    key: (value: Fragment) => html`Clé : <code>${value}</code>`,
    turnOnTwoStepVerification: 'Activer la validation en deux étapes',
    of6DigitCode: 'Code à 6 chiffres',
    turnOnVerification: 'Activer la validation',
    noteThemNowTheyShown: html`<b>Notez-les ou imprimez-les maintenant : ils ne sont montrés qu’une fois.</b> Si vous perdez votre téléphone, chacun remplace un code de validation, une seule fois.`,
    iHaveNotedCodes: 'J’ai noté les codes',
    recoveryCodes: 'Vos codes de secours',
    recoveryCodes2: 'Codes de secours',
  },
  en: {
    atSignInCodeFrom: (value) =>
      html`${value} At sign-in, a code from your phone is asked besides the password. A stolen password is no longer enough.`,
    recoveryCodesLeft: (id) => html`Recovery codes left: <b>${id}</b>`,
    phoneAndRecoveryCodesLost: 'Phone and recovery codes lost? Another owner of the account, or our team, turns it off for you.',
    makeNewRecoveryCodes: 'Make new recovery codes',
    earlierCodesWillNoLonger: 'The earlier codes will no longer work.',
    makeNewCodes: 'Make new codes',
    of6DigitCodeOrRecovery: '6-digit code, or recovery code',
    installAuthenticatorAppOnPhone: 'Install an authenticator app on your phone: Google Authenticator, Aegis, 2FAS or another one.',
    scanCodeWithItOr: 'Scan this code with it, or type the key.',
    typeBelow6DigitCode: 'Type below the 6-digit code that it shows.',
    qrCodeVerificationKey: 'QR code of the verification key',
    key: (value) => html`Key: <code>${value}</code>`,
    turnOnTwoStepVerification: 'Turn on two-step verification',
    of6DigitCode: '6-digit code',
    turnOnVerification: 'Turn on verification',
    noteThemNowTheyShown: html`<b>Note them now: they are shown once.</b> If you lose your phone, each replaces a verification code, once.`,
    iHaveNotedCodes: 'I have noted the codes',
    recoveryCodes: 'Your recovery codes',
    recoveryCodes2: 'Recovery codes',
  },
})
