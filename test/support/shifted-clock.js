// Loaded before a server of the tests (`--import`): its wall clock differs by the milliseconds in the file TEST_CLOCK_FILE, which may change.
import { readFileSync } from 'node:fs'

const file = process.env.TEST_CLOCK_FILE ?? ''
const RealDate = Date
let shiftMs = 0

function look() {
  try {
    shiftMs = Number(readFileSync(file, 'utf8')) || 0
  } catch {
    shiftMs = 0
  }
}

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shiftMs)
    else super(...given)
  }

  static now() {
    return RealDate.now() + shiftMs
  }
}
look()
setInterval(look, 100).unref()
