// Detects weak passwords: short ones, common ones, and those derived from the user's e-mail or name. Length counts,
// not kinds of characters (NIST SP 800-63B, section 5.1.1.2).

export const PASSWORD_LENGTH_MIN = 10
/** Maximum code points; a longer password is rejected before any other check. */
export const PASSWORD_LENGTH_MAX = 128

/** Stems of the most frequent leaked passwords, English and French, without surrounding digits and signs. */
const COMMON = new Set(
  `abcdefghij abcdefgh abidjan admin administrateur administrator amour azerty azertyuiop baseball bienvenue bonjour bonjourbonjour
  cameroun cauri changeme changemoi chocolat chouchou cotedivoire dakar doudou dragon football iloveyou jetaime letmein login loulou
  maman marseille master monkey monmotdepasse motdepasse motdepassemotdepasse passe passw0rd password passwordpassword payment princess princesse
  qwerty qwertyuiop qwertz secret secretsecret senegal soleil sunshine superman test testtest toto trustno welcome`.split(/\s+/),
)

/** Minimum length of a word of the e-mail or name that a password must not contain. */
const TELLING_LENGTH_MIN = 4

export function isWeakPassword(
  password: string,
  { email, merchantName }: { readonly email: string; readonly merchantName: string },
): boolean {
  const composed = password.normalize('NFC')
  if ([...composed].length < PASSWORD_LENGTH_MIN) return true
  const plain = composed.toLowerCase()
  const core = plain.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  if (core === '' ? isPattern(plain) : COMMON.has(core) && plain.length < core.length + 4) return true
  if (new Set(plain).size <= 3) return true
  const own = [email, ...email.split('@').slice(0, 1), merchantName].map((word) => word.toLowerCase())
  return own.some((word) => word.length >= TELLING_LENGTH_MIN && (plain === word || core === word))
}

/** Returns whether a text of digits and signs is a run or a repetition. */
function isPattern(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0)
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] as number)))
  steps.delete(9)
  steps.delete(-9)
  return steps.size <= 1 || /^(.{1,5})\1+$/.test(text)
}
