// A spreadsheet of payments in the flat format of LibreOffice, and its conversion to CSV by a LibreOffice that is installed.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** Amounts as typed into the cells: whole ones, and two that are not. */
export const TYPED_AMOUNTS = [5, 500, 1500, 25_000, 70_000, 500_001, 1_234_567, 1_000_000, 1500.5, 0.25] as const

/** Number formats: language and country, decimals, thousands, and text behind the number. */
const FORMATS: readonly (readonly [name: string, locale: string, decimals: number, isGrouped: boolean, after: string])[] = [
  ['plain', 'fr-FR', 0, false, ''],
  ['fr-grouped', 'fr-FR', 0, true, ''],
  ['fr-decimals', 'fr-FR', 2, true, ''],
  ['fr-cfa', 'fr-FR', 0, true, ' F CFA'],
  ['sn-decimals', 'fr-SN', 2, false, ''],
  ['en-grouped', 'en-US', 0, true, ''],
  ['en-decimals', 'en-US', 2, true, ''],
  ['en-plain-decimals', 'en-US', 2, false, ''],
  ['en-three', 'en-US', 3, false, ''],
  ['de-grouped', 'de-DE', 0, true, ''],
  ['de-decimals', 'de-DE', 2, true, ''],
]

/** The note of each row: signs that Windows-1252 has and Latin-1 has not, separators and quotes. */
const NOTE = 'L’œuvre – 5 € ; "août", fin'

export interface CsvExport {
  readonly name: string
  readonly separator: ';' | ',' | '\t'
  readonly charset: 'utf-8' | 'windows-1252' | 'utf-16'
  readonly quotesAllTexts: boolean
  /** True: numbers as their format shows them; false: as they are stored. */
  readonly asShown: boolean
}

export const EXPORTS: readonly CsvExport[] = [
  { name: 'french-1252', separator: ';', charset: 'windows-1252', quotesAllTexts: false, asShown: true },
  { name: 'commas-utf8', separator: ',', charset: 'utf-8', quotesAllTexts: false, asShown: true },
  { name: 'commas-quoted', separator: ',', charset: 'utf-8', quotesAllTexts: true, asShown: true },
  { name: 'tabs-utf16', separator: '\t', charset: 'utf-16', quotesAllTexts: false, asShown: true },
  { name: 'stored-utf8', separator: ';', charset: 'utf-8', quotesAllTexts: false, asShown: false },
]

const CHARSETS = { 'utf-8': 76, 'windows-1252': 1, 'utf-16': 65_535 } as const

/** Returns the path of LibreOffice, null where it is not installed. */
export function libreOffice(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, 'soffice')).find((path) => existsSync(path)) ?? null
}

/** Writes the spreadsheet as CSV, as the program's own dialog does. */
export function exportedCsv(program: string, { separator, charset, quotesAllTexts, asShown }: CsvExport): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'cauri-sheet-'))
  try {
    writeFileSync(join(folder, 'paie.fods'), spreadsheet())
    const options = [separator.charCodeAt(0), 34, CHARSETS[charset], 1, '', 0, quotesAllTexts, asShown].join(',')
    const words = ['--headless', `-env:UserInstallation=file://${join(folder, 'profile')}`, '--convert-to']
    const { status, stderr } = spawnSync(
      program,
      [...words, `csv:Text - txt - csv (StarCalc):${options}`, '--outdir', folder, join(folder, 'paie.fods')],
      { encoding: 'utf8' },
    )
    assert.equal(status, 0, stderr)
    return readFileSync(join(folder, 'paie.csv'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The amount as typed stands in the reference, so that a reader of the file can be compared with it. */
export function spreadsheet(): string {
  const styles = FORMATS.map(([name, locale, decimals, isGrouped, after], at) => {
    const [language, country] = locale.split('-')
    const number = `<number:number number:decimal-places="${decimals}" number:min-decimal-places="${decimals}" number:min-integer-digits="1"${isGrouped ? ' number:grouping="true"' : ''}/>`
    const text = after === '' ? '' : `<number:text>${after}</number:text>`
    return `<number:number-style style:name="N${at}" number:language="${language}" number:country="${country}">${number}${text}</number:number-style>
<style:style style:name="${name}" style:family="table-cell" style:data-style-name="N${at}"/>`
  })
  const rows = FORMATS.flatMap(([name]) =>
    TYPED_AMOUNTS.map((amount, at) =>
      row([text(`@${name.replaceAll('-', '_')}_${at}`), number(name, amount), text(`= ${amount}`), text(NOTE)]),
    ),
  )
  const names = row(['Destinataire', 'Montant', 'Référence', 'Motif'].map(text))
  return `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet">
<office:automatic-styles>${styles.join('\n')}</office:automatic-styles>
<office:body><office:spreadsheet><table:table table:name="Paie">${names}${rows.join('\n')}</table:table></office:spreadsheet></office:body></office:document>`
}

function row(cells: readonly string[]): string {
  return `<table:table-row>${cells.join('')}</table:table-row>`
}

function text(value: string): string {
  const escaped = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<table:table-cell office:value-type="string"><text:p>${escaped}</text:p></table:table-cell>`
}

function number(style: string, value: number): string {
  return `<table:table-cell table:style-name="${style}" office:value-type="float" office:value="${value}"/>`
}
