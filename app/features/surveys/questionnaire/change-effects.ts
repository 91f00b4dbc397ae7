import { listItems } from './item-lists.ts'
import { expandCarriedOptions } from './carried-options.ts'
import { ITEM_LISTS } from './walk-survey.ts'
import type { Definition, Page, Question } from '../surveys.schema.ts'

export const EFFECT_KINDS = ['worded', 'added', 'removed', 'returned', 'to-text', 'forbidden', 'ruled', 'moved'] as const
export const EFFECT_SUBJECTS = ['question', 'option', 'page', 'ending', 'quota'] as const

/**
 * One effect of publishing a draft on existing answers, as data: `worded` the question keeps its answers with new wording; `added` it is
 * counted over the people who will see it; `removed` it is no longer asked, and stays in results and exports; `returned` it is asked again,
 * and keeps its earlier answers; `to-text` it becomes a text question and shows earlier answers as text; `forbidden` its answers would lose
 * their meaning, so it cannot be published; `ruled` changed rules or limits, for later responses only; `moved` a different position, for
 * later responses only.
 */
export interface ChangeEffect {
  kind: (typeof EFFECT_KINDS)[number]
  /** What is affected: a question, one of its options, rows or columns, the path from page to page, the closing pages or the quotas. */
  of: (typeof EFFECT_SUBJECTS)[number]
  question?: string
  /** Id of the option, row, column or page. */
  item?: string
}

const WORDING_PROPERTIES = new Set([
  'title',
  'help',
  'label',
  'patternHelp',
  'text',
  'unit',
  'low',
  'high',
  'picture',
  'video',
  'alt',
  'intro',
])
const TEXT_TYPES = new Set<Question['type']>(['short_text', 'long_text'])

/**
 * What a draft will do to answers given on a published definition, for the editor to show before publishing. Drafts of responses stay on
 * the version they were started on in any case.
 */
export function listChangeEffects(published: Definition, draft: Definition): ChangeEffect[] {
  const before = indexQuestions(expandCarriedOptions(published))
  const after = indexQuestions(expandCarriedOptions(draft))
  const effects: ChangeEffect[] = []
  for (const [id, { question, page, place }] of before) {
    const now = after.get(id)
    if (!now || (now.question.removed && !question.removed)) {
      if (!question.removed) effects.push({ kind: 'removed', of: 'question', question: id })
      continue
    }
    if (question.removed && !now.question.removed) effects.push({ kind: 'returned', of: 'question', question: id })
    effects.push(...listQuestionEffects(question, now.question))
    if (page !== now.page || hasChangedOrder(before, after, id, place)) effects.push({ kind: 'moved', of: 'question', question: id })
  }
  for (const [id, { question }] of after)
    if (!before.has(id) && !question.removed) effects.push({ kind: 'added', of: 'question', question: id })
  return [...effects, ...listPageEffects(published.pages, draft.pages), ...listEndingAndQuotaEffects(published, draft)]
}

/** Questions whose answers, given on one version, would mean something else on a later one. */
export const listChangedQuestions = (given: Definition, now: Definition): ReadonlySet<string> =>
  new Set(listChangeEffects(given, now).flatMap(({ kind, question }) => (kind === 'forbidden' && question ? [question] : [])))

/** New endings apply to later participants; quotas keep the places already taken. */
function listEndingAndQuotaEffects(before: Definition, now: Definition): ChangeEffect[] {
  const hasChanged = (list: 'endings' | 'quotas') => stringifyStably(before[list] ?? []) !== stringifyStably(now[list] ?? [])
  return [
    ...(hasChanged('endings') ? [{ kind: 'worded' as const, of: 'ending' as const }] : []),
    ...(hasChanged('quotas') ? [{ kind: 'ruled' as const, of: 'quota' as const }] : []),
  ]
}

interface PlacedQuestion {
  question: Question
  page: string
  place: number
}

