// Latencies and losses of one kind of honest work, before and during an attack.

/** A median below this is noise of timers and of the machine: ratios are taken against at least so much. */
const MEDIAN_FLOOR_MS = 2
const TAIL_FLOOR_MS = 10

/** The warm-up compiles and fills caches; only its losses count. */
export type Phase = 'warm-up' | 'baseline' | 'attack'

export interface KindReport {
  readonly kind: string
  readonly count: { readonly baseline: number; readonly attack: number }
  readonly lost: readonly string[]
  readonly baselineMs: { readonly p50: number; readonly p99: number }
  readonly attackMs: { readonly p50: number; readonly p99: number }
  /** During the attack over before it, each against at least its floor. */
  readonly p50Ratio: number
  readonly p99Ratio: number
}

export class Samples {
  readonly #kind: string
  readonly #durationsMs: Record<Phase, number[]> = { 'warm-up': [], baseline: [], attack: [] }
  readonly #lost: string[] = []

  constructor(kind: string) {
    this.#kind = kind
  }

  took(phase: Phase, durationMs: number): void {
    this.#durationsMs[phase].push(durationMs)
  }

  /** One piece of work that did not succeed, with the reason. */
  lost(reason: string): void {
    this.#lost.push(reason)
  }

  report(): KindReport {
    const { baseline, attack } = this.#durationsMs
    const baselineMs = { p50: quantile(baseline, 0.5), p99: quantile(baseline, 0.99) }
    const attackMs = { p50: quantile(attack, 0.5), p99: quantile(attack, 0.99) }
    return {
      kind: this.#kind,
      count: { baseline: baseline.length, attack: attack.length },
      lost: this.#lost,
      baselineMs,
      attackMs,
      p50Ratio: ratio(attackMs.p50, baselineMs.p50, MEDIAN_FLOOR_MS),
      p99Ratio: ratio(attackMs.p99, baselineMs.p99, TAIL_FLOOR_MS),
    }
  }
}

function ratio(during: number, before: number, floorMs: number): number {
  return Math.max(during, floorMs) / Math.max(before, floorMs)
}

/** The nearest rank: the smallest value that so many of all do not exceed. NaN for no values. */
function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1] ?? Number.NaN
}
