import fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { mixColors, type Hex } from '../lib/color.ts'
import { findContrastFaults, computeContrastRatio, deriveShades, type Scheme } from '../lib/contrast.ts'
import { PALETTES } from './palettes.ts'
import { DEFAULT_PALETTE, readThemePalette, buildThemeStyle } from './theme.ts'

describe('contrast', () => {
  it('is computed as WCAG defines it', () => {
    expect(computeContrastRatio('#000000', '#ffffff')).toBeCloseTo(21, 5)
    expect(computeContrastRatio('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  })

  it('mixes colours like color-mix(in oklab)', () => {
    expect(mixColors('#ffffff', 50, '#000000')).toBe('#636363')
    expect(mixColors('#ff0000', 100, '#0000ff')).toBe('#ff0000')
  })

  it("is sufficient in the demo's three palettes and the default, in light and dark", () => {
    for (const palette of [...Object.values(PALETTES).map(readThemePalette), DEFAULT_PALETTE])
      expect(findContrastFaults(palette)).toEqual([])
  })

  it('lists the unreadable pairs of a palette', () => {
    const faults = findContrastFaults({
      primary: '#ffd400',
      accent: '#e2583e',
      paper: '#ffffff',
      ink: '#222222',
    })
    expect(faults).toContainEqual(
      expect.objectContaining({
        scheme: 'light',
        foreground: 'primary',
        ground: 'paper',
        needed: 4.5,
      }),
    )
  })
})

describe('text on the accent colour', () => {
  it('is checked like all other text: on a middle grey neither white nor a dark ink is readable', () => {
    const faults = findContrastFaults({ primary: '#14516b', accent: '#7c7c7c', paper: '#ffffff', ink: '#222222' })
    expect(faults).toMatchObject([{ scheme: 'light', foreground: 'onAccent', ground: 'accent', needed: 4.5 }])
  })
})

describe('the theme of a site', () => {
  it('becomes CSS variables', () => {
    expect(buildThemeStyle(PALETTES.dyffryn)).toMatch(/^:root\{--site-primary:#2c5a45;.*--site-corner:0\.6rem;.*\}$/)
  })

  it.each([
    ['a rule', { primary: '#14516b}body{display:none' }],
    ['an address', { paper: 'url(https://example.org/x)' }],
    ['markup', { ink: '</style><script>' }],
    ['an expression', { corner: 'calc(1rem)' }],
    ['a huge corner', { corner: '99rem' }],
    ['a short colour', { accent: '#fff' }],
    ['something that is not text', { primary: 7, corner: ['1rem'] }],
    ['nothing', null],
    ['a list', ['#000000']],
  ])('never lets %s through', (_, theme) => {
    expect(buildThemeStyle(theme)).toBe(buildThemeStyle({}))
  })
})

describe('the stylesheet and the palette check', () => {
  const NAMES = {
    paper: 'paper',
    ink: 'ink',
    card: 'card',
    primary: 'primary',
    accent: 'accent',
    deep: 'deep',
    onDeepSoft: 'on-deep-soft',
    onPrimary: 'on-primary',
    onAccent: 'on-accent',
    inkSoft: 'ink-soft',
    line: 'line',
    fieldLine: 'field-line',
    wash: 'wash',
    primaryDeep: 'primary-deep',
    ok: 'ok',
    warn: 'warn',
    bad: 'bad',
    okWash: 'ok-wash',
    warnWash: 'warn-wash',
    badWash: 'bad-wash',
  } as const

  it.each(['light', 'dark'] as const)('agree on every shade in %s', (scheme) => {
    for (const theme of Object.values(PALETTES)) {
      const variables = stylesheetVariables(scheme)
      for (const [, name, value] of buildThemeStyle(theme).matchAll(/--([\w-]+):([^;}]+)/g)) variables.set(name ?? '', value ?? '')
      const expected = deriveShades(readThemePalette(theme), scheme)
      for (const [shade, name] of Object.entries(NAMES) as [keyof typeof NAMES, string][])
        expect({
          name,
          far: distance(evaluate(`var(--${name})`, variables), expected[shade]) > 2,
        }).toEqual({ name, far: false })
    }
  })
})

/** The variables of tokens.css in one scheme. */
function stylesheetVariables(scheme: Scheme): Map<string, string> {
  const css = fs.readFileSync(new URL('./styles/tokens.css', import.meta.url), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
  const night = /@variant dark \{([^}]*)\}/g
  const read = (text: string) => [...text.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name ?? '', value ?? ''] as const)
  const day = read(css.replaceAll(night, ''))
  return new Map(scheme === 'light' ? day : [...day, ...[...css.matchAll(night)].flatMap(([, block]) => read(block ?? ''))])
}

function evaluate(value: string, variables: Map<string, string>): Hex {
  const plain = value.trim().replaceAll(/var\(--([\w-]+)\)/g, (_, name: string) => {
    const found = variables.get(name) ?? ''
    return found.endsWith('%') ? found : evaluate(found, variables)
  })
  if (/^#[0-9a-f]{3}$/.test(plain)) return `#${plain.slice(1).replaceAll(/./g, '$&$&')}`
  if (/^#[0-9a-f]{6}$/.test(plain)) return plain as Hex
  const parts = /^color-mix\(in oklab, (\S+) (\d+)%, (\S+)\)$/.exec(plain)
  if (!parts) throw new Error(`cannot evaluate ${value}`)
  return mixColors(evaluate(parts[1] ?? '', variables), Number(parts[2]), evaluate(parts[3] ?? '', variables))
}

function distance(a: Hex, b: Hex): number {
  const of = (hex: Hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  const other = of(b)
  return Math.max(...of(a).map((channel, index) => Math.abs(channel - (other[index] ?? 0))))
}
