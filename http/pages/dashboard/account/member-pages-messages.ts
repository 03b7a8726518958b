// Texts of member-pages.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    viewer: 'Lecteur',
    cashier: 'Caissier',
    manager: 'Gérant',
    viewerReadsEverythingChangesNothing: 'Lecteur : consulte tout, ne change rien',
    cashierChargesAndCreatesPayment: 'Caissier : encaisse et crée des liens de paiement',
    managerAlsoPaysRefundsAnd: 'Gérant : verse, rembourse et programme aussi',
    ownerDoesEverythingManagesMembers: 'Propriétaire : fait tout, gère les membres et les clés',
    onePersonOneAccessEach: 'Une personne, un accès : chacun se connecte avec son adresse et ne fait que ce que permet son rôle.',
    withdrawInvitation: 'Retirer l’invitation',
    linkWasSentWillOpen: 'Le lien envoyé n’ouvrira plus rien.',
    sessionsMemberCloseAtOnce: 'Ses sessions se ferment tout de suite.',
    removeMember: 'Retirer ce membre',
    since: (rolenames: Fragment, createdAt: Fragment) => html`${rolenames}, depuis le ${createdAt}`,
    invited: 'Invité',
    twoStepVerificationMemberOff:
      'Sa validation en deux étapes est désactivée : son mot de passe suffit à la connexion. Un e-mail le lui annonce.',
    turnOffVerification: 'Désactiver sa validation',
    invitePerson: 'Inviter quelqu’un',
    sendInvitation: 'Envoyer l’invitation',
    invitationValidFor7Days: 'L’invitation est valable 7 jours.',
  },
  en: {
    viewer: 'Viewer',
    cashier: 'Cashier',
    manager: 'Manager',
    viewerReadsEverythingChangesNothing: 'Viewer: reads everything, changes nothing',
    cashierChargesAndCreatesPayment: 'Cashier: charges and creates payment links',
    managerAlsoPaysRefundsAnd: 'Manager: also pays, refunds and schedules',
    ownerDoesEverythingManagesMembers: 'Owner: does everything, manages members and keys',
    onePersonOneAccessEach: 'One person, one access: each signs in with their own address and does only what their role allows.',
    withdrawInvitation: 'Withdraw the invitation',
    linkWasSentWillOpen: 'The link that was sent will open nothing.',
    sessionsMemberCloseAtOnce: 'The sessions of the member close at once.',
    removeMember: 'Remove this member',
    since: (rolenames, createdAt) => html`${rolenames}, since ${createdAt}`,
    invited: 'Invited',
    twoStepVerificationMemberOff: 'Two-step verification of this member is off: the password is enough to sign in. An e-mail announces it.',
    turnOffVerification: 'Turn off the verification',
    invitePerson: 'Invite a person',
    sendInvitation: 'Send the invitation',
    invitationValidFor7Days: 'The invitation is valid for 7 days.',
  },
})
