// Whether a second person decides about operators and rules: the settings for money say so.

export interface DualControl {
  /** The settings OPERATOR_DUAL_CONTROL and OPERATOR_DAY_CONTROL; null where they are not set. */
  readonly secondPersonAbove: number | null
  readonly secondPersonAboveDay: number | null
}

export function isDualControlled({ secondPersonAbove, secondPersonAboveDay }: DualControl): boolean {
  return secondPersonAbove !== null || secondPersonAboveDay !== null
}
