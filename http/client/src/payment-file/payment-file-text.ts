// Writes lines of payments as a file that the reader reads back the same, and the words for each problem in both languages.
import { COLUMN_NAMES, COLUMNS, type Column } from './file-columns.ts'
import { type FileCurrency, namesOf } from './file-currency.ts'
import type { FileProblem, LineProblem } from './payment-file.ts'

export type FileLanguage = 'fr' | 'en'

/** The cells of a line as typed. */
export type WrittenLine = Readonly<Record<Column, string>>

/** Returns the lines below the names of the columns, with semicolons. */
export function paymentFileText(lines: readonly WrittenLine[], language: FileLanguage): string {
  const names = COLUMNS.map((column) => COLUMN_NAMES[language][column]).join(';')
  return [names, ...lines.map(rowText)].join('\n')
}

export function rowText(line: WrittenLine): string {
  return COLUMNS.map((column) => cellText(line[column])).join(';')
}

function cellText(text: string): string {
  return /[;,\t"\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}

type Texts = Readonly<Record<FileLanguage, string>>

/** Returns what is wrong with the line and what to write instead: the end of a sentence that begins with the line. */
export function lineProblemText(problem: LineProblem, language: FileLanguage): string {
  return lineTexts(problem)[language]
}

/** Returns why the file was refused, with what was read of it. */
export function fileProblemText(problem: FileProblem, language: FileLanguage): string {
  return fileTexts(problem, language)[language]
}

function lineTexts(problem: LineProblem): Texts {
  switch (problem.code) {
    case 'amount_missing':
      return { fr: 'le montant manque', en: 'the amount is missing' }
    case 'amount_zero':
      return { fr: 'le montant est zéro', en: 'the amount is zero' }
    case 'amount_not_whole':
      return {
        fr: `le montant « ${problem.typed} » n’est pas un nombre entier de francs`,
        en: `the amount "${problem.typed}" is no whole number of francs`,
      }
    case 'amount_negative':
      return { fr: `le montant « ${problem.typed} » est négatif`, en: `the amount "${problem.typed}" is negative` }
    case 'amount_too_large':
      return { fr: `le montant « ${problem.typed} » est trop grand`, en: `the amount "${problem.typed}" is too large` }
    case 'amount_invalid':
    case 'amount_not_smallest':
    case 'amount_without_unit':
      return unitTexts(problem)
    case 'amount_two_readings': {
      const [one, other] = problem.readings
      return {
        fr: `le montant « ${problem.typed} » se lit ${one} ou ${other} : écrivez-le en chiffres seuls, entre guillemets s’il le faut`,
        en: `the amount "${problem.typed}" can be read as ${one} or ${other}: write it in digits alone, in quotes if needed`,
      }
    }
    case 'amount_maybe_phone':
      return {
        fr: `« ${problem.typed} » peut être un téléphone : nommez les colonnes dans la première ligne`,
        en: `"${problem.typed}" may be a phone: name the columns in the first row`,
      }
    case 'recipient_missing':
      return { fr: 'le destinataire manque', en: 'the recipient is missing' }
    case 'recipient_without_country':
      return {
        fr: `« ${problem.typed} » est un téléphone sans pays : écrivez + et l’indicatif, par exemple +221771234567`,
        en: `"${problem.typed}" is a phone without its country: write + and the calling code, for example +221771234567`,
      }
    case 'recipient_two_readings': {
      const [one, other] = problem.readings
      return {
        fr: `« ${problem.typed} » se lit ${one} ou ${other} : écrivez le téléphone avec son +`,
        en: `"${problem.typed}" can be read as ${one} or ${other}: write the phone with its +`,
      }
    }
    case 'recipient_rounded':
      return {
        fr: `« ${problem.typed} » est un téléphone que le tableur a arrondi : mettez la colonne au format Texte`,
        en: `"${problem.typed}" is a phone that the spreadsheet has rounded: format the column as text`,
      }
    case 'recipient_total':
      return {
        fr: `« ${problem.typed} » est une ligne de total : supprimez-la, ou écrivez @ devant un tag`,
        en: `"${problem.typed}" is a row with a total: delete it, or write @ before a tag`,
      }
    case 'too_many_cells':
      return {
        fr: `la ligne a ${problem.cells} cellules pour ${problem.columns} colonnes : mettez entre guillemets une cellule qui contient le séparateur`,
        en: `the row has ${problem.cells} cells for ${problem.columns} columns: put a cell with the separator into quotes`,
      }
    case 'blank_before_quote':
      return { fr: 'un espace est devant un guillemet : supprimez-le', en: 'a blank stands before a quote: delete it' }
  }
}

type UnitProblem = Extract<LineProblem, { readonly currency: FileCurrency }>

function unitTexts(problem: UnitProblem): Texts {
  const { code, typed, currency } = problem
  const hasDecimals = namesOf(currency).decimals > 0
  const smallest = {
    fr: `écrivez chaque montant du fichier en chiffres seuls, dans la plus petite unité de ${currency}`,
    en: `write each amount of the file in digits alone, in the smallest unit of ${currency}`,
  }
  if (code === 'amount_not_smallest')
    return { fr: `le montant « ${typed} » a des décimales : ${smallest.fr}`, en: `the amount "${typed}" has decimals: ${smallest.en}` }
  if (code === 'amount_without_unit') {
    const [one, other] = problem.readings
    const major = {
      fr: `écrivez-le avec ses décimales, ou nommez la colonne « montant (${currency}) »`,
      en: `write it with its decimals, or name the column "amount (${currency})"`,
    }
    const { fr, en } = problem.unit === 'major' ? major : smallest
    return {
      fr: `le montant « ${typed} » se lit ${one} ou ${other} : ${fr}`,
      en: `the amount "${typed}" can be read as ${one} or ${other}: ${en}`,
    }
  }
  return hasDecimals
    ? {
        fr: `« ${typed} » n’est pas un montant en ${currency} : écrivez des chiffres et deux décimales, par exemple 25,00`,
        en: `"${typed}" is no amount in ${currency}: write digits and two decimals, for example 25.00`,
      }
    : {
        fr: `le montant « ${typed} » n’est pas un nombre : écrivez des francs entiers, par exemple 25000`,
        en: `the amount "${typed}" is no number: write whole francs, for example 25000`,
      }
}

function fileTexts(problem: FileProblem, language: FileLanguage): Texts {
  switch (problem.code) {
    case 'workbook':
      return { fr: 'Ce fichier est un classeur : enregistrez-le au format CSV.', en: 'This file is a workbook: save it as CSV.' }
    case 'encoding':
      return {
        fr: 'Ce fichier n’est pas un texte que nous savons lire : enregistrez-le au format CSV en UTF-8.',
        en: 'This file is no text that can be read: save it as CSV in UTF-8.',
      }
    case 'separator':
      return {
        fr: `Le séparateur « ${problem.found} » n’est pas connu : utilisez le point-virgule, la virgule ou la tabulation.`,
        en: `The separator "${problem.found}" is not known: use a semicolon, a comma or a tab.`,
      }
    case 'open_quote':
      return {
        fr: `Ligne ${problem.row} : un guillemet est ouvert et n’est pas fermé. Rien n’a été lu.`,
        en: `Line ${problem.line}: a quote is open and never closed. Nothing was read.`,
      }
    case 'malformed_quote':
      return {
        fr: `Ligne ${problem.row} : un guillemet est au milieu d’une cellule entre guillemets. Doublez-le. Rien n’a été lu.`,
        en: `Line ${problem.line}: a quote stands in the middle of a quoted cell. Double it. Nothing was read.`,
      }
    case 'row_too_long':
      return {
        fr: `Ligne ${problem.row} : elle est trop longue pour un versement. Rien n’a été lu.`,
        en: `Line ${problem.line}: it is too long for a payment. Nothing was read.`,
      }
    case 'columns_missing':
      return {
        fr: 'La première ligne doit nommer les colonnes : destinataire, montant, et si besoin référence, note.',
        en: 'The first row must name the columns: recipient, amount, and if needed reference, note.',
      }
    case 'columns_not_first':
      return {
        fr: `La ligne ${problem.row} nomme les colonnes, mais un versement est au-dessus : mettez-la en premier.`,
        en: `Row ${problem.row} names the columns, and a payment stands above it: put it first.`,
      }
    case 'columns':
      return columnsTexts(problem, language)
  }
}

function columnsTexts({ row, read, missing, twice }: Extract<FileProblem, { readonly code: 'columns' }>, language: FileLanguage): Texts {
  const name = (column: Column): string => COLUMN_NAMES[language][column]
  const shown = (isFrench: boolean): string =>
    read
      .map(
        ({ letter, name: typed, column }) =>
          `${letter} ${isFrench ? `« ${typed} »` : `"${typed}"`}${column === null ? '' : ` = ${name(column)}`}`,
      )
      .join(', ')
  const unknown = read.filter(({ column }) => column === null).map(({ name: typed }) => typed)
  const fr = [
    ...missing.map((column) => `aucune colonne n’est « ${name(column)} »`),
    ...twice.map((column) => `plusieurs colonnes sont « ${name(column)} »`),
    ...(unknown.length === 0 ? [] : [`colonne inconnue : ${unknown.join(', ')}`]),
  ]
  const en = [
    ...missing.map((column) => `no column is "${name(column)}"`),
    ...twice.map((column) => `several columns are "${name(column)}"`),
    ...(unknown.length === 0 ? [] : [`unknown column: ${unknown.join(', ')}`]),
  ]
  return {
    fr: `Ligne ${row} : ${fr.join(' ; ')}. Lu : ${shown(true)}. Les colonnes sont destinataire, montant, référence, note, chacune une fois.`,
    en: `Row ${row}: ${en.join('; ')}. Read: ${shown(false)}. The columns are recipient, amount, reference, note, each once.`,
  }
}
