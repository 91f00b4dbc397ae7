import type { Theme } from './theme.ts'

/** Themes of the demo's three towns. Each passes every check of `findContrastFaults`, in light and dark. */
export const PALETTES = {
  /** A river town: deep river blue, signal coral, warm paper, round bubbles. */
  riverbend: {
    primary: '#14516b',
    accent: '#d94f35',
    paper: '#faf8f3',
    ink: '#16202a',
    corner: '1.25rem',
  },
  /** A green valley under slate: moss, daffodil, cool paper, soft bubbles. */
  dyffryn: {
    primary: '#2c5a45',
    accent: '#b27a00',
    paper: '#f5f6f0',
    ink: '#1d2521',
    corner: '0.6rem',
  },
  /** A port in the sun: navy, sunrise orange, sand, very round bubbles. */
  harbour: {
    primary: '#1f3a7a',
    accent: '#c96a08',
    paper: '#fcf6e9',
    ink: '#121a33',
    corner: '1.9rem',
  },
} as const satisfies Record<string, Theme>
