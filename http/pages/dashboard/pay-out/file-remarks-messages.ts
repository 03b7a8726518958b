// Texts of file-remarks.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    columnsRead: 'Colonnes lues',
    withoutNamesRecipientAmountReference: 'sans noms : destinataire, montant, référence, note',
    linesRead: 'Lignes lues',
    largestAmount: 'Plus gros montant',
    line: (amount: Fragment, row: Fragment) => html`${amount} (ligne ${row})`,
    aboveNamesColumnsTheseLines: 'Au-dessus des noms de colonnes, ces lignes ne sont pas lues :',
    thesePhonesHadNoWe: 'Ces téléphones étaient sans + : nous l’avons ajouté, avec le pays s’il manquait. Vérifiez-les.',
    lineLikeLine: (rowOf: Fragment, theirs: Fragment, rowOf2: Fragment) => html`Ligne ${rowOf} : ${theirs}, comme la ligne ${rowOf2}`,
    asWellSameRecipientSame: (value: string) => `${value} aussi : même destinataire, même montant, même référence.`,
    linesDuplicatesAndWillBe: (length: number) => `${length} lignes sont en double et seront versées`,
    oneLineDuplicateAndWill: 'Une ligne est en double et sera versée',
  },
  en: {
    columnsRead: 'Columns read',
    withoutNamesRecipientAmountReference: 'without names: recipient, amount, reference, note',
    linesRead: 'Lines read',
    largestAmount: 'Largest amount',
    line: (amount, row) => html`${amount} (line ${row})`,
    aboveNamesColumnsTheseLines: 'Above the names of the columns, these lines are not read:',
    thesePhonesHadNoWe: 'These phones had no +: we added it, with the country where it was missing. Check them.',
    lineLikeLine: (rowOf, theirs, rowOf2) => html`Line ${rowOf}: ${theirs}, like line ${rowOf2}`,
    asWellSameRecipientSame: (value) => `${value} as well: same recipient, same amount, same reference.`,
    linesDuplicatesAndWillBe: (length) => `${length} lines are duplicates and will be paid`,
    oneLineDuplicateAndWill: 'One line is a duplicate and will be paid',
  },
})
