import { isHex } from '../lib/color.ts'
import { deriveShades, type Palette } from '../lib/contrast.ts'

/** A site's theme as stored. Missing or malformed values fall back to Parley's own. */
export interface Theme {
  /** `#rrggbb`: links, buttons, the site's own colour. */
  primary?: string
  /** `#rrggbb`: used once per screen. */
  accent?: string
  /** `#rrggbb`: the page background. */
  paper?: string
  /** `#rrggbb`: text. */
  ink?: string
  /** Radius of the bubble's three corners in rem, from `0rem` (square) to `2rem`. */
  corner?: string
  /** Fonts for text and headings, from those bundled with Parley. */
  fonts?: FontPair
  /** Whether pages follow the reader's setting or are always light or dark. */
  scheme?: SchemeChoice
}

export const SCHEMES = ['both', 'light', 'dark'] as const
type SchemeChoice = (typeof SCHEMES)[number]

/** Font pairs for text and headings. None loads a file from a third party. */
export const FONT_PAIRS = ['parley', 'sans', 'serif', 'system'] as const
type FontPair = (typeof FONT_PAIRS)[number]

const SANS = "'Public Sans Variable','Public Sans Fallback',system-ui,sans-serif"
const SERIF = "'Source Serif 4','Source Serif Fallback',Georgia,serif"
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

/** The four colours of an untrusted theme: the database stores it as JSON. */
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

/** The scheme of a site that has only one, for `<html data-scheme>`; undefined if the reader's setting decides. */
export function readThemeScheme(theme: unknown): 'light' | 'dark' | undefined {
  const scheme = readChoice(theme, 'scheme', SCHEMES, 'both')
  return scheme === 'both' ? undefined : scheme
}

/**
 * Content of the style element with a site's colours, in light and dark. Only values that match a strict pattern get in, so that no stored
 * theme can inject a rule, an address or markup.
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

/** Colour of the browser's toolbar, for `<meta name="theme-color">` in each scheme. */
export function readThemeColors(theme: unknown): { light: string; dark: string } {
  const palette = readThemePalette(theme)
  return { light: deriveShades(palette, 'light').paper, dark: deriveShades(palette, 'dark').paper }
}
