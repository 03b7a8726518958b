// Output of the bench: the machine's limits, each row's claims with their verdicts, and the final table.
import type { Limits } from '../limits/limits.ts'
import { type Bound, type Claim, type Row, type RowResult, verdictOf } from '../row.ts'
import { formatBytes, formatNumber, formatSpread, formatUs } from '../statistics.ts'

export interface FinishedRow {
  readonly row: Row
  readonly result: RowResult
}

export function formatLimits(limits: Limits): string {
  const { machine, flush, loopback, sha256PerSecond } = limits
  const packages = Object.entries(machine.packages).map(([name, version]) => `${name} ${version}`)
  return [
    `Machine   ${machine.cores} cores, ${machine.processor}, ${formatBytes(machine.memoryBytes)}, ${machine.kernel}`,
    `Versions  Node ${machine.node} (V8 ${machine.v8}), ${packages.join(', ')}${machine.commit === null ? '' : `, commit ${machine.commit}`}`,
    ...flush.map(
      ({ bytes, latency }) =>
        `F         append + fdatasync of ${formatBytes(bytes)}: p50 ${formatUs(latency.p50Us)}, p99 ${formatUs(latency.p99Us)}`,
    ),
    `Loopback  round trip p50 ${formatUs(loopback.roundTrip.p50Us)}, p99 ${formatUs(loopback.roundTrip.p99Us)}; ${formatNumber(loopback.perSecond)} echoes/s over 64 connections`,
    `SHA-256   ${formatNumber(sha256PerSecond)} digests/s of 256 bytes`,
  ].join('\n')
}

export function formatRow({ row, result }: FinishedRow): string {
  const heading = `Row ${row.number}: ${row.title}`
  return [heading, ...result.notes.map((note) => `  ${note}`)].join('\n')
}

export function formatTable(rows: readonly FinishedRow[]): string {
  const header = ['row', 'claim', 'figure', 'value', 'must', 'aim', 'verdict']
  const lines = rows.flatMap(({ row, result }) => result.claims.map((claim) => claimCells(row, claim)))
  const widths = header.map((name, column) => Math.max(name.length, ...lines.map((line) => line[column]?.length ?? 0)))
  const print = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [print(header), print(widths.map((width) => '─'.repeat(width))), ...lines.map(print)].join('\n')
}

function claimCells(row: Row, claim: Claim): string[] {
  return [
    String(row.number),
    claim.what,
    claim.figure,
    claim.value === null ? '–' : formatSpread(claim.value),
    formatBound(claim.must),
    claim.aim === null ? '–' : formatBound(claim.aim),
    verdictOf(claim),
  ]
}

export function formatBound({ kind, value }: Bound): string {
  return `${kind === 'at-least' ? '≥' : '≤'} ${formatNumber(value)}`
}
