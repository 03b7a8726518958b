// Spellings of addresses that no merchant may reach, put into URLs in all the ways that parsers disagree about.

/** Hosts that lead, or are meant to lead, to this machine, to private networks or to a cloud's metadata. */
const HOSTS: readonly string[] = [
  ...[
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '127.0.1',
    '127.255.255.254',
    '0',
    '0.0.0.0',
    '00000000',
    '2130706433',
    '2130706433.',
    '017700000001',
  ],
  ...[
    '0x7f000001',
    '0x7f.1',
    '0x7F.0x0.0x0.0x1',
    '0177.0.0.01',
    '0177.0.0.0x1',
    '127.0x0.01',
    '%31%32%37.0.0.1',
    '127%2e0%2e0%2e1',
    '１２７.０.０.１',
  ],
  ...[
    '127。0。0。1',
    '127．0．0．1',
    '①②⑦.⓪.⓪.①',
    '𝟏𝟐𝟕.𝟎.𝟎.𝟏',
    '127.0.0.1%00',
    '127.0.0\t.1',
    '127.0.\n0.1',
    '\u00ad127.0.0.1',
    '127.0.0.\u200b1',
  ],
  ...[
    'localhost',
    'LocalHost',
    'localhost.',
    'a.b.localhost',
    'ⓛocalhost',
    'loc\u00adalhost',
    'localhost%2e',
    'LOCALHOST.',
    'ｌｏｃａｌｈｏｓｔ',
  ],
  ...[
    '[::1]',
    '[::]',
    '[0::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::0001]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[::127.0.0.1]',
  ],
  ...[
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2002:a00:1::1]',
    '[2001:0:53aa:64c::1]',
    '[fe80::1]',
  ],
  ...[
    '[fe80::1%25lo]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fec0::1]',
    '[ff02::1]',
    '[100::1]',
    '[3fff::1]',
    '[2001:db8::1]',
    '[::ffff:0:7f00:1]',
    '[4000::1]',
  ],
  ...[
    '169.254.169.254',
    '169.254.0.1',
    '0xa9fea9fe',
    '2852039166',
    '168.63.129.16',
    '100.100.100.200',
    '100.64.0.1',
    '[::ffff:169.254.169.254]',
  ],
  ...[
    '10.0.0.1',
    '10.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.0.0.192',
    '198.18.0.1',
    '192.0.2.1',
    '203.0.113.9',
    '192.88.99.1',
  ],
  ...[
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '0.1.2.3',
    '300.1.1.1',
    '1.2.3.4.5',
    '256',
    '4294967296',
    '0x100000000',
    '',
  ],
]

type Form = (host: string, port: number) => string

const FORMS: readonly Form[] = [
  (host, port) => `https://${host}:${port}/`,
  (host, port) => `HTTPS:\\\\${host}:${port}\\x`,
  (host, port) => `https:/${host}:${port}/`,
  (host, port) => `https:${host}:${port}/`,
  (host, port) => `https:////${host}:${port}/`,
  (host, port) => `https://good.example@${host}:${port}/`,
  (host, port) => `https://good.example:443@${host}:${port}/`,
  (host, port) => `https://good.example%40${host}:${port}/`,
  (host, port) => `https://${host}:${port}#@good.example/`,
  (host, port) => `https://${host}:${port}?@good.example/`,
  (host, port) => `https://${host}:${port}\\@good.example/`,
  (host, port) => `https://${host}\\@good.example:${port}/`,
  (host, port) => ` https://${host}:${port}/ `,
  (host, port) => `ht\ntps://${host}:${port}/`,
  (host, port) => `https://${host}:0${port}/`,
  (host, port) => `https://${host}:${port}/..;/@good.example`,
  (host, port) => `http://${host}:${port}/`,
  (host, port) => `//${host}:${port}/`,
  (host, port) => `wss://${host}:${port}/`,
  (host, port) => `gopher://${host}:${port}/_GET`,
  (host, port) => `url:https://${host}:${port}/`,
  (host, port) => `https://${host}:${port}/${'a'.repeat(2100)}`,
]

/** So many different URLs to the port: each host in each form, in an order that mixes both. */
export function hostileUrls(count: number, port: number): readonly string[] {
  const urls = new Set<string>()
  for (let turn = 0; turn < FORMS.length && urls.size < count; turn++) {
    for (let at = 0; at < HOSTS.length && urls.size < count; at++) {
      const form = FORMS[(turn + (turn === 0 ? 0 : at)) % FORMS.length] as Form
      urls.add(form(HOSTS[at] ?? '', port))
    }
  }
  return [...urls]
}

/** A name's addresses at its first and at each later question. */
export interface Rebinding {
  readonly name: string
  readonly first: Addresses
  readonly later: Addresses
}

interface Addresses {
  readonly four: readonly string[]
  readonly six: readonly string[]
}

const FORBIDDEN_4 = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '0.0.0.0', '192.168.1.1', '100.64.0.1', '127.255.255.254', '172.20.0.1']
const FORBIDDEN_6 = ['::1', '::ffff:7f00:1', 'fd00::1', 'fe80::1', '64:ff9b::7f00:1', '2002:7f00:1::', '::', '2001:db8::1']

/** Public by the rules, and not assigned by IANA: nothing answers there. */
function unassigned(number: number): string {
  return `2e00::${(number + 1).toString(16)}`
}

/** Every second name is public at first and leads here from the second question on; the others mix both in one answer. */
export function rebindingNames(count: number): readonly Rebinding[] {
  return Array.from({ length: count }, (_, number): Rebinding => {
    const [four, six] = [FORBIDDEN_4[number % FORBIDDEN_4.length] ?? '', FORBIDDEN_6[(number >> 1) % FORBIDDEN_6.length] ?? '']
    const open = unassigned(number)
    const here: readonly Addresses[] = [
      { four: [four], six: [] },
      { four: [], six: [six] },
      { four: [four], six: [open] },
      { four: [], six: [open, six] },
      { four: [], six: [six, open] },
      { four: [four, four], six: [six] },
    ]
    const later = here[number % here.length] ?? { four: [four], six: [] }
    return { name: `name-${number}.rebinding.example`, first: number % 2 === 0 ? { four: [], six: [open] } : later, later }
  })
}
