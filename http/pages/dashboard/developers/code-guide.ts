// What hosted code receives, has and lacks, as data of the page about it. Tests compare the data with the schemas and the sandbox.
import { type Currency, decimalsOf } from '../../../../engine/kernel/currency.ts'
import type { Text } from '../../../text/text.ts'
import { TEXTS } from './code-guide-messages.ts'

/** Field, and its meaning; of amounts by the currency of the merchant. */
export type Fields = readonly (readonly [name: string, words: Text | string | ((currency: Currency) => Text | string)])[]

const inFrancs = (currency: Currency): boolean => decimalsOf(currency) === 0

export const ARGS_FIELDS: Fields = [
  ['product', TEXTS.identifierProduct],
  ['fields', TEXTS.whatCustomerTypedByField],
  ['request_id', TEXTS.identifierRequest],
  ['ts', TEXTS.timeRequestInUnixSeconds],
]

export const CONTEXT_FIELDS: Fields = [
  ['biller', TEXTS.identifierBiller],
  ['product', TEXTS.identifierProduct],
  ['amount', (currency) => (inFrancs(currency) ? TEXTS.paidAmountInFrancs : TEXTS.paidAmountInSmallestUnit)],
  ['currency', (currency) => currency],
  ['biller_ref', TEXTS.referenceGivenByLookupEmpty],
  ['form_values', TEXTS.whatCustomerTypedByFieldIdentifier],
  ['transaction_id', TEXTS.identifierPaymentRepeatedDeliveryHas],
  ['charge_id', TEXTS.identifierCharge],
  ['merchant_id', TEXTS.identifier],
  ['paid_at', TEXTS.timePaymentInUnixSeconds],
]

export const DUE_FIELDS: Fields = [
  ['ok', TEXTS.trueThereAmountPay],
  ['amount', (currency) => (inFrancs(currency) ? TEXTS.amountDueWholeInFrancs : TEXTS.amountDueInSmallestUnit)],
  ['currency', (currency) => TEXTS.codeOrAbsent(currency)],
  ['label', TEXTS.purposeBill],
  ['customer_name', TEXTS.nameOnBill],
  ['biller_ref', TEXTS.referenceGivenBackOnPaid],
  ['line_items', TEXTS.linesLabelAmountWhoseSum],
]

export const REFUSED_FIELDS: Fields = [
  ['ok', TEXTS.falseNothingCanBePaid],
  ['reason', TEXTS.reasonInFrenchShownCustomer],
]

interface GlobalGroup {
  readonly title: Text | string
  readonly names: readonly string[]
  readonly words: Text | string
}

/** Every global beside the language itself. */
export const GLOBALS: readonly GlobalGroup[] = [
  {
    title: TEXTS.network,
    names: ['fetch', 'Headers', 'Request', 'Response', 'FormData', 'Blob', 'File', 'AbortController', 'AbortSignal'],
    words: TEXTS.httpsAnyPublicAddressOn,
  },
  {
    title: TEXTS.textAndBytes,
    names: ['Buffer', 'TextEncoder', 'TextDecoder', 'URL', 'URLSearchParams', 'atob', 'btoa', 'structuredClone'],
    words: TEXTS.textDecoderReadsUtf8Utf,
  },
  {
    title: TEXTS.streams,
    names: [
      ...['ReadableStream', 'ReadableStreamDefaultReader', 'ReadableStreamBYOBReader', 'WritableStream', 'WritableStreamDefaultWriter'],
      ...['TransformStream', 'ByteLengthQueuingStrategy', 'CountQueuingStrategy', 'TextDecoderStream', 'TextEncoderStream'],
    ],
    words: TEXTS.streamBodies,
  },
  {
    title: TEXTS.cryptography,
    names: ['crypto', 'Crypto', 'CryptoKey', 'SubtleCrypto'],
    words: TEXTS.randomUUIDGetRandomValuesAndSubtleSha,
  },
  {
    title: TEXTS.time,
    names: [
      ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'],
      ...['queueMicrotask', 'performance'],
    ],
    words: TEXTS.timeUtc100TimersAt,
  },
  {
    title: TEXTS.languageAndNumbers,
    names: ['Intl'],
    words: TEXTS.numbersDatesPluralsSortingLists,
  },
  {
    title: TEXTS.rest,
    names: ['console', 'process', 'global', 'self', 'module', 'exports', 'require', 'DOMException', 'Event', 'EventTarget'],
    words: TEXTS.consoleWritesRunLogProcess,
  },
]

/** What Node.js 18 has and hosted code lacks. */
export const ABSENT: readonly { readonly names: readonly string[]; readonly words: Text | string }[] = [
  { names: [], words: TEXTS.modulesRequireAndImportAlways },
  {
    names: [],
    words: TEXTS.filesProcessesEnvironmentVariablesSockets,
  },
  { names: ['CompressionStream', 'DecompressionStream'], words: TEXTS.compression },
  { names: ['MessageChannel', 'BroadcastChannel'], words: TEXTS.channelsBetweenThreads },
  { names: ['WebAssembly', 'Atomics', 'Worker'], words: TEXTS.webAssemblyThreadsAndSharedMemory },
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
