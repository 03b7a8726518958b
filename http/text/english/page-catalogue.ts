// The catalogue of pages, and of the messages of the API that pages show.
import { Catalogue, type Entries } from '../catalogue.ts'
import { API_TEXTS } from './api-details.ts'
import { CHECKOUT_TEXTS, LAYOUT_TEXTS } from './checkout.ts'
import { COMPOSED_TEXTS } from './composed.ts'

/** Texts of the pages. A text is in one of them. */
export const PAGE_TEXTS: readonly Entries[] = [LAYOUT_TEXTS, CHECKOUT_TEXTS]

export const PAGE_CATALOGUE = new Catalogue([API_TEXTS, COMPOSED_TEXTS, ...PAGE_TEXTS])
