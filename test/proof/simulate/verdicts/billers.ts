// What requests about billers and their products, and the decisions of operators about them, must come to.
import { firstCode, type Verdicts } from '../entry.ts'
import { isFrozen, mayMove } from '../models/billers.ts'
import type { Models } from '../models.ts'

/** What the engine's limit is meant to be, written down a second time. */
const PRODUCTS = 200

const curationVerdicts = ({ billers }: Models) =>
  ({
    CurateBiller: ({ slug, curation, submittedAt }) => {
      const biller = billers.billers.get(slug)
      if (biller === undefined) return 'biller_not_found'
      const isSeen = submittedAt === null || submittedAt === biller.submittedAt
      return isSeen && mayMove(biller, curation) ? null : 'invalid_directory_state'
    },
    CurateLogo: ({ slug, file }) => {
      const biller = billers.billers.get(slug)
      if (biller === undefined) return 'biller_not_found'
      const { pendingLogo } = biller
      return pendingLogo !== null && (file === null || file === pendingLogo) ? null : 'invalid_directory_state'
    },
    ApproveTestBiller: ({ merchant }) => {
      const biller = billers.ofAccount(merchant)
      if (biller === undefined) return 'biller_not_found'
      return biller.state === 'in_review' ? null : 'invalid_directory_state'
    },
  }) satisfies Verdicts

export const billerVerdicts = (models: Models) => {
  const { billers } = models
  return {
    ...curationVerdicts(models),
    SaveBiller: ({ merchant, displayName, category }) => {
      const biller = billers.ofAccount(merchant)
      if (biller === undefined || !isFrozen(biller)) {
        return firstCode([
          [displayName === null, 'display_name_required'],
          [category === null, 'invalid_category'],
        ])
      }
      const isSame = (displayName ?? biller.name) === biller.name && (category ?? biller.category) === biller.category
      return isSame ? null : 'field_frozen'
    },
    SetBillerLogo: ({ merchant }) => (billers.ofAccount(merchant) === undefined ? 'biller_not_found' : null),
    SubmitBiller: ({ merchant }) => {
      const biller = billers.ofAccount(merchant)
      if (biller === undefined) return 'biller_not_found'
      return firstCode([
        [!mayMove(biller, 'submitted'), 'invalid_directory_state'],
        [biller.logo === null, 'profile_incomplete'],
        [[...biller.products.values()].every(({ state }) => state === 'inactive'), 'products_required'],
      ])
    },
    SaveProduct: ({ merchant, slug, mode, definition }) => {
      const biller = billers.ofAccount(merchant)
      const isKnown = biller?.products.has(slug) === true
      if (isKnown !== (mode === 'replace')) return isKnown ? 'slug_taken' : 'product_not_found'
      if ('code' in definition) return definition.code
      if (biller === undefined) return 'biller_not_found'
      return !isKnown && biller.products.size >= PRODUCTS ? 'too_many_products' : null
    },
    SwitchProduct: ({ merchant, slug }) => (billers.ofAccount(merchant)?.products.has(slug) === true ? null : 'product_not_found'),
  } satisfies Verdicts
}
