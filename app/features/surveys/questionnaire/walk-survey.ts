import { getOwn } from './question-types/question-type.ts'
import { getQuestionModule } from './question-types/registry.ts'
import type { Condition } from './conditions.schema.ts'
import { isConditionMet } from './conditions.ts'
import { isLongList } from './question-types/choices/options.ts'
import { findShownItems } from './shown-items.ts'
import type { Answer, Answers, Definition, Option, Page, Question } from '../surveys.schema.ts'

/** A survey as one person goes through it. This is the only evaluator, run in the browser and on the server. */
export interface SurveyWalk {
  /** Reached pages in order, with their questions: visible options and rows only, in this person's order. */
  pages: WalkedPage[]
  /** Id of the ending if the walk ends early; '' at the end of the survey. */
  end: string
  /** Answers to visible questions only: hidden ones are never kept. */
  kept: Answers
}

export interface WalkedPage {
  page: Page
  questions: Question[]
}

/**
 * Walks through a survey with the answers so far. Conditions only look back, at questions that were asked; jumps only go forward. So the
 * walk always ends, and what a page asks depends on nothing after it.
 * @param seed the response's id: the same seed gives the same random order everywhere
 */
export function walkSurvey(definition: Definition, answers: Answers, seed: string): SurveyWalk {
  const kept: Answers = {}
  const pages: WalkedPage[] = []
  const places = new Map(definition.pages.map((page, index) => [page.id, index]))
  let index = 0
  while (index < definition.pages.length) {
    const page = definition.pages[index] as Page
    if (!isMetOrUnconditional(page.showIf, kept)) {
      index += 1
      continue
    }
    const questions = page.questions.flatMap((question) => askQuestion(question, answers, kept, seed))
    if (questions.length > 0 || page.intro)
      pages.push({ page, questions: page.shuffle ? shuffleItems(questions, seed, page.id) : questions })
    const rule = page.next?.find(({ when }) => isMetOrUnconditional(when, kept))
    if (rule?.end !== undefined) return { pages, end: rule.end, kept }
    const target = places.get(rule?.page ?? '') ?? -1
    index = target > index ? target : index + 1
  }
  return { pages, end: '', kept }
}

/** True if the order in which anything is asked or offered depends on the seed. */
export const hasRandomOrder = ({ pages }: Definition): boolean =>
  pages.some(({ shuffle, questions }) => shuffle || questions.some((question) => 'shuffle' in question && question.shuffle))

/** The lists of a question that answers refer to. */
export const ITEM_LISTS = ['options', 'rows', 'columns'] as const

export const listAskedQuestions = ({ pages }: SurveyWalk): Question[] => pages.flatMap((page) => page.questions)

const isMetOrUnconditional = (condition: Condition | undefined, kept: Answers): boolean =>
  condition === undefined || isConditionMet(condition, kept)

/** The question as shown, with its answer kept; empty if it is hidden. */
function askQuestion(question: Question, answers: Answers, kept: Answers, seed: string): Question[] {
  if (question.removed || !isMetOrUnconditional(question.showIf, kept)) return []
  const shown = { ...question }
  const hiders: ((id: string) => boolean)[] = []
  for (const list of ITEM_LISTS) {
    if (!(list in question)) continue
    const items = findShownItems((question as unknown as Record<typeof list, Option[]>)[list], kept)
    hiders.push(items.isHidden)
    Object.assign(shown, { [list]: items.shown })
    const isMixed = 'shuffle' in question && question.shuffle && list !== 'columns' && !isLongList(shown)
    if (isMixed) Object.assign(shown, { [list]: shuffleItems(items.shown, seed, question.id) })
  }
  const isHidden = (id: string) => hiders.some((hides) => hides(id))
  // A question that carries over choices from an unanswered question has nothing to ask.
  if ('options' in shown && 'carry' in shown && shown.carry && shown.options.length === 0) return []
  const given = getOwn(answers, question.id)
  const offered = given === undefined ? undefined : omitHiddenChoices(given, isHidden)
  const answer = offered === undefined ? undefined : getQuestionModule(question).tidy(question, offered)
  if (answer !== undefined && question.type !== 'info') kept[question.id] = answer
  return [shown]
}

/** An answer without options hidden from this person; undefined if nothing is left. */
function omitHiddenChoices(answer: Answer, isHidden: (id: string) => boolean): Answer | undefined {
  if (typeof answer !== 'object') return answer
  if ('choice' in answer) return isHidden(answer.choice) ? undefined : answer
  if ('choices' in answer) return { ...answer, choices: answer.choices.filter((id) => !isHidden(id)) }
  if ('rows' in answer) {
    const rows = Object.entries(answer.rows).filter(([row]) => !isHidden(row))
    return { rows: Object.fromEntries(rows.map(([row, columns]) => [row, columns.filter((id) => !isHidden(id))])) }
  }
  if ('ranks' in answer) return { ranks: omitKeys(answer.ranks, isHidden) }
  return 'amounts' in answer ? { amounts: omitKeys(answer.amounts, isHidden) } : answer
}

const omitKeys = <T>(record: Record<string, T>, isOmitted: (id: string) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([id]) => !isOmitted(id)))

/** A random order determined by the seed; "other" and "none of these" stay last. Long lists keep their order: people look there for a name. */
function shuffleItems<T extends { id: string; other?: true | undefined; exclusive?: true | undefined }>(
  items: readonly T[],
  seed: string,
  of: string,
): T[] {
  const rankAtEnd = (item: T) => Number(Boolean(item.other)) + 2 * Number(Boolean(item.exclusive))
  const drawn = items.map((item) => ({ item, order: hashText(`${seed}/${of}/${item.id}`) }))
  return drawn
    .toSorted((a, b) => rankAtEnd(a.item) - rankAtEnd(b.item) || a.order - b.order || (a.item.id < b.item.id ? -1 : 1))
    .map(({ item }) => item)
}

/** A pseudo-random hash of the text (FNV-1a with extra mixing). */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** Whether answers change which questions are asked, so that their number is unknown at the start. */
export const hasBranching = (definition: Definition): boolean =>
  definition.pages.some(
    (page) =>
      page.showIf !== undefined ||
      (page.next?.length ?? 0) > 0 ||
      page.questions.some((question) => !question.removed && (question.showIf !== undefined || 'carry' in question)),
  )

/** Whether anything depends on earlier answers, so that the survey cannot be a single page without a script. */
export const isAnswerDependent = (definition: Definition): boolean =>
  definition.pages.some(
    (page) =>
      page.showIf !== undefined ||
      (page.next?.length ?? 0) > 0 ||
      [page.title, page.intro, ...page.questions.filter((question) => !question.removed)].some((part) =>
        /"showIf"|"carry"|\{\{/.test(JSON.stringify(part)),
      ),
  )
