// A name server on a free port of the loopback that answers what the test says, another thing each time if need be, and
// counts how often it is asked. As much of RFC 1035 as one question and its A and AAAA answers need.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

const TYPE_A = 1
const TYPE_AAAA = 28
const HEADER_BYTES = 12
/** Flags of an answer: response, recursion available. */
const ANSWER = 0x8180
const NO_SUCH_NAME = 3
const SERVER_FAILED = 2

/** Addresses of a name, `failed` for a server that does not work. Called for each question. */
export type Answers = (name: string, family: 4 | 6, asked: number) => readonly string[] | 'failed' | null

export class NameServer {
  /** Questions so far, `name family`. */
  readonly questions: string[] = []
  readonly #socket: Socket
  readonly #answers: Answers

  private constructor(socket: Socket, answers: Answers) {
    this.#socket = socket
    this.#answers = answers
    socket.on('message', (query, from) => socket.send(this.#answer(query), from.port, from.address))
  }

  static async open(answers: Answers): Promise<NameServer> {
    const socket = createSocket('udp4')
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return new NameServer(socket, answers)
  }

  /** `address:port`, as a resolver takes it. */
  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`
  }

  asked(name: string, family: 4 | 6): number {
    return this.questions.filter((question) => question === `${name} ${family}`).length
  }

  close(): void {
    this.#socket.close()
  }

  #answer(query: Buffer): Buffer {
    const { name, end } = readName(query)
    const type = query.readUInt16BE(end)
    const family = type === TYPE_AAAA ? 6 : 4
    this.questions.push(`${name} ${family}`)
    const known = type === TYPE_A || type === TYPE_AAAA ? this.#answers(name, family, this.asked(name, family)) : []
    const addresses = Array.isArray(known) ? known : []
    const code = known === null ? NO_SUCH_NAME : known === 'failed' ? SERVER_FAILED : 0
    const header = Buffer.alloc(HEADER_BYTES)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(ANSWER | code, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(addresses.length, 6)
    const question = query.subarray(HEADER_BYTES, end + 4)
    return Buffer.concat([header, question, ...addresses.map((address) => record(type, address))])
  }
}

/** The name of the first question, and where it ends. */
function readName(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at] as number; length > 0; length = query[at] as number) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

/** A resource record that points back to the name of the question and may not be kept. */
function record(type: number, address: string): Buffer {
  const data = type === TYPE_A ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc000 | HEADER_BYTES, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function ipv6Bytes(address: string): Buffer {
  const [front = '', back = ''] = address.split('::')
  const groups = (text: string): number[] => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  const [before, after] = [groups(front), groups(back)]
  const all = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
  const bytes = Buffer.alloc(16)
  all.forEach((group, index) => {
    bytes.writeUInt16BE(group, index * 2)
  })
  return bytes
}
