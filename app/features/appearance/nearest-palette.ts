import { type Hex, computeLightness, withLightness } from '#app/lib/color.ts'
import { type ContrastFault, findContrastFaults, type Palette } from '#app/lib/contrast.ts'

const LIGHTNESS_STEP = 0.01

/** The palette colour to change to fix the failing pair. */
export function findColorAtFault({ foreground, ground }: ContrastFault): keyof Palette {
  if (foreground.startsWith('accent') || ground === 'accent') return 'accent'
  if (foreground.startsWith('primary') || ['primary', 'primaryDeep', 'deep'].includes(ground)) return 'primary'
  if (foreground.startsWith('ink') || foreground === 'fieldLine') return 'ink'
  return 'paper'
}

/**
 * Nearest palette that passes every contrast check, changing the lightness of as few colours as possible. Returns `palette` itself if it
 * passes; undefined if none was found.
 */
export function findNearestPalette(palette: Palette): Palette | undefined {
  if (!findContrastFaults(palette).length) return palette
  const one = findNearestByOneColor(palette, ['primary', 'accent', 'ink', 'paper'])
  if (one) return one
  // Start with text and background: everything else depends on them.
  let current = palette
  for (const name of ['ink', 'paper', 'primary', 'accent'] as const) {
    current = minimiseFaults(current, name)
    if (!findContrastFaults(current).length) return current
  }
  return undefined
}

function findNearestByOneColor(palette: Palette, names: readonly (keyof Palette)[]): Palette | undefined {
  for (let step = LIGHTNESS_STEP; step <= 1; step += LIGHTNESS_STEP) {
    for (const name of names) {
      for (const changed of [shiftLightness(palette, name, -step), shiftLightness(palette, name, step)]) {
        if (changed && !findContrastFaults(changed).length) return changed
      }
    }
  }
  return undefined
}

/** The smallest change in lightness of one colour that leaves the fewest failures. */
function minimiseFaults(palette: Palette, name: keyof Palette): Palette {
  let best = palette
  let fewest = findContrastFaults(palette).length
  for (let step = LIGHTNESS_STEP; step <= 1 && fewest > 0; step += LIGHTNESS_STEP) {
    for (const changed of [shiftLightness(palette, name, -step), shiftLightness(palette, name, step)]) {
      const left = changed ? findContrastFaults(changed).length : Infinity
      if (changed && left < fewest) [best, fewest] = [changed, left]
    }
  }
  return best
}

function shiftLightness(palette: Palette, name: keyof Palette, by: number): Palette | undefined {
  const level = computeLightness(palette[name]) + by
  if (level < 0 || level > 1) return undefined
  return { ...palette, [name]: withLightness(palette[name], level) satisfies Hex }
}
