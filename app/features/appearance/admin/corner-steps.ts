/** Corner radii by name, from square to round. */
export const CORNER_STEPS = [
  { name: 'square', value: '0rem' },
  { name: 'slight', value: '0.4rem' },
  { name: 'soft', value: '0.8rem' },
  { name: 'round', value: '1.25rem' },
  { name: 'rounder', value: '1.6rem' },
  { name: 'full', value: '2rem' },
] as const

/** Name of the step nearest to a radius. */
export function findCornerName(corner: string): (typeof CORNER_STEPS)[number]['name'] {
  const distance = (value: string) => Math.abs(Number.parseFloat(value) - Number.parseFloat(corner))
  return CORNER_STEPS.reduce((best, step) => (distance(step.value) < distance(best.value) ? step : best)).name
}
