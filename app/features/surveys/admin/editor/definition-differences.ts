import { isJsonEqual } from '#app/lib/json-equal.ts'
import { listChangeEffects } from '../../questionnaire/change-effects.ts'
import { listItems } from '../../questionnaire/item-lists.ts'
import { ITEM_LISTS } from '../../questionnaire/walk-survey.ts'
import type { Definition, Question } from '../../surveys.schema.ts'

/** Fields that a comparison shows side by side. Other differences are only listed by name. */
export const SHOWN_FIELDS = [
  'title',
  'intro',
  'help',
  'text',
  'type',
  'required',
  'low',
  'high',
  'unit',
  'patternHelp',
  'limit',
  ...ITEM_LISTS,
] as const
export type ShownField = (typeof SHOWN_FIELDS)[number]

type PartKind = 'page' | 'question' | 'ending' | 'quota'

/** A part's members by their names. */
type Part = Readonly<Record<string, unknown>> & { readonly id: string }

export interface PartDifference {
  kind: PartKind
  id: string
  /** Undefined if it is only in the other version. */
  before: Part | undefined
  after: Part | undefined
  isMoved: boolean
  fields: ShownField[]
  /** Something differs that is not one of the fields: a rule, a limit, a picture. */
  hasOthers: boolean
}

/** Differences between two versions of a survey's questions, part by part, in the order of the later one; removed parts come last. */
export function listDefinitionDifferences(before: Definition, after: Definition): PartDifference[] {
  const [old, fresh] = [indexParts(before), indexParts(after)]
  const effects = listChangeEffects(before, after)
  const moved = new Set(effects.flatMap(({ kind, question }) => (kind === 'moved' && question ? [question] : [])))
  return [...new Set([...fresh.keys(), ...old.keys()])].flatMap((key): PartDifference[] => {
    const [was, is] = [old.get(key), fresh.get(key)]
    const part = is ?? was
    if (!part) return []
    const { kind, id } = part
    const isMoved = was !== undefined && is !== undefined && kind === 'question' && moved.has(id)
    const names = was && is ? listDifferingNames(was.content, is.content) : []
    if (was && is && !isMoved && names.length === 0) return []
    const isShown = new Set(names)
    const fields = SHOWN_FIELDS.filter((name) => isShown.delete(name))
    return [{ kind, id, before: was?.content, after: is?.content, isMoved, fields, hasOthers: isShown.size > 0 }]
  })
}

interface IndexedPart {
  kind: PartKind
  id: string
  content: Part
}

/** Ids are unique among the parts of one kind. */
function indexParts({ pages, endings = [], quotas = [] }: Definition): Map<string, IndexedPart> {
  const parts: IndexedPart[] = [
    ...pages.flatMap((page): IndexedPart[] => {
      const { questions, ...content } = page
      return [{ kind: 'page', id: page.id, content }, ...questions.filter(({ removed }) => !removed).map(toIndexedQuestion)]
    }),
    ...endings.map((content): IndexedPart => ({ kind: 'ending', id: content.id, content })),
    ...quotas.map((content): IndexedPart => ({ kind: 'quota', id: content.id, content })),
  ]
  return new Map(parts.map((part) => [`${part.kind} ${part.id}`, part]))
}

/** With the ends of its scale as members of its own, and without removed items. */
function toIndexedQuestion(question: Question): IndexedPart {
  const scale = 'scale' in question ? { ...question.scale, scale: undefined } : {}
  const lists = ITEM_LISTS.filter((list) => list in question).map((list) => [
    list,
    listItems(question, list).filter(({ removed }) => !removed),
  ])
  return { kind: 'question', id: question.id, content: { ...question, ...scale, ...(Object.fromEntries(lists) as object) } }
}

const listDifferingNames = (before: Part, after: Part): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !isJsonEqual(before[name], after[name]))
