import type { RelativeDay } from './conditions.schema.ts'
import type { Definition } from '../surveys.schema.ts'

/** Definitions are immutable and shared, so the newest result is kept with each. */
const resolvedByDefinition = new WeakMap<Definition, { today: string; resolved: Definition }>()

/**
 * The definition with days counted from `today` as calendar days, so that the browser and the server compare with the same day.
 * @param today `2026-11-24`
 */
export function resolveRelativeDays(definition: Definition, today: string): Definition {
  const known = resolvedByDefinition.get(definition)
  if (known?.today === today) return known.resolved
  const text = JSON.stringify(definition)
  const resolved = text.includes('"ago":')
    ? (JSON.parse(text, (_, value: unknown) => (isRelativeDay(value) ? countBack(today, value) : value)) as Definition)
    : definition
  resolvedByDefinition.set(definition, { today, resolved })
  return resolved
}

export const isRelativeDay = (value: unknown): value is RelativeDay => typeof value === 'object' && value !== null && 'ago' in value

/** The day so long before `today`. A day that the month lacks becomes its last. */
function countBack(today: string, { ago, unit }: RelativeDay): string {
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number)
  const date = new Date(`${today}T00:00:00Z`)
  if (unit === 'day') date.setUTCDate(day - ago)
  else {
    date.setUTCFullYear(year, month - 1 - ago * (unit === 'year' ? 12 : 1), 1)
    const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
    date.setUTCDate(Math.min(day, last))
  }
  return date.toISOString().slice(0, 10)
}
