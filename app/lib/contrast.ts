import { isHex, lightness, luminance, mix, withLightness, type Hex } from './color.ts'

/** The four values of a site's palette. Every other colour of its pages is derived from them. */
export interface Palette {
  primary: Hex
  accent: Hex
  paper: Hex
  ink: Hex
}

export type Scheme = 'light' | 'dark'

const WHITE: Hex = '#ffffff'
const BLACK: Hex = '#000000'

/** WCAG 2 contrast of two colours, 1 to 21. */
export function contrastRatio(a: Hex, b: Hex): number {
  const [bright, dim] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (bright + 0.05) / (dim + 0.05)
}

/**
 * The nearest colour, in lightness alone, that reaches `ratio` against every one of `grounds`: the colour itself where it
 * already does, else black or white where nothing between does.
 */
export function nearestReadable(color: Hex, grounds: readonly Hex[], ratio: number): Hex {
  const passes = (candidate: Hex): boolean => grounds.every((ground) => contrastRatio(candidate, ground) >= ratio)
  if (passes(color)) return color
  const start = lightness(color)
  for (let step = 0.005; step <= 1; step += 0.005) {
    for (const candidate of [start - step, start + step]) {
      if (candidate < 0 || candidate > 1) continue
      const hex = withLightness(color, candidate)
      if (passes(hex)) return hex
    }
  }
  return passes(BLACK) ? BLACK : WHITE
}

/** Of the given colours the one that reads best on `ground`. */
const bestOn = (ground: Hex, candidates: readonly Hex[]): Hex =>
  candidates.reduce((best, candidate) => (contrastRatio(candidate, ground) > contrastRatio(best, ground) ? candidate : best))

const STATUS = {
  light: { ok: '#1d6f46', warn: '#8a5200', bad: '#b3261e' },
  dark: { ok: '#6fd19b', warn: '#f2b866', bad: '#ff9a90' },
} as const satisfies Record<Scheme, Record<string, Hex>>

/** The colours of a page in one scheme, named as the CSS variables of `app/ui/styles/tokens.css`. */
export function shades(palette: Palette, scheme: Scheme) {
  const dark = scheme === 'dark'
  const nightPaper = mix(palette.ink, 78, BLACK)
  const nightInk = mix(palette.paper, 94, palette.ink)
  const paper = dark ? nightPaper : palette.paper
  const ink = dark ? nightInk : palette.ink
  const card = dark ? mix(nightPaper, 91, WHITE) : WHITE
  const primary = dark ? raised(palette.primary, mix(nightPaper, 82, WHITE), 5.2) : palette.primary
  const accent = dark ? raised(palette.accent, card, 4.5) : palette.accent
  const deep = dark ? mix(palette.primary, 52, BLACK) : mix(palette.primary, 78, BLACK)
  const status = STATUS[scheme]
  return {
    paper,
    ink,
    card,
    primary,
    accent,
    deep,
    onDeep: WHITE,
    onDeepSoft: mix(WHITE, 84, deep),
    onPrimary: bestOn(primary, [WHITE, nightPaper]),
    onAccent: bestOn(accent, [WHITE, palette.ink, nightPaper]),
    inkSoft: mix(ink, 72, paper),
    line: mix(ink, 14, paper),
    fieldLine: mix(ink, 56, card),
    wash: mix(primary, dark ? 16 : 9, card),
    primaryDeep: dark ? mix(primary, 80, WHITE) : mix(primary, 78, BLACK),
    ok: status.ok as Hex,
    warn: status.warn as Hex,
    bad: status.bad as Hex,
    okWash: mix(status.ok, dark ? 16 : 9, card),
    warnWash: mix(status.warn, dark ? 16 : 9, card),
    badWash: mix(status.bad, dark ? 16 : 9, card),
  }
}

export type Shades = ReturnType<typeof shades>

/** Raises lightness until the colour reads on a dark ground, and at least to where it no longer looks muddy there. */
function raised(color: Hex, ground: Hex, ratio: number): Hex {
  let level = Math.max(lightness(color), 0.7)
  while (level < 1 && contrastRatio(withLightness(color, level), ground) < ratio) level += 0.01
  return withLightness(color, level)
}

const TEXT = 4.5
const GRAPHIC = 3

/** Each pair that Parley's pages set on one another, with the contrast WCAG 2.2 AA asks of it. */
const PAIRS: readonly (readonly [keyof Shades, keyof Shades, number])[] = [
  ['ink', 'paper', TEXT],
  ['ink', 'card', TEXT],
  ['ink', 'wash', TEXT],
  ['inkSoft', 'paper', TEXT],
  ['inkSoft', 'card', TEXT],
  ['inkSoft', 'wash', TEXT],
  ['primary', 'paper', TEXT],
  ['primary', 'card', TEXT],
  ['primary', 'wash', TEXT],
  ['primaryDeep', 'wash', TEXT],
  ['onPrimary', 'primary', TEXT],
  ['onPrimary', 'primaryDeep', TEXT],
  ['onDeep', 'deep', TEXT],
  ['onDeepSoft', 'deep', TEXT],
  ['onAccent', 'accent', TEXT],
  ['accent', 'paper', GRAPHIC],
  ['accent', 'card', GRAPHIC],
  ['fieldLine', 'paper', GRAPHIC],
  ['fieldLine', 'card', GRAPHIC],
  ['ok', 'paper', TEXT],
  ['ok', 'okWash', TEXT],
  ['warn', 'paper', TEXT],
  ['warn', 'warnWash', TEXT],
  ['bad', 'paper', TEXT],
  ['bad', 'badWash', TEXT],
  ['ink', 'okWash', TEXT],
  ['ink', 'warnWash', TEXT],
  ['ink', 'badWash', TEXT],
]

export interface ContrastFault {
  scheme: Scheme
  foreground: keyof Shades
  ground: keyof Shades
  ratio: number
  needed: number
}

/** The pairs of a palette that fail WCAG AA, in light and in dark. Empty: it may be published. */
export function contrastFaults(palette: Palette): ContrastFault[] {
  if (!Object.values(palette).every(isHex)) throw new RangeError('a palette is four colours written #rrggbb')
  return (['light', 'dark'] as const).flatMap((scheme) => {
    const colors = shades(palette, scheme)
    return PAIRS.flatMap(([foreground, ground, needed]) => {
      const ratio = contrastRatio(colors[foreground], colors[ground])
      return ratio < needed ? [{ scheme, foreground, ground, ratio, needed }] : []
    })
  })
}
