// Texts of dashboard-visit.ts, in both languages.
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    itDoesNotExistOr: 'Elle n’existe pas, ou pas dans cet environnement.',
    sessionCouldNotBeVerified: 'Votre session n’a pas pu être vérifiée. Rechargez la page et envoyez le formulaire de nouveau.',
    askOwnerAccountDoIt: 'Demandez à un propriétaire du compte de la faire, ou de vous donner le rôle qui la permet.',
    seeMembers: 'Voir les membres',
    addressLeadsNowhere: 'Cette adresse ne mène nulle part.',
    oneMoment: 'Un instant',
    tooManyPagesWereRequested: 'Trop de pages ont été demandées à la fois. Réessayez dans une seconde.',
  },
  en: {
    itDoesNotExistOr: 'It does not exist, or not in this environment.',
    sessionCouldNotBeVerified: 'Your session could not be verified. Reload the page and send the form again.',
    askOwnerAccountDoIt: 'Ask an owner of the account to do it, or to give you the role that allows it.',
    seeMembers: 'See the members',
    addressLeadsNowhere: 'This address leads nowhere.',
    oneMoment: 'One moment',
    tooManyPagesWereRequested: 'Too many pages were requested at once. Try again in a second.',
  },
})
