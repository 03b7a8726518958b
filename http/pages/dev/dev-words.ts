// Words that several pages of the dev share, in both languages.
import { texts } from '../shared/texts.ts'

export const DEV_WORDS = texts({
  fr: {
    backPhone: 'Revenir au téléphone',
    pin: 'Code PIN',
    development: 'Développement',
    inbox: 'Courrier',
    bills: 'Factures',
    history: 'Historique',
    attemptsLeft: (attemptsLeft: number) => `Essais restants : ${attemptsLeft}.`,
    simulatedPhone: 'Téléphone simulé',
    noMovementsYet: 'Aucun mouvement pour le moment.',
  },
  en: {
    backPhone: 'Back to the phone',
    pin: 'PIN',
    development: 'Development',
    inbox: 'Inbox',
    bills: 'Bills',
    history: 'History',
    attemptsLeft: (attemptsLeft) => `Attempts left: ${attemptsLeft}.`,
    simulatedPhone: 'Simulated phone',
    noMovementsYet: 'No movements yet.',
  },
})
