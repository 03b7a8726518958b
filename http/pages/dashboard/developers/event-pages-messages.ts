// Texts of event-pages.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    noSubscribedEndpoint: 'Aucune adresse abonnée',
    notReceivedYet: 'Pas encore reçus',
    event: 'évènement',
    events: 'évènements',
    noEventsYet: 'Aucun évènement pour le moment.',
    sentContent: 'Contenu envoyé',
    event2: (type: Fragment) => html`Évènement <code>${type}</code>`,
    sendAgain: 'Renvoyer',
    event3: 'Évènement',
  },
  en: {
    noSubscribedEndpoint: 'No subscribed endpoint',
    notReceivedYet: 'Not received yet',
    event: 'event',
    events: 'events',
    noEventsYet: 'No events yet.',
    sentContent: 'Sent content',
    event2: (type) => html`Event <code>${type}</code>`,
    sendAgain: 'Send again',
    event3: 'Event',
  },
})
