// What clients saw of one account's balance: changes by known amounts, and readings. Some writes answer with the balance that they left.
import { checkHistory, type Model, type Operation } from './linearizability.ts'

export interface BalanceChange extends Operation {
  readonly kind: 'change'
  /** Signed. */
  readonly amount: number
  /** As the answer said it; null where it does not say. */
  readonly balanceAfter: number | null
}

export interface BalanceReading extends Operation {
  readonly kind: 'reading'
  readonly node: string
  readonly balance: number
}

export type BalanceOperation = BalanceChange | BalanceReading

function modelFrom(initial: number): Model<BalanceOperation, number> {
  return {
    initial,
    step: (balance, operation) => {
      if (operation.kind === 'reading') return operation.balance === balance ? balance : null
      const after = balance + operation.amount
      return operation.balanceAfter === null || operation.balanceAfter === after ? after : null
    },
    textOf: String,
    isReading: ({ kind }) => kind === 'reading',
  }
}

/** Returns what no order explains, in words; null for a linearizable history. */
export function balanceContradiction(initial: number, operations: readonly BalanceOperation[]): string | null {
  const verdict = checkHistory(modelFrom(initial), operations)
  if (verdict.kind === 'linearizable') return null
  if (verdict.kind === 'undecided') return `undecided: ${operations.length} operations have too many orders`
  return `no order of ${operations.length} operations explains ${textOf(verdict.stuck)}`
}

function textOf(operation: BalanceOperation): string {
  const { startMs, endMs } = operation
  const when = `(${Math.round(startMs)} to ${Math.round(endMs)} ms)`
  if (operation.kind === 'reading') return `the balance ${operation.balance} read at ${operation.node} ${when}`
  return `the change by ${operation.amount} that left ${operation.balanceAfter ?? 'an unknown balance'} ${when}`
}
