import type { Condition } from './conditions.schema.ts'
import { isConditionMet } from './conditions.ts'
import type { Answers, Row } from '../surveys.schema.ts'

/** A list whose items are grouped by when they are shown: thousands of streets may depend on a dozen districts. */
interface GroupedList {
  /** The distinct conditions of its items; undefined always holds, `false` never. */
  conditions: (Condition | undefined | false)[]
  /** The number of an item's condition. */
  groupById: Map<string, number>
  /** What is shown, by the conditions that hold. */
  shownByOutcome: Map<string, readonly Row[]>
}

/** Versions are immutable and shared, so each list is grouped once. */
const groupedLists = new WeakMap<readonly Row[], GroupedList>()
const MAX_OUTCOMES = 50

interface ShownItems<Item> {
  /** The same array for the same outcome, so that it can be a key of a cache. */
  shown: readonly Item[]
  /** Whether the item is in the list but not shown. */
  isHidden: (id: string) => boolean
}

/** The items of a list that these answers lead to. The cost depends on how many different conditions there are, not on the items. */
export function findShownItems<Item extends Row>(items: readonly Item[], answers: Answers): ShownItems<Item> {
  const list = groupItems(items)
  const met = list.conditions.map((condition) => condition !== false && (condition === undefined || isConditionMet(condition, answers)))
  const isHidden = (id: string) => met[list.groupById.get(id) ?? -1] === false
  if (!met.includes(false)) return { shown: items, isHidden }
  const outcome = met.map(Number).join('')
  const known = list.shownByOutcome.get(outcome)
  if (known) return { shown: known as readonly Item[], isHidden }
  const shown = items.filter(({ id }) => !isHidden(id))
  if (list.shownByOutcome.size >= MAX_OUTCOMES) list.shownByOutcome.clear()
  list.shownByOutcome.set(outcome, shown)
  return { shown, isHidden }
}

function groupItems(items: readonly Row[]): GroupedList {
  const known = groupedLists.get(items)
  if (known) return known
  const groups = new Map<string, number>()
  const list: GroupedList = { conditions: [], groupById: new Map(), shownByOutcome: new Map() }
  for (const { id, removed, showIf } of items) {
    const condition = removed ? false : showIf
    const key = condition === undefined ? '' : JSON.stringify(condition)
    let group = groups.get(key)
    if (group === undefined) {
      group = list.conditions.push(condition) - 1
      groups.set(key, group)
    }
    list.groupById.set(id, group)
  }
  groupedLists.set(items, list)
  return list
}
