// The layout of every page: the HTML document, its stylesheet, and headers against framing, foreign scripts and caching. It
// must never know the content of a page.

import { answerPrivate } from '../../server/content-coding.ts'
import type { Call, Header } from '../../server/route.ts'
import type { Language } from '../../text/language.ts'
import type { Text } from '../../text/text.ts'
import { type AssetName, assetPath } from './assets.ts'
import { type Fragment, type Html, html, type Title } from './html.ts'
import { type LanguageCall, languageOf } from './page-language.ts'
import { WORDS } from './shared-words.ts'
import { texts } from './texts.ts'

const TEXTS = texts({
  fr: {
    skipContent: 'Aller au contenu',
    testEnvironmentNoRealMoney: html`<strong>Environnement de test.</strong> Aucun argent réel ne circule. Code SMS : 000000, code PIN : 2580.`,
  },
  en: {
    skipContent: 'Skip to content',
    testEnvironmentNoRealMoney: html`<strong>Test environment.</strong> No real money moves. SMS code: 000000, PIN: 2580.`,
  },
})

export interface Page {
  /** First part of the title, before the product name. */
  readonly title: Title | Text | Html
  /** The script of the page, if any. */
  readonly script?: AssetName
  /** The page's own stylesheet, after the shared one. */
  readonly look?: AssetName
  /** Id of the content, when the main element contains more than the content. */
  readonly contentId?: string
  /** Content of the bar beside the product name. */
  readonly bar?: Html
  /** Menu of small screens, after the content. */
  readonly menu?: Html
  /** Relative path to the root: `../` for `/pay/x`. Addresses stay relative, so that a proxy may add a path prefix. */
  readonly root: string
  /** True in the test environment. Every page says so. */
  readonly isTest?: boolean
  readonly body: Html
}

/**
 * Content Security Policy: no inline code, no foreign resources, no framing. Forms go to this origin alone.
 * Content Security Policy Level 3 (W3C).
 */
const POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "connect-src 'self'",
  "font-src 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "img-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** Headers of every answer of a page, redirects included. */
export const PAGE_HEADERS: readonly Header[] = [
  ['Content-Security-Policy', POLICY],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=()'],
  ['X-Robots-Tag', 'noindex, nofollow'],
]

/** Answers with a page in the language of the reader. `more` are additional headers, such as a cookie. */
export function answerPage(
  call: Pick<Call, 'answerAs' | 'acceptEncoding'> & LanguageCall,
  status: number,
  page: Page,
  more: readonly Header[] = [],
): void {
  const { language, cookies, otherAddress } = languageOf(call)
  answerPrivate(call, status, pageText(page, language, otherAddress), [...PAGE_HEADERS, ...contentHeaders(language), ...cookies, ...more])
}

/** Returns the headers of a page's content. */
export function contentHeaders(language: Language): readonly Header[] {
  return [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Content-Language', language],
    ['Vary', 'Accept-Language, Cookie'],
  ]
}

/** After a form: the browser asks for the page anew, so that reloading it sends nothing twice. `address` is relative, percent-encoded. */
export function redirectTo(call: Pick<Call, 'answerAs'>, address: string, more: readonly Header[] = []): void {
  call.answerAs(303, '', [...PAGE_HEADERS, ['Content-Type', 'text/plain; charset=utf-8'], ['Location', address], ...more])
}

/** Returns the HTML document of a page. `otherAddress` leads to it in the other language; null where no address does. */
export function pageText(
  { title, script, look, bar, menu, contentId, root, isTest, body }: Page,
  language: Language,
  otherAddress: string | null = null,
): string {
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${title} · Cauri</title>
<link rel="icon" href="${root}${assetPath('shared/icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${root}${assetPath('shared/look.css')}">
${look !== undefined && html`<link rel="stylesheet" href="${root}${assetPath(look)}">`}
${script !== undefined && html`<script src="${root}${assetPath(script)}" defer></script>`}
</head>
<body${menu !== undefined && html` class="docked"`}>
${bar !== undefined && html`<a class="skip" href="#${contentId ?? 'main'}">${TEXTS.skipContent}</a>`}
<header class="bar"><span class="brand">${SHELL}Cauri</span>${bar}</header>
${isTest === true && TEST_NOTICE}
<main id="main" tabindex="-1">
${body}
</main>
${otherAddress !== null && languageSwitch(otherAddress, language)}
${menu}
</body>
</html>
`
  return page.in(language)
}

function languageSwitch(address: string, language: Language): Html {
  const other = language === 'fr' ? 'en' : 'fr'
  return html`<footer class="languages"><a href="${address}" hreflang="${other}" lang="${other}" rel="nofollow"><bdi>${LANGUAGE_NAMES[other]}</bdi></a></footer>`
}

const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { fr: 'Français', en: 'English' }

/** Logo: a cowrie shell. */
const SHELL: Fragment = html`<svg class="shell" viewBox="0 0 32 32" aria-hidden="true" focusable="false"><path class="shell-body" d="M16 2c7 0 11 6.200 11 14s-4 14-11 14S5 23.800 5 16 9 2 16 2z"/><path class="shell-mouth" d="M16 6.500c-1.800 3-1.800 16 0 19M16 10h-3.200M16 13h-4M16 16h-4.300M16 19h-4M16 22h-3.200M16 10h3.200M16 13h4M16 16h4.300M16 19h4M16 22h3.200"/></svg>`

const TEST_NOTICE: Fragment = html`<aside class="notice" aria-label="${WORDS.environment}">${TEXTS.testEnvironmentNoRealMoney}</aside>`
