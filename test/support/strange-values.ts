// Texts that chance puts where the API takes one: what users write, what they mistype, and what attackers try.
import fc from 'fast-check'

export const TEXT = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1',
    '100',
    '101',
    'awa',
    '@awa',
    'paid',
    'test',
    'live',
    'true',
    'null',
    '2026-11-20T10:00:00Z',
    'cDA',
    '%',
    '../..',
    "' OR 1=1 --",
    '\u0000',
    '😀'.repeat(50),
  ),
)

export const HEADER = fc.string({ unit: fc.constantFrom(...' !"#$%&()*+,-./09:;<=>?@AZ[]^_`az{|}~'), minLength: 1, maxLength: 300 })
