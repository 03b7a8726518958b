// Public packages that merchants paste into their hosted code, as they are published: one or few files without dependencies. Each
// exercise is the source of a function of the packages; test/sandbox-pool/merchant-packages.test.ts runs it in Node and in the sandbox.

export interface PackageRow {
  /** Files below node_modules/, by the name of the exercise's parameter. */
  readonly files: Readonly<Record<string, string>>
  /** Specifiers that the files require, by name of a file above. */
  readonly requires?: Readonly<Record<string, string>>
  readonly exercise: string
}

export const MERCHANT_PACKAGES: Readonly<Record<string, PackageRow>> = {
  'base64 of texts and bytes': {
    files: { base64: 'js-base64/base64.js' },
    exercise: `({ base64 }) => {
      const { Base64 } = base64.Base64 ? base64 : { Base64: base64 }
      return ['é€😀', '', 'abc'].map((text) => [Base64.encode(text), Base64.encodeURI(text), Base64.decode(Base64.encode(text)), [...Base64.toUint8Array(Base64.encode(text))], Base64.isValid('***')])
    }`,
  },
  'slugs of French titles': {
    files: { slugify: 'slugify/slugify.js' },
    exercise: `({ slugify }) => ['Forfait été 500 Mo', 'Œuvre & Cœur', '  à -- la  carte!  ', 'Ça coûte 5 €'].map((title) => [slugify(title), slugify(title, { lower: true, strict: true, locale: 'fr' }), slugify(title, '_')])`,
  },
  'CSV of customers': {
    files: { papa: 'papaparse/papaparse.js' },
    exercise: `({ papa }) => [
      papa.parse('nom;montant\\r\\n"Ndiaye; Awa";1 500\\r\\n"dit ""Le Grand""";2000\\r\\n', { header: true, delimiter: ';', skipEmptyLines: true }),
      papa.parse('a,b\\n1,2\\n3', { dynamicTyping: true }).data,
      papa.unparse([{ ref: 'A;1', total: 5, note: 'é"x' }, { ref: 'B', total: null }], { delimiter: ';', quotes: true, newline: '\\n' }),
    ]`,
  },
  'dates in French': {
    files: { dayjs: 'dayjs/dayjs.min.js', fr: 'dayjs/locale/fr.js' },
    requires: { dayjs: 'dayjs' },
    exercise: `({ dayjs }) => {
      dayjs.locale('fr')
      const day = dayjs(Date.UTC(2026, 10, 22, 6, 17))
      return [day.toISOString(), dayjs('2026-02-28').add(1, 'month').format('dddd D MMMM YYYY'), dayjs('2026-12-31').diff('2026-01-01', 'day'), dayjs('2026-11-22').endOf('month').date(), dayjs('nonsense').isValid(), dayjs('2026-11-22T08:00:00').format('HH:mm:ss SSS ddd DD/MM/YY')]
    }`,
  },
  'dates by format': {
    files: { strftime: 'strftime/strftime.js' },
    exercise: `({ strftime }) => {
      const utc = strftime.utc()
      const date = new Date(Date.UTC(2026, 10, 2, 6, 7, 8, 9))
      return [utc('%Y-%m-%d %H:%M:%S.%L', date), utc.localizeByIdentifier('fr_FR')('%A %e %B %Y', date), utc('%j %U %p %y', date), utc('%s', date)]
    }`,
  },
  'UUIDs by name and at random': {
    files: { uuid: 'uuid/dist/umd/uuid.min.js' },
    exercise: `({ uuid }) => [uuid.v5('facture-7', uuid.v5.URL), uuid.v3('facture-7', uuid.v3.DNS), uuid.validate(uuid.v4()), uuid.version(uuid.v1()), uuid.v4() !== uuid.v4(), uuid.stringify(uuid.parse('6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b'))]`,
  },
  'exact sums': {
    files: { Big: 'big.js/big.js' },
    exercise: `({ Big }) => [Big('0.1').plus('0.2').toString(), Big(1).div(3).toFixed(10), Big('123456789012345678901234567890').times(3).toString(), Big(1234.565).round(2, Big.roundHalfUp).toString(), Big(2).pow(64).toString(), Big('1e-7').toExponential()]`,
  },
  'amounts of money': {
    files: { currency: 'currency.js/dist/currency.umd.js' },
    exercise: `({ currency }) => {
      const xof = (value) => currency(value, { symbol: 'F CFA', precision: 0, separator: ' ', decimal: ',', pattern: '# !' })
      return [xof(1234567).format(), xof('1 500').add(250).format(), currency(10).distribute(3).map((part) => part.value), currency('1,234.56').multiply(1.18).format(), xof(-500).format()]
    }`,
  },
  'bank account numbers': {
    files: { iban: 'iban/iban.js' },
    exercise: `({ iban }) => ['FR1420041010050500013M02606', 'SN08SN0100152000048500003035', 'FR00'].map((text) => [iban.isValid(text), iban.printFormat(text, ' '), iban.electronicFormat(text)])`,
  },
  'check digits of a card': {
    files: { luhn: 'luhn/src/luhn.js' },
    exercise: `({ luhn }) => ['4242 4242 4242 4242', '4242424242424241', '', 'abc'].map((text) => luhn.validate(text))`,
  },
  'templates of receipts': {
    files: { mustache: 'mustache/mustache.js' },
    exercise: `({ mustache }) => [
      mustache.render('Reçu {{ref}} : {{#lignes}}{{nom}} {{{prix}}}; {{/lignes}}{{^vide}}fin{{/vide}}', { ref: '<7>', lignes: [{ nom: 'Été', prix: '5 €' }, { nom: 'B', prix: '&' }] }),
      mustache.render('{{>pied}}', { a: 1 }, { pied: 'a={{a}}' }),
      mustache.parse('{{a}} b').length,
    ]`,
  },
  'text in HTML': {
    files: { escape: 'escape-html/index.js' },
    exercise: `({ escape }) => ['<a href="x">l\\'été & "co"</a>', '', 'rien'].map(escape)`,
  },
  'durations in words': {
    files: { ms: 'ms/index.js' },
    exercise: `({ ms }) => [ms('2 days'), ms('1.5h'), ms(60000), ms(90000, { long: true }), ms('-3 min')]`,
  },
  'HMAC and SHA-256 in JavaScript': {
    files: { sha256: 'js-sha256/build/sha256.cjs' },
    exercise: `({ sha256 }) => [sha256('é€😀'), sha256.hmac('clé', 'message'), sha256.hmac.hex('k', 'x'.repeat(1000)), sha256.sha224(''), sha256.array('a').length, sha256.create().update('a').update('b').hex()]`,
  },
  'signatures by Ed25519': {
    files: { nacl: 'tweetnacl/nacl-fast.js' },
    exercise: `({ nacl }) => {
      const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
      const { publicKey, secretKey } = nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(7))
      const message = new Uint8Array([1, 2, 3])
      const signature = nacl.sign.detached(message, secretKey)
      const box = nacl.secretbox(message, new Uint8Array(24), new Uint8Array(32).fill(9))
      return [hex(publicKey), hex(signature), nacl.sign.detached.verify(message, signature, publicKey), hex(box), hex(nacl.hash(message)), nacl.randomBytes(8).length]
    }`,
  },
  'query strings, plain': {
    files: { decode: 'querystring/decode.js', encode: 'querystring/encode.js' },
    exercise: `({ decode, encode }) => [decode('a=1&a=2&b=%C3%A9+x&c'), encode({ a: [1, 2], b: 'é x', c: true, d: null }), encode({ a: 1 }, ';', ':')]`,
  },
  'query strings, nested': {
    files: { qs: 'qs/dist/qs.js' },
    exercise: `({ qs }) => [qs.parse('client[nom]=Awa&client[tel]=%2B221770000000&l[]=1&l[]=2&__proto__[x]=1'), qs.stringify({ a: { b: ['é', 2], c: null }, d: undefined }), qs.stringify({ a: [1, 2] }, { arrayFormat: 'brackets', encode: false }), qs.parse('a.b=1', { allowDots: true }), qs.parse('x=%E9', { charset: 'iso-8859-1' })]`,
  },
}

/** A package that is a module: hosted code is then its text with one more export. */
export const MODULE_PACKAGE = {
  file: 'jstoxml/jstoxml.js',
  exercise: `(toXML) => [
    toXML({ facture: { _attrs: { numero: '7' }, client: 'Awa & fils', lignes: [{ ligne: 'Été <1>' }, { ligne: 2 }], vide: null } }, { header: true, indent: '  ', attributeFilter: { '"': '&quot;' }, filter: { '<': '&lt;', '>': '&gt;', '&': '&amp;' } }),
    toXML([{ _name: 'Montant', _content: 1500, _attrs: { devise: 'XOF' } }, { _name: 'x', _selfCloseTag: true }]),
  ]`,
} as const
