// Reads the salaries of a CSV file as a spreadsheet writes it: commas or semicolons, a first row with the names of the columns.

/** Returns the lines of a schedule. Throws a RangeError that names the line of the file. */
export function readSalaries(csv) {
  const rows = csv
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split(/\r?\n/)
  const separator = rows[0].includes(';') ? ';' : ','
  const columns = rows[0].split(separator).map((name) => name.trim().toLowerCase())
  if (!columns.includes('recipient') || !columns.includes('amount')) {
    throw new RangeError('the first row must name the columns recipient and amount')
  }
  if (new Set(columns).size < columns.length) throw new RangeError('the first row names a column twice')
  return rows.slice(1).map((row, index) => lineOf(columns, row.split(separator), { separator, line: index + 2 }))
}

function lineOf(columns, cells, { separator, line }) {
  if (cells.length !== columns.length) throw new RangeError(`line ${line} has ${cells.length} cells, not ${columns.length}`)
  const row = Object.fromEntries(columns.map((name, index) => [name, cells[index].trim()]))
  const digits = row.amount.replaceAll(/\s/g, '')
  if (!/^[1-9][0-9]{0,12}$/.test(digits))
    throw new RangeError(`line ${line}: the amount ${JSON.stringify(row.amount)} is not a whole number above 0 in digits alone`)
  // 150,000 in a file with commas is two cells: its first part must not be paid.
  const next = cells[columns.indexOf('amount') + 1] ?? ''
  if (separator === ',' && /^[0-9]{1,3}$/.test(digits) && /^\s*[0-9]{3}\s*$/.test(next))
    throw new RangeError(`line ${line}: the amount "${digits}" is in front of "${next}": write ${digits}${next}, or another reference`)
  const { recipient, reference = '', note = '' } = row
  return { recipient, amount: Number(digits), ...(reference === '' ? {} : { reference }), ...(note === '' ? {} : { note }) }
}
