// Finished texts that are translated: entries with values, and texts of others that no entry matches.
import { ok, strictEqual } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Catalogue } from '../../../http/text/catalogue.ts'
import { PAGE_CATALOGUE } from '../../../http/text/english/page-catalogue.ts'

describe('the catalogue', () => {
  test('finds the values of an entry: each as short as it can be, in the order of the English text', () => {
    const catalogue = new Catalogue([
      {
        'De {0} à {1}, {2}': 'To {1} from {0}: {2}',
        '{0}{1} en {2}': '{2}, {0}{1}',
        '({0})': '[{0}]',
        Eau: 'Water',
        '{0} au plus': 'up to {0}',
      },
    ])
    const texts = [
      ['De A à B à C, D, E', 'To B à C from A: D, E'],
      // The third value has the form of the entry too.
      ['un en deux en trois', 'trois, deux, un'],
      ['(a) b)', '[a) b]'],
      ['Eau au plus', 'up to Water'],
      ['{1} au plus', 'up to {1}'],
      ['De A à', 'De A à'],
      ['au plus', 'au plus'],
      ['De A, B à C', 'De A, B à C'],
    ]
    for (const [french = '', english] of texts) strictEqual(catalogue.translated(french), english)
  })

  // A regular expression with several values took more than a minute for each.
  test('leaves long texts of others as they are, also those made of the words of its entries', () => {
    for (const part of [' · ', 'Le ', ', ', ' (']) {
      const text = `${part.repeat(2000)}?`
      ok(PAGE_CATALOGUE.translated(text) === text, `a text of ${JSON.stringify(part)} is unchanged`)
    }
  })
})
