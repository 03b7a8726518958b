// Limits of the public documents.

/** Maximum number of characters of a search that are read. */
export const SEARCH_LENGTH_MAX = 100
/** Maximum number of words of a search that are read. */
export const SEARCH_WORDS_MAX = 8
/** Maximum number of sections that a search shows. */
export const SEARCH_RESULTS_MAX = 30
/** Maximum number of characters of a section that a search shows. */
export const EXCERPT_LENGTH = 160
