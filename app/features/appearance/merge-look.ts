import { isJsonEqual } from '#app/lib/json-equal.ts'
import { type Appearance, appearanceSchema } from './appearance.schema.ts'

const TOKEN_NAMES = Object.keys(appearanceSchema.entries) as (keyof Appearance)[]

export const findDifferingTokens = (before: Appearance, after: Appearance): (keyof Appearance)[] =>
  TOKEN_NAMES.filter((name) => !isJsonEqual(before[name], after[name]))

/** Three-way merge of two looks with the same base: takes what either person changed. If both changed a token, mine wins. */
export function mergeLooks(base: Appearance, mine: Appearance, theirs: Appearance): Appearance {
  const changed = findDifferingTokens(base, mine)
  const joined = { ...theirs, ...Object.fromEntries(changed.map((name) => [name, mine[name]])) }
  // If both added links, keep mine first, then theirs.
  const known = new Set(joined.navigation.map(({ id }) => id))
  const before = new Set(base.navigation.map(({ id }) => id))
  const added = theirs.navigation.filter(({ id }) => !known.has(id) && !before.has(id))
  return { ...joined, navigation: [...joined.navigation, ...added] }
}
