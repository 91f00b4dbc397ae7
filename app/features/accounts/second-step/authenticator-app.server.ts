import { generateSecret, generateURI, verifySync } from 'otplib'
import { encode } from 'uqr'

const CODE = /^\d{6}$/
const PERIOD_SECONDS = 30

/** A new 160-bit key in base 32, as authenticator apps take it. */
export const createAppKey = (): string => generateSecret()

/**
 * Checks a code of RFC 6238 (SHA-1, six digits, 30 seconds). The clocks may differ by one step.
 * @returns the time step that the code belongs to, or undefined if it is wrong
 */
export function findCodeStep(key: string, code: string, now: Date): number | undefined {
  if (!CODE.test(code)) return undefined
  const epoch = Math.floor(now.getTime() / 1000)
  const checked = verifySync({ secret: key, token: code, epoch, period: PERIOD_SECONDS, epochTolerance: PERIOD_SECONDS })
  return checked.valid && 'timeStep' in checked ? checked.timeStep : undefined
}

/** What an authenticator app reads from the QR code: the key, and under which name the app lists it. */
const buildAppAddress = (key: string, names: { site: string; email: string }): string =>
  generateURI({ issuer: names.site, label: names.email, secret: key })

export interface QrCode {
  /** Width and height in modules, with the quiet zone. */
  size: number
  /** The dark modules as an SVG path. */
  path: string
}

/** Drawn on the server, so that no script and no other service sees the key. */
export function drawAppQrCode(key: string, names: { site: string; email: string }): QrCode {
  const { size, data } = encode(buildAppAddress(key, names), { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return { size, path }
}

/** In groups of four, for people who type it. */
export const formatAppKey = (key: string): string => key.match(/.{1,4}/g)?.join(' ') ?? key
