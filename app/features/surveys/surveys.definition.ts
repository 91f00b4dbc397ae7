import type { Fault } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import { LONGEST_TEXT } from './surveys.limits.ts'
import { type Definition, type Option, type Page, type Question } from './surveys.schema.ts'

/**
 * What must hold before a definition is published, run by the editor as one types and by the server when it is published.
 * Pointers lie inside the definition: `/pages/0/questions/2/title/fr-CA`.
 * @param languages the site's: every text that is there must be there in each of them
 */
export function checkDefinition(definition: Definition, languages: readonly Language[]): Fault[] {
  const faults: Fault[] = []
  const seen = new Set<string>()
  const unique = (id: string, pointer: string) => {
    if (seen.has(id)) faults.push({ code: 'taken', pointer: `${pointer}/id` })
    seen.add(id)
  }
  if (!definition.pages.some((page) => page.questions.length > 0)) faults.push({ code: 'too-few', pointer: '/pages', values: { min: 1 } })
  for (const [p, page] of definition.pages.entries()) {
    const pointer = `/pages/${p}`
    unique(page.id, pointer)
    faults.push(...missing(page.title, languages, `${pointer}/title`), ...missing(page.intro, languages, `${pointer}/intro`))
    for (const [q, question] of page.questions.entries()) {
      const at = `${pointer}/questions/${q}`
      unique(question.id, at)
      faults.push(...checkQuestion(question, languages, at))
    }
  }
  return faults
}

function checkQuestion(question: Question, languages: readonly Language[], at: string): Fault[] {
  const texts = [...needed(question.title, languages, `${at}/title`), ...missing(question.help, languages, `${at}/help`)]
  switch (question.type) {
    case 'short_text':
    case 'long_text': {
      const max = question.maxLength ?? LONGEST_TEXT[question.type]
      const fits = max > 0 && (question.minLength ?? 0) <= max
      return fits
        ? texts
        : [...texts, { code: 'out-of-range', pointer: `${at}/maxLength`, values: { min: Math.max(1, question.minLength ?? 0) } }]
    }
    case 'rating':
      return [
        ...texts,
        ...missing(question.scale.low, languages, `${at}/scale/low`),
        ...missing(question.scale.high, languages, `${at}/scale/high`),
      ]
    case 'one_choice':
      return [...texts, ...checkOptions(question, languages, at)]
    case 'several_choices': {
      const max = question.maxChoices ?? question.options.length
      const least = Math.max(1, question.minChoices ?? 0)
      const fits = least <= max && (question.minChoices ?? 0) <= question.options.length
      return [
        ...texts,
        ...checkOptions(question, languages, at),
        ...(fits ? [] : [{ code: 'out-of-range' as const, pointer: `${at}/maxChoices`, values: { min: least } }]),
      ]
    }
  }
}

function checkOptions(question: Extract<Question, { options: unknown }>, languages: readonly Language[], at: string): Fault[] {
  const faults: Fault[] = question.options.length < 2 ? [{ code: 'too-few', pointer: `${at}/options`, values: { min: 2 } }] : []
  const seen = new Set<string>()
  let others = 0
  for (const [o, option] of question.options.entries()) {
    const pointer = `${at}/options/${o}`
    if (seen.has(option.id)) faults.push({ code: 'taken', pointer: `${pointer}/id` })
    seen.add(option.id)
    faults.push(...needed(option.label, languages, `${pointer}/label`), ...missing(option.help, languages, `${pointer}/help`))
    if (option.other && ++others > 1) faults.push({ code: 'too-many', pointer: `${pointer}/other`, values: { max: 1 } })
  }
  return faults
}

/** A text that must be there: without any it is required, with some it is missing in the others. */
function needed(text: Translated, languages: readonly Language[], pointer: string): Fault[] {
  return hasText(text) ? missing(text, languages, pointer) : [{ code: 'required', pointer }]
}

/** Languages that a text which is there lacks. A text that is nowhere lacks none. */
export function missing(text: Translated | undefined, languages: readonly Language[], pointer: string): Fault[] {
  if (!hasText(text)) return []
  return languages
    .filter((language) => !text?.[language]?.trim())
    .map((language) => ({ code: 'translation-missing' as const, pointer: `${pointer}/${language}`, values: { language } }))
}

const hasText = (text: Translated | undefined): boolean => Object.values(text ?? {}).some((value) => value?.trim())

/** A question as results and exports show it: the newest version's, or the last one that asked it. */
export type KeptQuestion = Question & {
  removed?: true
  removedOptions?: string[]
  /** Of a question that has become text: what could be chosen before, newest wording first. */
  formerOptions?: Option[]
}
export interface KeptDefinition {
  pages: (Omit<Page, 'questions'> & { questions: KeptQuestion[] })[]
}

/**
 * Every question and option that any version ever had, in the newest version's order with the newest wording: what was removed
 * stays as a tombstone where it last stood, so that no given answer is ever without its question.
 * @param versions from the oldest to the newest
 */
export function keepEverything(versions: readonly Definition[]): KeptDefinition {
  const newest = versions.at(-1)
  if (!newest) return { pages: [] }
  const older = versions.slice(0, -1).toReversed()
  const ids = new Set(newest.pages.flatMap((page) => page.questions.map((question) => question.id)))
  const pages = newest.pages.map((page) => ({
    ...page,
    questions: page.questions.map((question) => keepOptions(question, older)),
  }))
  for (const version of older) {
    for (const page of version.pages) {
      for (const [index, question] of page.questions.entries()) {
        if (ids.has(question.id)) continue
        ids.add(question.id)
        const home = pages.find((candidate) => candidate.id === page.id) ?? pages.at(-1)
        home?.questions.splice(Math.min(index, home.questions.length), 0, { ...keepOptions(question, older), removed: true })
      }
    }
  }
  return { pages }
}

function keepOptions(question: Question, older: readonly Definition[]): KeptQuestion {
  const own = 'options' in question ? question.options : []
  const gone: Option[] = []
  for (const version of older) {
    const before = version.pages.flatMap((page) => page.questions).find((candidate) => candidate.id === question.id)
    for (const option of before && 'options' in before ? before.options : []) {
      if (![...own, ...gone].some((candidate) => candidate.id === option.id)) gone.push(option)
    }
  }
  if (gone.length === 0) return question
  if (!('options' in question)) return { ...question, formerOptions: gone }
  return { ...question, options: [...own, ...gone], removedOptions: gone.map((option) => option.id) }
}

/**
 * What a draft would do to answers already given that must not be done: another type (save to text, which can show any answer) or
 * another scale. Pointers lie inside the draft.
 */
export function checkAgainstAnswers(draft: Definition, versions: readonly Definition[]): Fault[] {
  const before = new Map<string, Question>()
  for (const version of versions) for (const page of version.pages) for (const question of page.questions) before.set(question.id, question)
  return draft.pages.flatMap((page, p) =>
    page.questions.flatMap((question, q): Fault[] => {
      const known = before.get(question.id)
      const at = `/pages/${p}/questions/${q}`
      if (!known || question.type === 'short_text' || question.type === 'long_text') return []
      if (known.type !== question.type) return [{ code: 'question-type-fixed', pointer: `${at}/type` }]
      if (known.type === 'rating' && question.type === 'rating' && known.scale.max !== question.scale.max)
        return [{ code: 'scale-fixed', pointer: `${at}/scale/max` }]
      return []
    }),
  )
}
