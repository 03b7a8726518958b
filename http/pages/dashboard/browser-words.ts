// Names browser and system of a session in words. A user agent is text of its sender: what is not known is not shown.

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bUCBrowser\//, 'UC Browser'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/\bcurl\//, 'curl'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Returns `Chrome sur Windows`, or as much of it as the user agent tells. */
export function browserWords(userAgent: string): string {
  const browser = BROWSERS.find(([form]) => form.test(userAgent))?.[1]
  const system = SYSTEMS.find(([form]) => form.test(userAgent))?.[1]
  if (browser === undefined) return system === undefined ? 'Navigateur inconnu' : `Navigateur inconnu sur ${system}`
  return system === undefined ? browser : `${browser} sur ${system}`
}
