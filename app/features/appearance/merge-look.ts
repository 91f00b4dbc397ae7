import { isJsonEqual } from '#app/lib/json-equal.ts'
import { type Appearance, appearanceSchema } from './appearance.schema.ts'

const TOKEN_NAMES = Object.keys(appearanceSchema.entries) as (keyof Appearance)[]

/** Names of what differs between two looks. */
export const findDifferingTokens = (before: Appearance, after: Appearance): (keyof Appearance)[] =>
  TOKEN_NAMES.filter((name) => !isJsonEqual(before[name], after[name]))

/** Two looks made of the same one: whatever only one person changed is taken over; of what both changed, mine. */
export function mergeLooks(base: Appearance, mine: Appearance, theirs: Appearance): Appearance {
  const changed = findDifferingTokens(base, mine)
  const joined = { ...theirs, ...Object.fromEntries(changed.map((name) => [name, mine[name]])) }
  // Links that both added stand one after the other.
  const known = new Set(joined.navigation.map(({ id }) => id))
  const before = new Set(base.navigation.map(({ id }) => id))
  const added = theirs.navigation.filter(({ id }) => !known.has(id) && !before.has(id))
  return { ...joined, navigation: [...joined.navigation, ...added] }
}
