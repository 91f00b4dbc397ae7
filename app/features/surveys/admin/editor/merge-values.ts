import { isJsonEqual } from '#app/lib/json-equal.ts'
import { CONTENT_LANGUAGES } from '#app/lib/languages.ts'

type Members = Record<string, unknown>

/**
 * Merges two people's changes to one value, member by member.
 * @returns undefined if they changed the same member differently, or both the items of a list
 */
export function mergeValues(base: unknown, mine: unknown, theirs: unknown): { value: unknown } | undefined {
  if (isJsonEqual(base, theirs) || isJsonEqual(mine, theirs)) return { value: mine }
  if (isJsonEqual(base, mine)) return { value: theirs }
  if (Array.isArray(base) && Array.isArray(mine) && Array.isArray(theirs)) return mergeItems(base, mine, theirs)
  if (!isMembers(base) || !isMembers(mine) || !isMembers(theirs)) return undefined
  const merged: Members = {}
  for (const name of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
    const member = mergeValues(base[name], mine[name], theirs[name])
    if (!member) return undefined
    if (member.value !== undefined) merged[name] = member.value
  }
  return { value: merged }
}

/** Items are recognised by their ids. Only one of the two may have added, removed or moved any. */
function mergeItems(base: readonly unknown[], mine: readonly unknown[], theirs: readonly unknown[]): { value: unknown[] } | undefined {
  const [ids, myIds, theirIds] = [base.map(getId), mine.map(getId), theirs.map(getId)]
  if ([...ids, ...myIds, ...theirIds].includes(undefined)) return undefined
  const isKept = isJsonEqual(ids, theirIds)
  if (!isKept && !isJsonEqual(ids, myIds) && !isJsonEqual(myIds, theirIds)) return undefined
  const find = (items: readonly unknown[], id: string | undefined) => items.find((item) => getId(item) === id)
  const kept = isKept ? myIds : theirIds
  const items = Array.from(new Set([...kept, ...ids]), (id) => mergeValues(find(base, id), find(mine, id), find(theirs, id)))
  if (items.includes(undefined)) return undefined
  return { value: items.flatMap((item) => (item?.value === undefined ? [] : [item.value])) }
}

const getId = (item: unknown) => (isMembers(item) && typeof item['id'] === 'string' ? item['id'] : undefined)

/** Whether only texts differ: then the rules of the one still hold for the other. */
export const isReworded = (before: unknown, after: unknown): boolean => isJsonEqual(removeTexts(before), removeTexts(after))

function removeTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeTexts)
  if (!isMembers(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      (CONTENT_LANGUAGES as readonly string[]).includes(name) ? [] : [[name, removeTexts(member)]],
    ),
  )
}

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value)
