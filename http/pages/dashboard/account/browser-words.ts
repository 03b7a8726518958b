// Names browser and system of a session in words. A user agent is text of its sender: what is not known is not shown.
import { composed, type Text } from '../../../text/text.ts'
import { texts } from '../../shared/texts.ts'

const TEXTS = texts({
  fr: {
    unknownBrowser: 'Navigateur inconnu',
    browserOnSystem: (browser: string, system: string) => `${browser} sur ${system}`,
  },
  en: {
    unknownBrowser: 'Unknown browser',
    browserOnSystem: (browser, system) => `${browser} on ${system}`,
  },
})

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

/** Returns `Chrome sur Windows`, or as much of it as the user agent says. */
export function browserWords(userAgent: string): Text {
  const browser = BROWSERS.find(([form]) => form.test(userAgent))?.[1] ?? TEXTS.unknownBrowser
  const system = SYSTEMS.find(([form]) => form.test(userAgent))?.[1]
  return system === undefined ? composed`${browser}` : TEXTS.browserOnSystem(browser, system)
}
