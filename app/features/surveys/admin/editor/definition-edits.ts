import type { Definition, Page, Question } from '../../surveys.schema.ts'

/** Immutable edits of a definition. Existing parts keep their ids; only new ones get new ids. */

const ID_ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz'

/** A permanent id: opaque and unique. */
export function createItemId(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10))
  return prefix + Array.from(bytes, (byte) => ID_ALPHABET[byte % ID_ALPHABET.length]).join('')
}

export interface PlacedQuestion {
  question: Question
  page: Page
  pageIndex: number
  index: number
}

export function findQuestion({ pages }: Definition, id: string): PlacedQuestion | undefined {
  for (const [pageIndex, page] of pages.entries()) {
    const index = page.questions.findIndex((question) => question.id === id)
    const question = page.questions[index]
    if (question) return { question, page, pageIndex, index }
  }
  return undefined
}

const withPages = (definition: Definition, pages: Page[]): Definition => ({ ...definition, pages })

/** Adds a question after the question, or to the end of the page, with the id `after`; otherwise at the very end. */
export function addQuestion(definition: Definition, question: Question, after: string | undefined): Definition {
  const placed = after === undefined ? undefined : findQuestion(definition, after)
  const pageIndex = placed?.pageIndex ?? Math.max(0, after === undefined ? definition.pages.length - 1 : getPageIndex(definition, after))
  const pages = definition.pages.length > 0 ? definition.pages : [{ id: createItemId('p'), questions: [] }]
  return withPages(
    definition,
    pages.map((page, index) =>
      index === pageIndex
        ? { ...page, questions: page.questions.toSpliced(placed ? placed.index + 1 : page.questions.length, 0, question) }
        : page,
    ),
  )
}

function getPageIndex({ pages }: Definition, id: string): number {
  const index = pages.findIndex((page) => page.id === id)
  return index < 0 ? pages.length - 1 : index
}

export function changeQuestion(definition: Definition, id: string, change: (question: Question) => Question): Definition {
  return withPages(
    definition,
    definition.pages.map((page) =>
      page.questions.some((question) => question.id === id)
        ? { ...page, questions: page.questions.map((question) => (question.id === id ? change(question) : question)) }
        : page,
    ),
  )
}

export function removeQuestion(definition: Definition, id: string): Definition {
  return withPages(
    definition,
    definition.pages.map((page) => ({ ...page, questions: page.questions.filter((question) => question.id !== id) })),
  )
}

/** Inserts a copy of a question right after it, with new ids. */
export function duplicateQuestion(definition: Definition, id: string): { definition: Definition; id: string } {
  const placed = findQuestion(definition, id)
  const copy = placed && copyQuestion(placed.question)
  return copy ? { definition: addQuestion(definition, copy, id), id: copy.id } : { definition, id }
}

export const copyQuestion = (question: Question): Question => ({ ...structuredClone(question), id: createItemId('q') })

export function addPage(definition: Definition, after: string | undefined): { definition: Definition; id: string } {
  const page: Page = { id: createItemId('p'), questions: [] }
  const placed = after === undefined ? undefined : findQuestion(definition, after)
  const at = placed ? placed.pageIndex : after === undefined ? definition.pages.length - 1 : getPageIndex(definition, after)
  return { definition: withPages(definition, definition.pages.toSpliced(at + 1, 0, page)), id: page.id }
}

export function changePage(definition: Definition, id: string, change: (page: Page) => Page): Definition {
  return withPages(
    definition,
    definition.pages.map((page) => (page.id === id ? change(page) : page)),
  )
}

export function duplicatePage(definition: Definition, id: string): { definition: Definition; id: string } {
  const index = definition.pages.findIndex((page) => page.id === id)
  const page = definition.pages[index]
  if (!page) return { definition, id }
  const questions = page.questions.map(copyQuestion)
  const ids = new Map(page.questions.map((question, at) => [question.id, questions[at]?.id ?? question.id]))
  const copy: Page = { ...replaceQuestionIds({ ...structuredClone(page), questions }, ids), id: createItemId('p') }
  return { definition: withPages(definition, definition.pages.toSpliced(index + 1, 0, copy)), id: copy.id }
}

/** Rewrites references to other questions in rules, carried choices and piped answers. */
function replaceQuestionIds<T>(part: T, ids: ReadonlyMap<string, string>): T {
  if (typeof part === 'string')
    return part.replace(/\{\{\s*([\w-]+)\s*\}\}/g, (all, id: string) => (ids.has(id) ? `{{${ids.get(id)}}}` : all)) as T
  if (Array.isArray(part)) return part.map((each: unknown) => replaceQuestionIds(each, ids)) as T
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([name, value]: [string, unknown]) => [
      name,
      name === 'question' && typeof value === 'string' ? (ids.get(value) ?? value) : replaceQuestionIds(value, ids),
    ]),
  ) as T
}

/** Removes a page with its questions. The last page stays. */
export function removePage(definition: Definition, id: string): Definition {
  if (definition.pages.length < 2) return definition
  return withPages(
    definition,
    definition.pages.filter((page) => page.id !== id),
  )
}

/** The outline as one list: each page followed by its questions, without removed ones. */
export const listOutlineIds = ({ pages }: Definition): string[] =>
  pages.flatMap((page) => [page.id, ...page.questions.filter((question) => !question.removed).map((question) => question.id)])

/**
 * Reorders the definition's outline to the order of `ids`, of which `moved` was moved. A question moves to the page above it; a page takes
 * its questions along.
 */
export function reorderOutline(definition: Definition, ids: readonly string[], moved: string): Definition {
  const before = listOutlineIds(definition)
  const pageIds = new Set(definition.pages.map((page) => page.id))
  if (before.join() === ids.join()) return definition
  if (pageIds.has(moved)) return movePage(definition, moved, before.indexOf(moved), ids)
  const questions = new Map(definition.pages.flatMap((page) => page.questions.map((question) => [question.id, question] as const)))
  const pages = definition.pages.map((page): Page => ({ ...page, questions: page.questions.filter((question) => question.removed) }))
  let at = 0
  for (const id of ids) {
    const page = pages.findIndex((candidate) => candidate.id === id)
    const question = questions.get(id)
    if (page >= 0) at = page
    else if (question) pages[at]?.questions.push(question)
  }
  return withPages(definition, pages)
}

function movePage(definition: Definition, id: string, from: number, ids: readonly string[]): Definition {
  const { pages } = definition
  const index = pages.findIndex((page) => page.id === id)
  const page = pages[index]
  if (!page) return definition
  const others = pages.filter((each) => each.id !== id)
  const to = ids.indexOf(id)
  const headings = ids.slice(0, to).filter((each) => others.some((other) => other.id === each)).length
  const target = headings !== index ? headings : to < from ? index - 1 : index + 1
  return withPages(definition, others.toSpliced(Math.max(0, target), 0, page))
}
