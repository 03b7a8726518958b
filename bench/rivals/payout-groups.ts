// Micro-batching for rival P2: payouts wait while groups are under way, and all that wait go together in the next one.

/** Maximum of payouts in a group. */
const GROUP_MAX = 500

interface Waiting<Values, Answer> {
  readonly values: Values
  readonly resolve: (answer: Answer | undefined) => void
  readonly reject: (error: unknown) => void
}

export class PayoutGroups<Values, Answer> {
  readonly #groupsMax: number
  /** Answers in the order of the group. */
  readonly #pay: (group: readonly Values[]) => Promise<readonly Answer[]>
  readonly #waiting: Waiting<Values, Answer>[] = []
  #underWay = 0

  constructor(groupsMax: number, pay: (group: readonly Values[]) => Promise<readonly Answer[]>) {
    this.#groupsMax = groupsMax
    this.#pay = pay
  }

  /** Resolves with the payout's answer when its group is committed. */
  add(values: Values): Promise<Answer | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ values, resolve, reject })
      this.#next()
    })
  }

  #next(): void {
    if (this.#underWay >= this.#groupsMax || this.#waiting.length === 0) return
    const group = this.#waiting.splice(0, GROUP_MAX)
    this.#underWay++
    this.#pay(group.map(({ values }) => values))
      .then(
        (answers) => {
          for (const [index, { resolve }] of group.entries()) resolve(answers[index])
        },
        (error: unknown) => {
          for (const { reject } of group) reject(error)
        },
      )
      .finally(() => {
        this.#underWay--
        this.#next()
      })
      .catch((error: unknown) => {
        throw error
      })
  }
}
