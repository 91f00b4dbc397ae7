import { isHex } from '../lib/color.ts'
import { deriveShades, type Palette } from '../lib/contrast.ts'

/** A site's appearance as it is stored. What is absent, or not written exactly as asked, takes Parley's own value. */
export interface Theme {
  /** `#rrggbb`: links, buttons, the site's own colour. */
  primary?: string
  /** `#rrggbb`: used once on a screen. */
  accent?: string
  /** `#rrggbb`: the ground of a page. */
  paper?: string
  /** `#rrggbb`: text. */
  ink?: string
  /** Roundness of the bubble's three corners in rem, from `0rem` (square) to `2rem`. */
  corner?: string
  /** Letters of text and headings, from those that come with Parley. */
  fonts?: FontPair
  /** Whether pages follow the reader's setting, or are always light or dark. */
  scheme?: SchemeChoice
}

export const SCHEMES = ['both', 'light', 'dark'] as const
type SchemeChoice = (typeof SCHEMES)[number]

/** Pairs of families for text and for headings. None asks another company for a file. */
export const FONT_PAIRS = ['parley', 'sans', 'serif', 'system'] as const
type FontPair = (typeof FONT_PAIRS)[number]

const SANS = "'Public Sans Variable','Public Sans Fallback',system-ui,sans-serif"
const SERIF = "'Source Serif 4 Variable','Source Serif Fallback',Georgia,serif"
const SYSTEM = 'system-ui,sans-serif'
const FONTS: Record<FontPair, readonly [text: string, display: string]> = {
  parley: [SANS, SERIF],
  sans: [SANS, SANS],
  serif: [SERIF, SERIF],
  system: [SYSTEM, SYSTEM],
}

export const DEFAULT_PALETTE: Palette = {
  primary: '#14516b',
  accent: '#d94f35',
  paper: '#faf8f3',
  ink: '#16202a',
}
export const DEFAULT_CORNER = '1.25rem'

export const CORNER_PATTERN = /^(?:[01](?:\.\d{1,3})?|2)rem$/

/** The four colours of a theme of unknown origin: the database holds it as JSON. */
export function readThemePalette(theme: unknown): Palette {
  const given: Record<string, unknown> = typeof theme === 'object' && theme !== null ? { ...theme } : {}
  const readColor = (name: keyof Palette) => {
    const value = given[name]
    return isHex(value) ? value : DEFAULT_PALETTE[name]
  }
  return {
    primary: readColor('primary'),
    accent: readColor('accent'),
    paper: readColor('paper'),
    ink: readColor('ink'),
  }
}

export function readThemeCorner(theme: unknown): string {
  const corner: unknown = typeof theme === 'object' && theme !== null && 'corner' in theme ? theme.corner : undefined
  return typeof corner === 'string' && CORNER_PATTERN.test(corner) ? corner : DEFAULT_CORNER
}

const readChoice = <Option extends string>(theme: unknown, name: string, options: readonly Option[], fallback: Option): Option => {
  const given = typeof theme === 'object' && theme !== null ? (theme as Record<string, unknown>)[name] : undefined
  return options.find((option) => option === given) ?? fallback
}

/** The one scheme of a site that has only one, for `<html data-scheme>`; undefined where the reader's own setting decides. */
export function readThemeScheme(theme: unknown): 'light' | 'dark' | undefined {
  const scheme = readChoice(theme, 'scheme', SCHEMES, 'both')
  return scheme === 'both' ? undefined : scheme
}

/**
 * The text of the style element that gives a page its site's colours, in light and in dark. Only values that match a strict
 * pattern get into it, so that no stored theme can add a rule, an address or markup.
 */
export function buildThemeStyle(theme: unknown): string {
  const palette = readThemePalette(theme)
  const day = deriveShades(palette, 'light')
  const night = deriveShades(palette, 'dark')
  const pair = readChoice(theme, 'fonts', FONT_PAIRS, 'parley')
  const [text, display] = FONTS[pair]
  const variables = {
    ...(pair === 'parley' ? {} : { 'font-text': text, 'font-display': display }),
    primary: palette.primary,
    accent: palette.accent,
    paper: palette.paper,
    ink: palette.ink,
    corner: readThemeCorner(theme),
    'on-primary': day.onPrimary,
    'on-accent': day.onAccent,
    'night-primary': night.primary,
    'night-accent': night.accent,
    'night-on-primary': night.onPrimary,
    'night-on-accent': night.onAccent,
  }
  return `:root{${Object.entries(variables)
    .map(([name, value]) => `--site-${name}:${value}`)
    .join(';')}}`
}

/** The colour of the browser's own bar, for `<meta name="theme-color">` in each scheme. */
export function readThemeColors(theme: unknown): { light: string; dark: string } {
  const palette = readThemePalette(theme)
  return { light: deriveShades(palette, 'light').paper, dark: deriveShades(palette, 'dark').paper }
}
