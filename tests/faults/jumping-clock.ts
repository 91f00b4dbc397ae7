import { readFileSync } from 'node:fs'

/** Loaded before a product: its clock is off by as many milliseconds as a file says. The clock of timeouts goes on, as on any machine. */
const file = process.env['JUMPING_CLOCK'] ?? ''
const RealDate = Date
let offset = 0
const look = () => {
  try {
    offset = Number(readFileSync(file, 'utf8')) || 0
  } catch {
    offset = 0
  }
}
look()
setInterval(look, 50).unref()

class JumpingDate extends RealDate {
  constructor(...given: ConstructorParameters<typeof Date> | []) {
    if (given.length === 0) super(RealDate.now() + offset)
    else super(...(given as [number]))
  }
  static override now(): number {
    return RealDate.now() + offset
  }
}
globalThis.Date = JumpingDate as DateConstructor
