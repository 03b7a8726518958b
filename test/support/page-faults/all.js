// Measures a page in the browser. Each function returns what is wrong in words, with the element that it concerns.
import { contrastFaults, printFaults } from './contrast.js'
import { ringFaults } from './focus.js'
import { widthFaults, wordFaults } from './layout.js'
import { amounts, markControls } from './marks.js'
import { touchFaults } from './touch.js'

window.pageFaults = { widthFaults, wordFaults, touchFaults, contrastFaults, ringFaults, printFaults, markControls, amounts }
