// A payroll of 100 000 lines, with 1 % of each kind of bad line, whose server is killed at random moments of its intake and of its
// payment. After each start the payment is paused, and the sums of that state are compared; at the end each line was paid once.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Disbursement } from '../../../engine/contract/disbursement.ts'
import { csvRows } from '../../support/csv-rows.ts'
import { Prng } from '../../support/prng.ts'
import { newKey, TestServer } from '../../support/server-fixture.ts'
import { type ServerProcess, startServer } from '../../support/server-process.ts'
import { keyHeaders, openWallet, type Wallet } from '../cluster/accounts.ts'
import { pause } from '../cluster/pause.ts'
import { readJson, trialBalance } from './ledger-checks.ts'
import { Wire } from './wire.ts'

export interface PayrollReport {
  payrolls: number
  lines: number
  killsOfIntake: number
  killsOfPayment: number
  /** States that were compared. */
  states: number
  paidLines: number
  badLines: number
  readonly faults: string[]
}

export interface PayrollOptions {
  readonly kills: number
  readonly seed: number
  readonly lines?: number
  readonly onPayroll?: (report: PayrollReport) => void
}

const LINES = 100_000
const KILLS_PER_PAYROLL = 10
const WALLETS = 6
const FUNDS = 1_000_000_000
const PATH = '/v1/biz/disbursements'
const LOOK_MS = 5
/** From a look at the progress to the kill: a few turns. */
const KILL_WITHIN_MS = 60
const INTAKE_KILL_WITHIN_MS = 2000
const FORMATS = ['application/x-ndjson', 'text/csv'] as const
type Format = (typeof FORMATS)[number]

/** By format: what a line of each kind says. One line in a hundred is of each kind. */
const BAD_LINES: Readonly<Record<Format, readonly ((tag: string) => string)[]>> = {
  'application/x-ndjson': [
    () => JSON.stringify({ recipient: 'inconnue_du_service', amount: 5 }),
    () => JSON.stringify({ recipient: '221770000000', amount: 5 }),
    (tag) => JSON.stringify({ recipient: tag, amount: 2.5 }),
    (tag) => JSON.stringify({ recipient: tag, amount: 5, reference: 'r'.repeat(300) }),
    (tag) => JSON.stringify({ recipient: tag, amount: 5, note: 7 }),
    (tag) => JSON.stringify({ recipient: tag, amount: 5, currency: 'GNF' }),
    (tag) => JSON.stringify({ recipient: tag, amount: 5, montant: 5 }),
    (tag) => `{"recipient":"${tag}","amount":5`,
  ],
  'text/csv': [
    () => 'inconnue_du_service;5;;',
    () => '221770000000;5;;',
    (tag) => `${tag};25.000;;`,
    (tag) => `${tag};;;`,
    (tag) => `${tag};5;${'r'.repeat(300)};`,
    (tag) => `${tag};5;;;trop`,
  ],
}

interface Payroll {
  readonly body: string
  readonly bad: number
  /** By tag. */
  readonly sums: ReadonlyMap<string, number>
  readonly count: number
  readonly amount: number
}

function payrollOf(format: Format, lines: number, wallets: readonly Wallet[], prng: Prng): Payroll {
  const bad = BAD_LINES[format]
  const sums = new Map<string, number>()
  let [count, amount] = [0, 0]
  const rows = Array.from({ length: lines }, (_, index) => {
    const { tag } = wallets[index % wallets.length] as Wallet
    const kind = bad[index % 100]
    if (kind !== undefined) return kind(tag)
    const sum = 1 + prng.below(90)
    sums.set(tag, (sums.get(tag) ?? 0) + sum)
    count++
    amount += sum
    return format === 'text/csv' ? `${tag};${sum};L${index};` : JSON.stringify({ recipient: tag, amount: sum, reference: `L${index}` })
  })
  const body = `${format === 'text/csv' ? 'destinataire;montant;référence;note\n' : ''}${rows.join('\n')}\n`
  return { body, bad: lines - count, sums, count, amount }
}

