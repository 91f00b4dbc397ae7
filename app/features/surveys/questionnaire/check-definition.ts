import type { Fault } from '#app/lib/app-error.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import { findTextGaps } from '#app/lib/translated-texts.ts'
import { checkLogic } from './check-logic.ts'
import { listItems } from './item-lists.ts'
import { getQuestionModule } from './question-types/registry.ts'
import type { Definition, Page, Question, Row } from '../surveys.schema.ts'
import { isTranslated } from './definition-texts.ts'
import { ITEM_LISTS } from './walk-survey.ts'

/**
 * The requirements for publishing a definition, checked by the editor while typing and by the server on publishing. Pointers are relative
 * to the definition: `/pages/0/questions/2/title/fr-CA`.
 * @param languages the site's: every text must exist in each of them
 */
export function checkDefinition(definition: Definition, languages: readonly ContentLanguage[]): Fault[] {
  const faults: Fault[] = []
  const seen = new Set<string>()
  const checkUnique = (id: string, pointer: string) => {
    if (seen.has(id)) faults.push({ code: 'taken', pointer: `${pointer}/id` })
    seen.add(id)
  }
  if (!definition.pages.some((page) => page.questions.some((question) => !question.removed && question.type !== 'info')))
    faults.push({ code: 'too-few', pointer: '/pages', values: { min: 1 } })
  for (const [e, ending] of (definition.endings ?? []).entries()) {
    checkUnique(ending.id, `/endings/${e}`)
    faults.push(...listTextFaults(ending, languages, `/endings/${e}`))
  }
  for (const [p, page] of definition.pages.entries()) {
    const pointer = `/pages/${p}`
    checkUnique(page.id, pointer)
    faults.push(
      ...checkTranslations(page.title, languages, `${pointer}/title`),
      ...checkTranslations(page.intro, languages, `${pointer}/intro`),
    )
    for (const [q, question] of page.questions.entries()) {
      const at = `${pointer}/questions/${q}`
      checkUnique(question.id, at)
      faults.push(...checkQuestion(question, languages, at))
    }
  }
  return [...faults, ...checkLogic(definition)]
}

function checkQuestion(question: Question, languages: readonly ContentLanguage[], at: string): Fault[] {
  if (question.removed) return []
  return [...listTextFaults(question, languages, at), ...(getQuestionModule(question).faults?.(question, at) ?? [])]
}

/** Texts that are required wherever they can occur. */
const REQUIRED_TEXTS = new Set(['title', 'label', 'alt'])

/** Faults of every text inside `part`: required ones that are missing, and missing translations of the others. Skips removed parts. */
function listTextFaults(part: object, languages: readonly ContentLanguage[], at: string): Fault[] {
  return Object.entries(part).flatMap(([name, value]: [string, unknown]): Fault[] => {
    if (typeof value !== 'object' || value === null || name === 'showIf' || name === 'carry') return []
    const pointer = `${at}/${name}`
    if (isTranslated(value))
      return REQUIRED_TEXTS.has(name) ? checkRequiredText(value, languages, pointer) : checkTranslations(value, languages, pointer)
    return 'removed' in value ? [] : listTextFaults(value, languages, pointer)
  })
}

/** The survey's own texts: the title is required in every language, the others in every language if they exist in any. */
export function checkTexts(
  texts: { title: Translated; intro: Translated; thanks: Translated },
  languages: readonly ContentLanguage[],
): Fault[] {
  return [
    ...checkRequiredText(texts.title, languages, '/title'),
    ...checkTranslations(texts.intro, languages, '/intro'),
    ...checkTranslations(texts.thanks, languages, '/thanks'),
  ]
}

/** Required if the text does not exist at all; otherwise reports the missing translations. */
function checkRequiredText(text: Translated, languages: readonly ContentLanguage[], pointer: string): Fault[] {
  return hasText(text) ? checkTranslations(text, languages, pointer) : [{ code: 'required', pointer }]
}

/** Languages missing from a text that exists in at least one. */
function checkTranslations(text: Translated | undefined, languages: readonly ContentLanguage[], pointer: string): Fault[] {
  return findTextGaps([{ pointer, text }], languages).map(({ pointer: place, language }) => ({
    code: 'translation-missing' as const,
    pointer: place,
    values: { language },
  }))
}

