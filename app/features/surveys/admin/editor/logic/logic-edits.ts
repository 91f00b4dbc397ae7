import type { Condition } from '#app/features/surveys/questionnaire/conditions.schema.ts'
import type { Definition } from '../../../surveys.schema.ts'
import { createItemId } from '../definition-edits.ts'

export type Ending = NonNullable<Definition['endings']>[number]
export type Quota = NonNullable<Definition['quotas']>[number]

export interface AddedPart {
  definition: Definition
  id: string
}

export function addEnding(definition: Definition): AddedPart {
  const ending: Ending = { id: createItemId('e'), title: {} }
  return { definition: { ...definition, endings: [...(definition.endings ?? []), ending] }, id: ending.id }
}

export function changeEnding(definition: Definition, id: string, change: (ending: Ending) => Ending): Definition {
  return { ...definition, endings: (definition.endings ?? []).map((ending) => (ending.id === id ? change(ending) : ending)) }
}

/** Removes a closing page. Rules that led to it now lead to the end of the survey, so that nobody is left without one. */
export function removeEnding(definition: Definition, id: string): Definition {
  return {
    ...definition,
    endings: (definition.endings ?? []).filter((ending) => ending.id !== id),
    pages: definition.pages.map((page) =>
      page.next?.some((rule) => rule.end === id)
        ? { ...page, next: page.next.map((rule) => (rule.end === id ? { ...rule, end: '' as const } : rule)) }
        : page,
    ),
    ...(definition.quotas && {
      quotas: definition.quotas.map((quota) => {
        const { end, ...rest } = quota
        return end === id ? rest : quota
      }),
    }),
  }
}

/** @param when what to count; an empty condition is filled in later */
export function addQuota(definition: Definition, when: Condition): AddedPart {
  const quota: Quota = { id: createItemId('k'), when, limit: 100 }
  return { definition: { ...definition, quotas: [...(definition.quotas ?? []), quota] }, id: quota.id }
}

export function changeQuota(definition: Definition, id: string, change: (quota: Quota) => Quota): Definition {
  return { ...definition, quotas: (definition.quotas ?? []).map((quota) => (quota.id === id ? change(quota) : quota)) }
}

export function removeQuota(definition: Definition, id: string): Definition {
  return { ...definition, quotas: (definition.quotas ?? []).filter((quota) => quota.id !== id) }
}

/** The answers a quota counts together, if each could have a separate quota. */
export function listQuotaCells({ when }: Quota): Condition[] {
  const test = 'all' in when && when.all.length === 1 ? when.all[0] : when
  if (!test || 'all' in test || 'any' in test || test.is !== 'any_of' || (test.options?.length ?? 0) < 2) return []
  return (test.options ?? []).map((option) => ({ ...test, options: [option] }))
}

/** Splits a quota into one per answer, each with the full limit. The first keeps its id, and therefore its count. */
export function splitQuota(definition: Definition, id: string): Definition {
  return {
    ...definition,
    quotas: (definition.quotas ?? []).flatMap((quota): Quota[] => {
      const cells = quota.id === id ? listQuotaCells(quota) : []
      return cells.length === 0 ? [quota] : cells.map((when, index) => ({ ...quota, when, id: index === 0 ? quota.id : createItemId('k') }))
    }),
  }
}
