// One server with everything that the rows of all routes need: a merchant with play money, a biller whose system answers on this
// machine, a customer, a Firebase project.
import { randomUUID } from 'node:crypto'
import { Customer, openBillerSystem, openBillServer, openPaidFor } from './bill-callers.ts'
import { openBiller } from './biller-callers.ts'
import { type FirebaseProject, openFirebaseProject } from './firebase-project.ts'
import type { KeyedWorld } from './keyed-request.ts'
import { DUAL_CONTROL } from './operator-callers.ts'
import type { Receiver } from './receiver.ts'
import type { TestServer } from './server-fixture.ts'

export interface KeyedWorldOptions {
  /** Beside those that the rows need. */
  readonly settings?: Readonly<Record<string, string>>
  /** A folder that the caller removes. */
  readonly dataDir?: string
}

export class KeyedWorldFixture {
  readonly #firebase: FirebaseProject
  readonly #system: Receiver
  readonly #options: KeyedWorldOptions
  server: TestServer
  readonly world: KeyedWorld

  private constructor(firebase: FirebaseProject, system: Receiver, world: KeyedWorld, options: KeyedWorldOptions) {
    this.#firebase = firebase
    this.#system = system
    this.#options = options
    this.world = world
    this.server = world.server
  }

  static async open(options: KeyedWorldOptions = {}): Promise<KeyedWorldFixture> {
    const firebase = await openFirebaseProject(`project-${randomUUID().slice(0, 8)}`)
    const system = await openBillerSystem()
    system.answering = (_received, response) => response.end(JSON.stringify({ ok: true, amount: 1500 }))
    const server = await start(firebase, options)
    const paidFor = await openPaidFor(server, system)
    const world: KeyedWorld = {
      ...{ server, paidFor, firebase },
      merchant: await server.fundedMerchant(1_000_000),
      customer: await Customer.open(server, paidFor),
      receiver: system.url('/hook', 'localhost'),
      openBiller: (state) => openBiller(server, state),
    }
    return new KeyedWorldFixture(firebase, system, world, options)
  }

  /** Kills the server and starts it again on its folder. The world's clients lead to the one before. */
  async startAgain(): Promise<TestServer> {
    await this.server.process.kill()
    this.server.anybody.close()
    this.server = await start(this.#firebase, this.#options)
    return this.server
  }

  /** Merchants of one server have budgets and limits: a new one begins with none used. */
  async newMerchant(): Promise<KeyedWorld> {
    return { ...this.world, merchant: await this.server.fundedMerchant(1_000_000) }
  }

  async close(): Promise<void> {
    await this.server.close()
    await this.#system.close()
    this.#firebase.close()
  }
}

function start(firebase: FirebaseProject, { settings = {}, dataDir }: KeyedWorldOptions): Promise<TestServer> {
  return openBillServer({
    ...(dataDir === undefined ? {} : { dataDir }),
    settings: {
      ...firebase.settings,
      SIGNUP: 'approval',
      OPERATOR_DUAL_CONTROL: String(DUAL_CONTROL),
      OPERATOR_DAY_CONTROL: String(DUAL_CONTROL),
      ...settings,
    },
  })
}
