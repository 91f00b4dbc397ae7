const CODES = new Map([
  ['australia', 'AU'],
  ['sydney', 'AU'],
  ['new zealand', 'AU'],
  ['canada', 'CA'],
  ['united kingdom', 'UK'],
  ['united states', 'US'],
])

/** Two letters for regions that the platform is run from, otherwise the initials of the region's name. */
export function toRegionCode(region: string): string {
  const name = region.trim()
  const initials = name.split(/[\s-]+/).map((word) => word.charAt(0).toUpperCase())
  return CODES.get(name.toLowerCase()) ?? initials.join('')
}
