// Finished texts that are translated: entries with values, and texts of others that no entry matches.
import { ok, strictEqual } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Catalogue } from '../../../http/text/catalogue.ts'
import { PAGE_CATALOGUE } from '../../../http/text/english/page-catalogue.ts'

describe('the catalogue', () => {
  test('finds the values of an entry: each as short as it can be, in the order of the English text', () => {
    const pages = { 'De {0} à {1}, {2}': 'To {1} from {0}: {2}', '({0})': '[{0}]', Eau: 'Water', '{0} au plus': 'up to {0}' }
    const catalogue = new Catalogue({ sentences: [{ 'Le champ {0} manque.': 'The field {0} is missing.' }], pages: [pages] })
    const texts = [
      ['De 1 à 2, 3, 4', 'To 2 from 1: 3, 4'],
      ['(1) 2)', '[1) 2]'],
      ['Eau au plus', 'up to Water'],
      ['5\u202f000\u00a0F\u00a0CFA au plus', 'up to 5,000 F CFA'],
      ['{1} au plus', 'up to {1}'],
      ['Le champ ligne manque.', 'The field ligne is missing.'],
      ['De A à', 'De A à'],
      ['au plus', 'au plus'],
      ['De 1, 2 à 3', 'De 1, 2 à 3'],
    ]
    for (const [french = '', english] of texts) strictEqual(catalogue.translated(french), english)
  })

  test('translates a whole text, or nothing of it', () => {
    const pages = {
      '{0} de {1}': '{0} of {1}',
      Le: 'The',
      'Le solde manque.': 'The balance is short.',
      'Ajoutez {0}.': 'Add {0}.',
      Eau: 'Water',
    }
    const catalogue = new Catalogue({ sentences: [], pages: [pages] })
    const texts = [
      ['Le solde de versement', 'Le solde de versement'],
      ['Le de versement', 'Le de versement'],
      ['Eau de Boutique Awa', 'Eau de Boutique Awa'],
      ['Le solde manque. Ajoutez 500.', 'The balance is short. Add 500.'],
      ['Le solde manque. Ajoutez du solde.', 'Le solde manque. Ajoutez du solde.'],
      ['Le solde manque. Autre chose.', 'Le solde manque. Autre chose.'],
    ]
    for (const [french = '', english] of texts) strictEqual(catalogue.translated(french), english)
  })

  // A regular expression with several values took more than a minute for each.
  test('leaves long texts of others as they are, also those made of the words of its entries', () => {
    for (const part of [' · ', 'Le ', ', ', ' (', '1 de 1 en ', '. A', '1 sur 1 de ']) {
      const text = `${part.repeat(2000)}?`
      ok(PAGE_CATALOGUE.translated(text) === text, `a text of ${JSON.stringify(part)} is unchanged`)
    }
  })
})
