import { type Hex, lightness, withLightness } from '#app/lib/color.ts'
import { type ContrastFault, contrastFaults, type Palette } from '#app/lib/contrast.ts'

const STEP = 0.01

/** The colour of the palette that the fault's pair is made from, which is the one to change. */
export function colorAtFault({ foreground, ground }: ContrastFault): keyof Palette {
  if (foreground.startsWith('accent') || ground === 'accent') return 'accent'
  if (foreground.startsWith('primary') || ['primary', 'primaryDeep', 'deep'].includes(ground)) return 'primary'
  if (foreground.startsWith('ink') || foreground === 'fieldLine') return 'ink'
  return 'paper'
}

/**
 * The palette nearest to this one, in the lightness of as few of its colours as possible, that passes every pair: itself where it does;
 * undefined where none was found.
 */
export function nearestPalette(palette: Palette): Palette | undefined {
  if (!contrastFaults(palette).length) return palette
  const one = nearestByOne(palette, ['primary', 'accent', 'ink', 'paper'])
  if (one) return one
  // Text and ground first, since everything else stands on them.
  let current = palette
  for (const name of ['ink', 'paper', 'primary', 'accent'] as const) {
    current = fewestFaults(current, name)
    if (!contrastFaults(current).length) return current
  }
  return undefined
}

function nearestByOne(palette: Palette, names: readonly (keyof Palette)[]): Palette | undefined {
  for (let step = STEP; step <= 1; step += STEP) {
    for (const name of names) {
      for (const changed of [shifted(palette, name, -step), shifted(palette, name, step)]) {
        if (changed && !contrastFaults(changed).length) return changed
      }
    }
  }
  return undefined
}

/** Of all lightnesses of one colour the nearest with the fewest faults left. */
function fewestFaults(palette: Palette, name: keyof Palette): Palette {
  let best = palette
  let fewest = contrastFaults(palette).length
  for (let step = STEP; step <= 1 && fewest > 0; step += STEP) {
    for (const changed of [shifted(palette, name, -step), shifted(palette, name, step)]) {
      const left = changed ? contrastFaults(changed).length : Infinity
      if (changed && left < fewest) [best, fewest] = [changed, left]
    }
  }
  return best
}

function shifted(palette: Palette, name: keyof Palette, by: number): Palette | undefined {
  const level = lightness(palette[name]) + by
  if (level < 0 || level > 1) return undefined
  return { ...palette, [name]: withLightness(palette[name], level) satisfies Hex }
}