function indexQuestions(definition: Definition): Map<string, PlacedQuestion> {
  const all = definition.pages.flatMap((page) => page.questions.map((question) => ({ question, page: page.id })))
  return new Map(all.map((each, place) => [each.question.id, { ...each, place }]))
}

/** Whether a question's order has changed among those in both definitions. */
function hasChangedOrder(before: Map<string, PlacedQuestion>, after: Map<string, PlacedQuestion>, id: string, place: number): boolean {
  const now = after.get(id)?.place ?? 0
  return Array.from(before).some(([other, { place: then }]) => {
    const there = after.get(other)?.place
    return there !== undefined && then < place && there > now
  })
}

function listQuestionEffects(before: Question, now: Question): ChangeEffect[] {
  const question = now.id
  if (before.type !== now.type) return [{ kind: TEXT_TYPES.has(now.type) ? 'to-text' : 'forbidden', of: 'question', question }]
  if (serialiseMeaning(before) !== serialiseMeaning(now)) return [{ kind: 'forbidden', of: 'question', question }]
  const effects: ChangeEffect[] = []
  if (serialisePart(before, true) !== serialisePart(now, true)) effects.push({ kind: 'worded', of: 'question', question })
  if (serialisePart(before, false) !== serialisePart(now, false)) effects.push({ kind: 'ruled', of: 'question', question })
  for (const list of ITEM_LISTS) {
    const [own, were] = [listItems(now, list), listItems(before, list)]
    const ownById = new Map(own.map((item) => [item.id, item]))
    const idsBefore = new Set(were.map((item) => item.id))
    for (const item of were) {
      const there = ownById.get(item.id)
      if (!item.removed && (!there || there.removed)) effects.push({ kind: 'removed', of: 'option', question, item: item.id })
      else if (there && serialisePart(item, true) !== serialisePart(there, true))
        effects.push({ kind: 'worded', of: 'option', question, item: item.id })
      else if (there && serialisePart(item, false) !== serialisePart(there, false))
        effects.push({ kind: 'ruled', of: 'option', question, item: item.id })
    }
    for (const item of own)
      if (!item.removed && !idsBefore.has(item.id)) effects.push({ kind: 'added', of: 'option', question, item: item.id })
  }
  return effects
}

/** What the numbers in an answer mean. */
function serialiseMeaning(question: Question): string {
  if (question.type === 'rating') return String(question.scale.max)
  if (question.type === 'scale') return `${question.scale.min}-${question.scale.max}`
  return question.type === 'budget' ? [question.measure, question.total, question.currency].join(' ') : ''
}

/** Serialises either the wording of a question or an option, or everything else, as it would be stored, for comparison. */
function serialisePart(of: object, words: boolean): string {
  const kept = Object.entries(of).filter(
    ([name, value]: [string, unknown]) =>
      value !== undefined &&
      name !== 'removed' &&
      name !== 'scale' &&
      !ITEM_LISTS.some((list) => list === name) &&
      WORDING_PROPERTIES.has(name) === words,
  )
  const scale = words && 'scale' in of ? of.scale : undefined
  return stringifyStably([Object.fromEntries(kept), scale])
}

function listPageEffects(before: readonly Page[], now: readonly Page[]): ChangeEffect[] {
  return now.flatMap((page): ChangeEffect[] => {
    const then = before.find((each) => each.id === page.id)
    if (!then) return []
    const ruled = stringifyStably([then.showIf, then.next, then.shuffle]) !== stringifyStably([page.showIf, page.next, page.shuffle])
    const worded = stringifyStably([then.title, then.intro]) !== stringifyStably([page.title, page.intro])
    return [
      ...(worded ? [{ kind: 'worded' as const, of: 'page' as const, item: page.id }] : []),
      ...(ruled ? [{ kind: 'ruled' as const, of: 'page' as const, item: page.id }] : []),
    ]
  })
}

/** JSON with sorted keys, so that equal values serialise alike. */
const stringifyStably = (value: unknown): string =>
  JSON.stringify(value, (_name, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
