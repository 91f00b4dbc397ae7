import { isJsonEqual } from '#app/lib/json-equal.ts'
import type { Definition, Page, Question } from '../../surveys.schema.ts'
import { addQuestion, copyQuestion } from './definition-edits.ts'
import { isReworded, mergeValues } from './merge-values.ts'

/** A question, page, closing page or quota that two people changed differently. Null: removed. */
export interface DefinitionConflict {
  id: string
  kind: DefinitionPart['kind']
  mine: DefinitionPart['content'] | null
  theirs: DefinitionPart['content'] | null
}

export type PageHead = Omit<Page, 'questions'>

export interface MergedDefinitions {
  /** Both people's changes, preferring mine in a conflict. */
  mine: Definition
  /** Both people's changes, preferring theirs in a conflict. */
  theirs: Definition
  /** Both people's changes. Of a question in conflict, mine and a copy of theirs; what one of them removed stays. */
  both: Definition
  conflicts: DefinitionConflict[]
}

/**
 * Three-way merge of a definition, question by question: a part that only one person changed is taken from that person, and texts are merged
 * language by language.
 * @param base the common ancestor
 */
export function mergeDefinitions(base: Definition, mine: Definition, theirs: Definition): MergedDefinitions {
  const [b, m, t] = [indexParts(base), indexParts(mine), indexParts(theirs)]
  const conflicts: DefinitionConflict[] = []
  const chosenMine = new Map<string, DefinitionPart>()
  const chosenTheirs = new Map<string, DefinitionPart>()
  const chosenBoth = new Map<string, DefinitionPart>()
  for (const id of new Set([...m.keys(), ...t.keys()])) {
    const [my, their] = [m.get(id), t.get(id)]
    const { first, second, isClash } = choosePart(b.get(id), my, their)
    const kind = (my ?? their)?.kind ?? 'question'
    if (isClash) conflicts.push({ id, kind, mine: my?.content ?? null, theirs: their?.content ?? null })
    if (first) chosenMine.set(id, first)
    if (second) chosenTheirs.set(id, second)
    const either = first ?? second
    if (either) chosenBoth.set(id, either)
  }
  return {
    mine: arrangeParts(base, mine, theirs, chosenMine),
    theirs: arrangeParts(base, theirs, mine, chosenTheirs),
    both: addCopies(arrangeParts(base, mine, theirs, chosenBoth), conflicts),
    conflicts,
  }
}

const addCopies = (definition: Definition, conflicts: readonly DefinitionConflict[]): Definition =>
  conflicts.reduce(
    (now, { id, kind, mine, theirs }) =>
      kind === 'question' && mine && theirs ? addQuestion(now, copyQuestion(theirs as Question), id) : now,
    definition,
  )

interface ChosenPart {
  first: DefinitionPart | undefined
  second: DefinitionPart | undefined
  isClash: boolean
}

/** One part of the merged definition, preferring mine and preferring theirs. */
function choosePart(was: DefinitionPart | undefined, my: DefinitionPart | undefined, their: DefinitionPart | undefined): ChosenPart {
  if (hasSameContent(was, my)) return { first: their, second: their, isClash: false }
  if (hasSameContent(was, their) || hasSameContent(my, their)) return { first: my, second: my, isClash: false }
  const merged = mergeWording(was, my, their)
  return merged ? { first: merged, second: merged, isClash: false } : { first: my, second: their, isClash: true }
}

/** One part that both changed, if one of the two only reworded it, in other languages or members than the other changed. */
function mergeWording(
  was: DefinitionPart | undefined,
  my: DefinitionPart | undefined,
  their: DefinitionPart | undefined,
): DefinitionPart | undefined {
  if (!was || !my || !their || !(isReworded(was.content, my.content) || isReworded(was.content, their.content))) return undefined
  const merged = mergeValues(was.content, my.content, their.content)
  return merged && ({ kind: my.kind, content: merged.value } as DefinitionPart)
}

