// An attack: what one stranger does to a server while honest traffic runs. Each attack is one file of attacks/, listed in
// attacks/all.ts. `npm run attack` runs all of them and judges losses and latency; `npm test` runs them short and judges losses.
import type { TestServer } from '../../support/server-fixture.ts'

/** What the attacker finds: a running server and a time limit. The attacker runs in a process of its own, at low priority. */
export interface Target {
  readonly baseUrl: string
  /** The same server with the helpers of the end-to-end tests; their clients check each answer against the OpenAPI document. */
  readonly server: TestServer
}

/** Numbers and texts that the report prints beside the attack: requests sent, answers by status, bytes. */
export type AttackFigures = Readonly<Record<string, number | string>>

export interface Attack {
  /** Kebab-case, as `npm run attack -- --only <name>` takes it. */
  readonly name: string
  /** One sentence: what the attacker does. */
  readonly title: string
  /** Settings of the server beside those of the harness (PROXY_HOPS=1, no rate limits, private addresses allowed). */
  readonly settings?: Readonly<Record<string, string>>
  /** True when its settings or its traces would disturb other attacks on the same server. */
  readonly hasOwnServer?: true
  /** Honest traffic signs in to the dashboard too. Its hashes load the machine, so other attacks run without. */
  readonly hasHonestLogins?: true
  /** Sets up accounts before the baseline is measured; returns the function that attacks until the signal aborts. */
  prepare(target: Target): Promise<(signal: AbortSignal) => Promise<AttackFigures>>
  /** What the attacker's own figures must show, beside what honest traffic shows: messages of what is wrong. */
  judge?(figures: AttackFigures): readonly string[]
}
