// Sanitizes untrusted text for one line of a screen, a log or a response.

/**
 * Replaces control characters, line ends and blanks by one blank. It removes characters that change the direction or
 * look of surrounding text (bidirectional controls, byte order mark, lone surrogates).
 */
export function oneLine(text: string): string {
  return text
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|\p{Cs}/gu, '')
    .replace(/[\p{Cc}\u2028\u2029\s]+/gu, (blanks) => (blanks === '\u00a0' || blanks === '\u202f' ? blanks : ' '))
    .trim()
}

/** Same as `oneLine`, truncated to `lengthMax` code points. */
export function cutLine(text: string, lengthMax: number): string {
  const characters = Array.from(oneLine(text.slice(0, 4 * lengthMax)))
  return characters.length <= lengthMax ? characters.join('') : `${characters.slice(0, lengthMax - 1).join('')}…`
}
