// Pages of the archive's LMDB store. A value of up to PAGE_BYTES - PAGE_HEADER_BYTES takes one.

export const PAGE_BYTES = 16_384
/** Header of a page in the LMDB of lmdb-js. */
export const PAGE_HEADER_BYTES = 24
