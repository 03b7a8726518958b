// Texts of form-moves.ts, in both languages.
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    formFull: 'Le formulaire est plein.',
    stepAdded: 'Étape ajoutée.',
    fieldAdded: 'Champ ajouté.',
    stepDeleted: 'Étape supprimée.',
    fieldDeleted: 'Champ supprimé.',
    stepAlreadyAtEnd: 'Cette étape est déjà au bout.',
    stepMoved: 'Étape déplacée.',
    fieldAlreadyAtEnd: 'Ce champ est déjà au bout.',
    fieldMoved: 'Champ déplacé.',
    fieldMovedStep: (toStep: number) => `Champ déplacé dans l’étape ${toStep}.`,
  },
  en: {
    formFull: 'The form is full.',
    stepAdded: 'Step added.',
    fieldAdded: 'Field added.',
    stepDeleted: 'Step deleted.',
    fieldDeleted: 'Field deleted.',
    stepAlreadyAtEnd: 'This step is already at the end.',
    stepMoved: 'Step moved.',
    fieldAlreadyAtEnd: 'This field is already at the end.',
    fieldMoved: 'Field moved.',
    fieldMovedStep: (toStep) => `Field moved to step ${toStep}.`,
  },
})
