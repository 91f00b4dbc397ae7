import { isHex, computeLightness, computeLuminance, mixColors, withLightness, type Hex } from './color.ts'

/** A site's four palette colours. Every other colour of its pages is derived from them. */
export interface Palette {
  primary: Hex
  accent: Hex
  paper: Hex
  ink: Hex
}

export type Scheme = 'light' | 'dark'

const WHITE: Hex = '#ffffff'
const BLACK: Hex = '#000000'

/** WCAG 2 contrast ratio of two colours, 1 to 21. */
export function computeContrastRatio(a: Hex, b: Hex): number {
  const [bright, dim] = [computeLuminance(a), computeLuminance(b)].sort((x, y) => y - x) as [number, number]
  return (bright + 0.05) / (dim + 0.05)
}

/** The candidate with the highest contrast on `ground`. */
const findMostReadable = (ground: Hex, candidates: readonly Hex[]): Hex =>
  candidates.reduce((best, candidate) => (computeContrastRatio(candidate, ground) > computeContrastRatio(best, ground) ? candidate : best))

const STATUS_COLORS = {
  light: { ok: '#1d6f46', warn: '#8a5200', bad: '#b3261e' },
  dark: { ok: '#6fd19b', warn: '#f2b866', bad: '#ff9a90' },
} as const satisfies Record<Scheme, Record<string, Hex>>

/** The colours of a page in one scheme, named like the CSS variables in `app/ui/styles/tokens.css`. */
export function deriveShades(palette: Palette, scheme: Scheme) {
  const dark = scheme === 'dark'
  const nightPaper = mixColors(palette.ink, 78, BLACK)
  const nightInk = mixColors(palette.paper, 94, palette.ink)
  const paper = dark ? nightPaper : palette.paper
  const ink = dark ? nightInk : palette.ink
  const card = dark ? mixColors(nightPaper, 91, WHITE) : WHITE
  const primary = dark ? raiseLightness(palette.primary, mixColors(nightPaper, 82, WHITE), 5.2) : palette.primary
  const accent = dark ? raiseLightness(palette.accent, card, 4.5) : palette.accent
  const deep = dark ? mixColors(palette.primary, 52, BLACK) : mixColors(palette.primary, 78, BLACK)
  const status = STATUS_COLORS[scheme]
  return {
    paper,
    ink,
    card,
    primary,
    accent,
    deep,
    onDeep: WHITE,
    onDeepSoft: mixColors(WHITE, 84, deep),
    onPrimary: findMostReadable(primary, [WHITE, nightPaper]),
    onAccent: findMostReadable(accent, [WHITE, palette.ink, nightPaper]),
    inkSoft: mixColors(ink, 72, paper),
    line: mixColors(ink, 14, paper),
    fieldLine: mixColors(ink, 56, card),
    wash: mixColors(primary, dark ? 16 : 9, card),
    primaryDeep: dark ? mixColors(primary, 80, WHITE) : mixColors(primary, 78, BLACK),
    ok: status.ok as Hex,
    warn: status.warn as Hex,
    bad: status.bad as Hex,
    okWash: mixColors(status.ok, dark ? 16 : 9, card),
    warnWash: mixColors(status.warn, dark ? 16 : 9, card),
    badWash: mixColors(status.bad, dark ? 16 : 9, card),
  }
}

export type Shades = ReturnType<typeof deriveShades>

/** Raises lightness until the colour is readable on a dark ground, and at least to 0.7, below which it looks muddy. */
function raiseLightness(color: Hex, ground: Hex, ratio: number): Hex {
  let level = Math.max(computeLightness(color), 0.7)
  while (level < 1 && computeContrastRatio(withLightness(color, level), ground) < ratio) level += 0.01
  return withLightness(color, level)
}

const TEXT_RATIO = 4.5
const GRAPHIC_RATIO = 3

/** Every pair of colours that Parley's pages combine, with the contrast that WCAG 2.2 AA requires. */
const PAIRS: readonly (readonly [keyof Shades, keyof Shades, number])[] = [
  ['ink', 'paper', TEXT_RATIO],
  ['ink', 'card', TEXT_RATIO],
  ['ink', 'wash', TEXT_RATIO],
  ['inkSoft', 'paper', TEXT_RATIO],
  ['inkSoft', 'card', TEXT_RATIO],
  ['inkSoft', 'wash', TEXT_RATIO],
  ['primary', 'paper', TEXT_RATIO],
  ['primary', 'card', TEXT_RATIO],
  ['primary', 'wash', TEXT_RATIO],
  ['primaryDeep', 'wash', TEXT_RATIO],
  ['onPrimary', 'primary', TEXT_RATIO],
  ['onPrimary', 'primaryDeep', TEXT_RATIO],
  ['onDeep', 'deep', TEXT_RATIO],
  ['onDeepSoft', 'deep', TEXT_RATIO],
  ['onAccent', 'accent', TEXT_RATIO],
  ['accent', 'paper', GRAPHIC_RATIO],
  ['accent', 'card', GRAPHIC_RATIO],
  ['fieldLine', 'paper', GRAPHIC_RATIO],
  ['fieldLine', 'card', GRAPHIC_RATIO],
  ['ok', 'paper', TEXT_RATIO],
  ['ok', 'okWash', TEXT_RATIO],
  ['warn', 'paper', TEXT_RATIO],
  ['warn', 'warnWash', TEXT_RATIO],
  ['bad', 'paper', TEXT_RATIO],
  ['bad', 'badWash', TEXT_RATIO],
  ['ink', 'okWash', TEXT_RATIO],
  ['ink', 'warnWash', TEXT_RATIO],
  ['ink', 'badWash', TEXT_RATIO],
]

export interface ContrastFault {
  scheme: Scheme
  foreground: keyof Shades
  ground: keyof Shades
  ratio: number
  needed: number
}

/** The colour pairs of a palette that fail WCAG AA, in light and dark. If empty, the palette may be published. */
export function findContrastFaults(palette: Palette): ContrastFault[] {
  if (!Object.values(palette).every(isHex)) throw new RangeError('a palette is four colours written #rrggbb')
  return (['light', 'dark'] as const).flatMap((scheme) => {
    const colors = deriveShades(palette, scheme)
    return PAIRS.flatMap(([foreground, ground, needed]) => {
      const ratio = computeContrastRatio(colors[foreground], colors[ground])
      return ratio < needed ? [{ scheme, foreground, ground, ratio, needed }] : []
    })
  })
}