/** Kills as often as asked, ten times a payroll, and stops at the end of the first payroll with a fault. */
export async function runPayrollKills({ kills, seed, lines = LINES, onPayroll }: PayrollOptions): Promise<PayrollReport> {
  const report = { payrolls: 0, lines: 0, killsOfIntake: 0, killsOfPayment: 0, states: 0, paidLines: 0, badLines: 0, faults: [] }
  const prng = new Prng(seed)
  for (let left = kills; left > 0 && report.faults.length === 0; left -= KILLS_PER_PAYROLL) {
    const place = new PayrollPlace(report, prng)
    try {
      const format = FORMATS[report.payrolls % FORMATS.length] as Format
      await place.run(format, lines, Math.min(left, KILLS_PER_PAYROLL))
    } finally {
      await place.remove()
    }
    onPayroll?.(report)
  }
  return report
}

class PayrollPlace {
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'cauri-payroll-'))
  readonly #report: PayrollReport
  readonly #prng: Prng
  #server: ServerProcess | null = null
  #wire = new Wire('')
  #headers: Readonly<Record<string, string>> = {}
  readonly #onExit = (): void => void this.#server?.kill()

  constructor(report: PayrollReport, prng: Prng) {
    this.#report = report
    this.#prng = prng
    process.once('exit', this.#onExit)
  }

  async run(format: Format, lines: number, kills: number): Promise<void> {
    const server = await TestServer.attached((await this.#start()).baseUrl)
    const merchant = await server.fundedMerchant(FUNDS)
    const wallets: Wallet[] = []
    for (let count = 0; count < WALLETS; count++) wallets.push(await openWallet(server, merchant))
    this.#headers = await keyHeaders(server, merchant)
    server.anybody.close()
    const before = { ...(await trialBalance(this.#wire)), available: await this.#available(), held: await this.#held(wallets) }
    const payroll = payrollOf(format, lines, wallets, this.#prng)
    const id = await this.#create(format, payroll)
    await this.#wire.send('POST', `${PATH}/${id}/start`, { ...this.#headers, ...newKey() }, '{}')
    const marks = Array.from({ length: kills - 1 }, () => this.#prng.below(payroll.count)).sort((one, other) => one - other)
    for (const mark of marks) {
      await this.#untilPaid(id, mark)
      await pause(this.#prng.below(KILL_WITHIN_MS))
      await this.#restart()
      this.#report.killsOfPayment++
      await this.#compareState(id, before)
    }
    const done = await this.#untilPaid(id, payroll.count)
    const { state, paid_count, paid_amount, failed_count, invalid_count } = done
    const [expected, found] = [
      ['completed', payroll.count, payroll.amount, 0, payroll.bad],
      [state, paid_count, paid_amount, failed_count, invalid_count],
    ]
    if (String(found) !== String(expected)) this.#fault(`the payroll is ${found}, not ${expected}`)
    await this.#compareState(id, before)
    const held = await this.#held(wallets)
    for (const [index, { tag }] of wallets.entries()) {
      const got = (held[index] ?? 0) - (before.held[index] ?? 0)
      if (got !== payroll.sums.get(tag)) this.#fault(`${tag} got ${got}, not ${payroll.sums.get(tag)}`)
    }
    await this.#checkLines(id, lines, payroll)
    this.#report.payrolls++
    this.#report.lines += lines
    this.#report.paidLines += paid_count
    this.#report.badLines += invalid_count
  }

  async remove(): Promise<void> {
    this.#wire.close()
    await this.#server?.remove()
    process.off('exit', this.#onExit)
    rmSync(this.#dataDir, { recursive: true, force: true })
  }

  /** The first kill comes while the lines are taken: the same key makes it after the start. */
  async #create(format: Format, { body }: Payroll): Promise<string> {
    const headers = { ...this.#headers, ...newKey(), 'content-type': format }
    const sent = this.#wire.send('POST', PATH, headers, body).catch(() => null)
    await pause(this.#prng.below(INTAKE_KILL_WITHIN_MS))
    await this.#restart()
    this.#report.killsOfIntake++
    const told = await sent
    const again = await this.#wire.send('POST', PATH, headers, body)
    if (again.status !== 201) throw new Error(`the payroll: ${again.status} ${again.text.slice(0, 300)}`)
    if (told !== null && told.text !== again.text) this.#fault('the key of a creation has two answers')
    return (JSON.parse(again.text) as Disbursement).id
  }

  /** Also where it ends before. */
  async #untilPaid(id: string, count: number): Promise<Disbursement> {
    for (;;) {
      const found = await this.#read(id)
      if (found.paid_count >= count || found.state !== 'running') return found
      await pause(LOOK_MS)
    }
  }

  /** Stands the payment still for as long as its sums are read. */
  async #compareState(id: string, before: { readonly transactions: number; readonly available: number }): Promise<void> {
    const paused = await this.#wire.send('POST', `${PATH}/${id}/pause`, { ...this.#headers, ...newKey() }, '{}')
    const { paid_count, paid_amount } = await this.#read(id)
    const { balanced, transactions } = await trialBalance(this.#wire)
    const available = await this.#available()
    if (!balanced) this.#fault('the ledger is not balanced')
    if (transactions !== before.transactions + paid_count)
      this.#fault(`${transactions - before.transactions} transactions, ${paid_count} paid`)
    if (available !== before.available - paid_amount)
      this.#fault(`${before.available - available} left the balance, ${paid_amount} were paid`)
    this.#report.states++
    if (paused.status !== 200) return
    await this.#wire.send('POST', `${PATH}/${id}/resume`, { ...this.#headers, ...newKey() }, '{}')
  }

  /** Every valid line has one payout and one transaction of its own. */
  async #checkLines(id: string, lines: number, { count, bad }: Payroll): Promise<void> {
    const { text } = await this.#wire.send('GET', `${PATH}/${id}/lines`, { ...this.#headers, accept: 'text/csv' })
    const rows = csvRows(text)
    const of = (name: string): Set<string> => new Set(rows.flatMap((row) => row[name] || []))
    const inState = (state: string): number => rows.filter((row) => row.state === state).length
    const found = [rows.length, inState('paid'), inState('invalid'), of('payout_id').size, of('transaction_id').size]
    const expected = [lines, count, bad, count, count]
    if (String(found) !== String(expected)) this.#fault(`lines, paid, invalid, payouts, transactions: ${found}, not ${expected}`)
  }

  async #read(id: string): Promise<Disbursement> {
    return readJson<Disbursement>(this.#wire, `${PATH}/${id}`, this.#headers)
  }

  async #available(): Promise<number> {
    return (await readJson<{ available: number }>(this.#wire, '/v1/biz/balance', this.#headers)).available
  }

  async #held(wallets: readonly Wallet[]): Promise<number[]> {
    const held: number[] = []
    for (const { accessToken } of wallets) {
      const headers = { authorization: `Bearer ${accessToken}` }
      held.push((await readJson<{ available: number }>(this.#wire, '/v1/me/balance', headers)).available)
    }
    return held
  }

  async #restart(): Promise<void> {
    await this.#server?.kill()
    this.#wire.close()
    await this.#start()
  }

  async #start(): Promise<ServerProcess> {
    this.#server = await startServer({
      dataDir: this.#dataDir,
      settings: { HTTP_THREADS: this.#prng.pick(['0', '1']), SANDBOX_THREADS: '1' },
    })
    this.#wire = new Wire(this.#server.baseUrl)
    return this.#server
  }

  #fault(what: string): void {
    this.#report.faults.push(`payroll ${this.#report.payrolls}: ${what}`)
  }
}