type Ending = NonNullable<Definition['endings']>[number]
type Quota = NonNullable<Definition['quotas']>[number]
type DefinitionPart =
  | { kind: 'question'; content: Question }
  | { kind: 'page'; content: PageHead }
  | { kind: 'ending'; content: Ending }
  | { kind: 'quota'; content: Quota }

const hasSameContent = (one: DefinitionPart | undefined, other: DefinitionPart | undefined): boolean =>
  isJsonEqual(one?.content, other?.content)

function indexParts({ pages, endings = [], quotas = [] }: Definition): Map<string, DefinitionPart> {
  const parts = new Map<string, DefinitionPart>()
  for (const { questions, ...head } of pages) {
    parts.set(head.id, { kind: 'page', content: head })
    for (const question of questions) parts.set(question.id, { kind: 'question', content: question })
  }
  for (const ending of endings) parts.set(ending.id, { kind: 'ending', content: ending })
  for (const quota of quotas) parts.set(quota.id, { kind: 'quota', content: quota })
  return parts
}

const getOutlineOrder = ({ pages }: Definition) => pages.map((page) => [page.id, page.questions.map((question) => question.id)])

/**
 * Arranges the chosen parts in the order of `first`, unless only `second` changed the order; the rest keeps its place after its
 * predecessor.
 */
function arrangeParts(base: Definition, first: Definition, second: Definition, chosen: ReadonlyMap<string, DefinitionPart>): Definition {
  const unmoved = isJsonEqual(getOutlineOrder(base), getOutlineOrder(first))
  const [main, other] = unmoved ? [second, first] : [first, second]
  const pages: Page[] = []
  for (const page of main.pages) {
    const head = chosen.get(page.id)
    if (head?.kind === 'page') pages.push({ ...head.content, questions: [] })
    const into = pages.at(-1)
    for (const { id } of page.questions) {
      const part = chosen.get(id)
      if (part?.kind === 'question') into?.questions.push(part.content)
    }
  }
  insertRest(pages, other, chosen)
  return {
    ...first,
    pages: pages.length > 0 ? pages : base.pages.slice(0, 1),
    ...mergeList('endings', 'ending', first, second, chosen),
    ...mergeList('quotas', 'quota', first, second, chosen),
  }
}

/** Adds the chosen parts that only `other` has to `pages`, after their predecessors. */
function insertRest(pages: Page[], other: Definition, chosen: ReadonlyMap<string, DefinitionPart>): void {
  const placed = new Set(pages.flatMap((page) => [page.id, ...page.questions.map((question) => question.id)]))
  for (const [index, page] of other.pages.entries()) {
    const head = chosen.get(page.id)
    if (head?.kind === 'page' && !placed.has(page.id)) pages.splice(Math.min(index, pages.length), 0, { ...head.content, questions: [] })
    const home = pages.find((candidate) => candidate.id === page.id) ?? pages.at(-1)
    if (!home) continue
    for (const [position, { id }] of page.questions.entries()) {
      const part = chosen.get(id)
      if (placed.has(id) || part?.kind !== 'question') continue
      const before = page.questions.slice(0, position).findLast((each) => home.questions.some((kept) => kept.id === each.id))
      const at = before ? home.questions.findIndex((kept) => kept.id === before.id) + 1 : 0
      home.questions.splice(at, 0, part.content)
      placed.add(id)
    }
  }
}

/** The chosen closing pages or quotas, in the order of `first` and then of `second`; empty if neither has any. */
function mergeList<List extends 'endings' | 'quotas'>(
  list: List,
  kind: 'ending' | 'quota',
  first: Definition,
  second: Definition,
  chosen: ReadonlyMap<string, DefinitionPart>,
): Partial<Pick<Definition, List>> {
  if (!first[list] && !second[list]) return {}
  const ids = new Set([...(first[list] ?? []), ...(second[list] ?? [])].map(({ id }) => id))
  const kept = Array.from(ids).flatMap((id) => {
    const part = chosen.get(id)
    return part?.kind === kind ? [part.content] : []
  })
  return { [list]: kept } as Partial<Pick<Definition, List>>
}
