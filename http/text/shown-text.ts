// Text of strangers as it may stand on one line of a screen, a log or an answer.

/**
 * Control characters, line ends and blanks become one blank; what changes the direction or the look of the text around
 * it (bidirectional controls, byte order mark, lone surrogates) goes.
 */
export function oneLine(text: string): string {
  return text
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|\p{Cs}/gu, '')
    .replace(/[\p{Cc}\u2028\u2029\s]+/gu, (blanks) => (blanks === '\u00a0' || blanks === '\u202f' ? blanks : ' '))
    .trim()
}

/** The same, cut behind so many characters (code points) where it is longer. */
export function cutLine(text: string, lengthMax: number): string {
  const characters = Array.from(oneLine(text.slice(0, 4 * lengthMax)))
  return characters.length <= lengthMax ? characters.join('') : `${characters.slice(0, lengthMax - 1).join('')}…`
}
