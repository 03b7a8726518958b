// Rows of a CSV text by the names of its header, read by a package that Cauri does not write CSV with.
import Papa from 'papaparse'

export function csvRows(text: string): Readonly<Record<string, string>>[] {
  return Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data
}