const hasText = (text: Translated | undefined): boolean => Object.values(text ?? {}).some((value) => value?.trim())

/** A question as results and exports show it: from the newest version that asks it. */
export type CombinedQuestion = Question & {
  removedOptions?: string[]
  /** For a question that became text: the options it had before, newest wording first. */
  formerOptions?: Row[]
}
export interface CombinedDefinition {
  pages: (Omit<Page, 'questions'> & { questions: CombinedQuestion[] })[]
}

/**
 * Every question and option of any version, in the newest version's order and wording. Removed ones stay as tombstones in their last
 * position, so that every answer still has its question.
 * @param versions from oldest to newest
 */
export function combineVersions(versions: readonly Definition[]): CombinedDefinition {
  const newest = versions.at(-1)
  if (!newest) return { pages: [] }
  const older = versions.slice(0, -1).toReversed()
  const ids = new Set(newest.pages.flatMap((page) => page.questions.map((question) => question.id)))
  const pages = newest.pages.map((page) => ({
    ...page,
    questions: page.questions.map((question) => combineOptions(question, older)),
  }))
  for (const version of older) {
    for (const page of version.pages) {
      for (const [index, question] of page.questions.entries()) {
        if (ids.has(question.id)) continue
        ids.add(question.id)
        const home = pages.find((candidate) => candidate.id === page.id) ?? pages.at(-1)
        home?.questions.splice(Math.min(index, home.questions.length), 0, { ...combineOptions(question, older), removed: true })
      }
    }
  }
  return { pages }
}

function combineOptions(question: Question, older: readonly Definition[]): CombinedQuestion {
  const kept: Record<string, unknown> = {}
  const removedOptions: string[] = []
  const formerOptions: Row[] = []
  for (const list of ITEM_LISTS) {
    const own = listItems(question, list)
    const gone: Row[] = []
    const known = new Set(own.map((item) => item.id))
    for (const version of older) {
      const before = version.pages.flatMap((page) => page.questions).find((candidate) => candidate.id === question.id)
      for (const item of listItems(before, list)) {
        if (known.has(item.id)) continue
        known.add(item.id)
        gone.push(item)
      }
    }
    removedOptions.push(...[...own.filter((item) => item.removed), ...(list in question ? gone : [])].map((item) => item.id))
    if (!(list in question)) formerOptions.push(...gone)
    else if (gone.length > 0) kept[list] = [...own, ...gone]
  }
  return {
    ...question,
    ...kept,
    ...(removedOptions.length > 0 && { removedOptions }),
    ...(formerOptions.length > 0 && { formerOptions }),
  }
}

/**
 * Changes to published questions that would make existing answers meaningless: another type (except text, which can show any answer) or
 * another scale. Pointers are relative to the draft.
 */
export function checkAgainstPublished(draft: Definition, versions: readonly Definition[]): Fault[] {
  const before = new Map<string, Question>()
  for (const version of versions) for (const page of version.pages) for (const question of page.questions) before.set(question.id, question)
  return draft.pages.flatMap((page, p) =>
    page.questions.flatMap((question, q): Fault[] => {
      const known = before.get(question.id)
      const at = `/pages/${p}/questions/${q}`
      if (!known || question.type === 'short_text' || question.type === 'long_text') return []
      if (known.type !== question.type) return [{ code: 'question-type-fixed', pointer: `${at}/type` }]
      const scale = findScale(question)
      return scale !== undefined && JSON.stringify(findScale(known)) !== JSON.stringify(scale)
        ? [{ code: 'scale-fixed', pointer: `${at}${scale.pointer}` }]
        : []
    }),
  )
}

/** What the numbers in an answer mean: changing it would change their meaning. */
function findScale(question: Question): { pointer: string; means: (string | number)[] } | undefined {
  switch (question.type) {
    case 'rating':
      return { pointer: '/scale/max', means: [1, question.scale.max] }
    case 'scale':
      return { pointer: '/scale/max', means: [question.scale.min, question.scale.max] }
    case 'budget':
      return { pointer: '/total', means: [question.measure, question.total, question.currency ?? ''] }
    default:
      return undefined
  }
}
