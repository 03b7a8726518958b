// What hosted code receives, has and lacks, as data of the page about it. Tests compare the data with the schemas and the sandbox.

/** Field, and its meaning in French. */
type Fields = readonly (readonly [name: string, words: string])[]

export const ARGS_FIELDS: Fields = [
  ['product', 'identifiant du produit'],
  ['fields', 'ce que le client a saisi, par identifiant de champ ; toujours du texte'],
  ['request_id', 'identifiant de cette demande'],
  ['ts', 'heure de la demande, en secondes Unix'],
]

export const CONTEXT_FIELDS: Fields = [
  ['biller', 'identifiant du facturier'],
  ['product', 'identifiant du produit'],
  ['amount', 'montant payé, en francs'],
  ['currency', 'XOF'],
  ['biller_ref', 'référence donnée par la consultation ; vide sans consultation'],
  ['form_values', 'ce que le client a saisi, par identifiant de champ'],
  ['transaction_id', 'identifiant du paiement : une livraison répétée porte le même'],
  ['charge_id', 'identifiant de l’encaissement'],
  ['merchant_id', 'votre identifiant'],
  ['paid_at', 'heure du paiement, en secondes Unix'],
]

export const DUE_FIELDS: Fields = [
  ['ok', 'true : il y a un montant à payer'],
  ['amount', 'montant dû, entier, en francs'],
  ['currency', 'XOF, ou absent'],
  ['label', 'objet de la facture'],
  ['customer_name', 'nom sur la facture'],
  ['biller_ref', 'votre référence, rendue à onPaid'],
  ['line_items', 'lignes {label, amount} dont la somme est amount'],
]

export const REFUSED_FIELDS: Fields = [
  ['ok', 'false : rien ne peut être payé'],
  ['reason', 'raison en français, montrée au client'],
]

interface GlobalGroup {
  readonly title: string
  readonly names: readonly string[]
  readonly words: string
}

/** Every global beside the language itself. */
export const GLOBALS: readonly GlobalGroup[] = [
  {
    title: 'Réseau',
    names: ['fetch', 'Headers', 'Request', 'Response', 'FormData', 'Blob', 'File', 'AbortController', 'AbortSignal'],
    words: 'HTTPS vers toute adresse publique, sur tout port ; les corps sont entiers, et body les lit aussi en flux (stream).',
  },
  {
    title: 'Texte et octets',
    names: ['Buffer', 'TextEncoder', 'TextDecoder', 'URL', 'URLSearchParams', 'atob', 'btoa', 'structuredClone'],
    words: 'TextDecoder lit UTF-8, UTF-16 et windows-1252 (ISO-8859-1).',
  },
  {
    title: 'Flux',
    names: [
      ...['ReadableStream', 'ReadableStreamDefaultReader', 'ReadableStreamBYOBReader', 'WritableStream', 'WritableStreamDefaultWriter'],
      ...['TransformStream', 'ByteLengthQueuingStrategy', 'CountQueuingStrategy', 'TextDecoderStream', 'TextEncoderStream'],
    ],
    words: 'Response.body et Blob.stream() ; une requête qui envoie un flux demande duplex: "half".',
  },
  {
    title: 'Cryptographie',
    names: ['crypto', 'Crypto', 'CryptoKey', 'SubtleCrypto'],
    words:
      'randomUUID, getRandomValues et subtle : SHA-1 à SHA-512, HMAC, AES-GCM et AES-CBC, RSA jusqu’à 4 096 bits, ECDSA, Ed25519, PBKDF2 jusqu’à 200 000 tours, HKDF ; 1 Mo de données par opération.',
  },
  {
    title: 'Temps',
    names: [
      ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'],
      ...['queueMicrotask', 'performance'],
    ],
    words: 'L’heure est en UTC ; 100 minuteurs au plus à la fois.',
  },
  {
    title: 'Langue et nombres',
    names: ['Intl'],
    words: 'Nombres, dates, pluriels, tri, listes et durées dans toutes les langues ; toLocaleString et localeCompare aussi.',
  },
  {
    title: 'Le reste',
    names: ['console', 'process', 'global', 'self', 'module', 'exports', 'require', 'DOMException', 'Event', 'EventTarget'],
    words: 'console écrit dans le journal d’exécution ; process.env est vide ; require explique quoi prendre à la place.',
  },
]

/** What Node.js 18 has and hosted code lacks. */
export const ABSENT: readonly { readonly names: readonly string[]; readonly words: string }[] = [
  { names: [], words: 'Les modules : require et import échouent toujours. Collez le texte d’un paquet sans dépendance, 64 Ko en tout.' },
  {
    names: [],
    words: 'Les fichiers, les processus, les variables d’environnement, les sockets : fetch est le seul chemin vers le réseau.',
  },
  { names: ['CompressionStream', 'DecompressionStream'], words: 'La compression.' },
  { names: ['MessageChannel', 'BroadcastChannel'], words: 'Les canaux entre fils.' },
  { names: ['WebAssembly', 'Atomics', 'Worker'], words: 'WebAssembly, les fils et la mémoire partagée entre fils.' },
]

/** Limits of a run, in French. A test compares the numbers with those of the sandbox. */
export interface RunLimits {
  readonly seconds: number
  readonly fetches: number
  readonly fetchKilobytes: number
  readonly crossingKilobytes: number
  readonly megabytes: number
  readonly logLines: number
}

export const RUN_LIMITS: RunLimits = { seconds: 10, fetches: 10, fetchKilobytes: 256, crossingKilobytes: 64, megabytes: 32, logLines: 100 }

/** Packages of the npm registry that run unchanged, file by file. A test runs each. */
export const TRIED_PACKAGES: readonly string[] = [
  ...['big.js', 'currency.js', 'dayjs', 'escape-html', 'iban', 'js-base64', 'js-sha256', 'jstoxml', 'luhn', 'ms'],
  ...['mustache', 'papaparse', 'qs', 'querystring', 'slugify', 'strftime', 'tweetnacl', 'uuid'],
]
