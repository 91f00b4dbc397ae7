/** A CSS colour, `#rrggbb`. */
export type Hex = `#${string}`

export const HEX_PATTERN = /^#[0-9a-f]{6}$/i
export const isHex = (value: unknown): value is Hex => typeof value === 'string' && HEX_PATTERN.test(value)

/** The colour that somebody typed or pasted, with or without its `#`, of six or three digits; undefined if it is none. */
export function parseColor(text: string): Hex | undefined {
  const [, digits] = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim()) ?? []
  if (!digits) return undefined
  return `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`.toLowerCase() as Hex
}

type Triple = readonly [number, number, number]

function toChannels(hex: Hex): Triple {
  const value = Number.parseInt(hex.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

const toLinear = (channel: number): number => {
  const c = channel / 255
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
}

const fromLinear = (linear: number): number => {
  const c = Math.min(1, Math.max(0, linear))
  return Math.round(255 * (c <= 0.0031308 ? c * 12.92 : 1.055 * c ** (1 / 2.4) - 0.055))
}

/** Relative luminance as defined by WCAG 2, from 0 (black) to 1 (white). */
export function computeLuminance(hex: Hex): number {
  const [r, g, b] = toChannels(hex).map(toLinear) as unknown as Triple
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Björn Ottosson's Oklab, the space in which `color-mix(in oklab, …)` mixes. */
function toOklab(hex: Hex): Triple {
  const [r, g, b] = toChannels(hex).map(toLinear) as unknown as Triple
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function fromOklab([L, a, b]: Triple): Hex {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3
  const rgb = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  return `#${rgb.map((linear) => fromLinear(linear).toString(16).padStart(2, '0')).join('')}`
}

/** The result of `color-mix(in oklab, first percent%, second)`. */
export function mixColors(first: Hex, percent: number, second: Hex): Hex {
  const one = toOklab(first)
  const two = toOklab(second)
  const share = percent / 100
  const mixChannel = (index: 0 | 1 | 2): number => one[index] * share + two[index] * (1 - share)
  return fromOklab([mixChannel(0), mixChannel(1), mixChannel(2)])
}

/** The colour with another Oklab lightness (0 black, 1 white); keeps hue and chroma as far as sRGB allows. */
export function withLightness(hex: Hex, lightness: number): Hex {
  const [, a, b] = toOklab(hex)
  return fromOklab([lightness, a, b])
}

export const computeLightness = (hex: Hex): number => toOklab(hex)[0]
