// The menu of small screens: a bar at the bottom with the places of a day's work and, under "Plus", all the others. It needs no
// script.

import type { Text } from '../../text/text.ts'
import { type Fragment, type Html, html } from './html.ts'
import { texts } from './texts.ts'

const TEXTS = texts({
  fr: {
    more: (picture: Fragment) => html`${picture}Plus`,
  },
  en: {
    more: (picture) => html`${picture}More`,
  },
})

/** Shapes in a square of 24 by 24. */
const ICONS = {
  home: 'M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z',
  in: 'M12 4v10m-4-4l4 4 4-4M5 19h14',
  out: 'M12 15V5M8 9l4-4 4 4M5 19h14',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.010M4 12h.010M4 18h.010',
  inbox: 'M4 13l2.500-8h11L20 13v6H4zM4 13h4.500l1.500 2.500h4L15.500 13H20',
  check: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 12.500l2.700 2.700L16 9.500',
  people:
    'M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM2.500 20c0-3.600 2.900-5.500 6.500-5.500s6.500 1.900 6.500 5.500M16 4.300a3.500 3.500 0 0 1 0 6.400M18 15c2.200.7 3.500 2.400 3.500 5',
  more: 'M5 12h.010M12 12h.010M19 12h.010',
} as const

export interface MenuPlace {
  readonly address: string
  /** At most 12 letters: five places share 320 px. */
  readonly words: Text | string
  readonly icon: keyof typeof ICONS
  readonly isHere: boolean
}

export interface BottomMenu {
  /** Accessible name. */
  readonly label: Text | string
  readonly places: readonly MenuPlace[]
  /** Links and forms under "Plus". */
  readonly rest: Fragment
}

/** Renders the bar. It stands after the content, so that the content comes first for the keyboard. */
export function bottomMenu({ label, places, rest }: BottomMenu): Html {
  const isElsewhere = !places.some(({ isHere }) => isHere)
  return html`<nav class="dock" aria-label="${label}">
${places.map(({ address, words, icon, isHere }) => html`<a href="${address}"${isHere && html` aria-current="page"`}>${picture(icon)}${words}</a>`)}
<details><summary${isElsewhere && html` class="is-here"`}>${TEXTS.more(picture('more'))}</summary><div class="dock-sheet">${rest}</div></details>
</nav>`
}

function picture(icon: keyof typeof ICONS): Html {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${ICONS[icon]}"/></svg>`
}
