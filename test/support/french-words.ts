// What tells French from English in a text of the service.

/** Letters and words that English does not have. */
export const FRENCH = /[éèêëàùçôîÉÀÈ«»]|\b(?:le|la|les|des|du|une|est|pour|dans|avec|vous|votre|aucune?|sur|et|ce|cette)\b/iu
