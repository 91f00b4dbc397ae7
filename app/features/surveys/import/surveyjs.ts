import * as v from 'valibot'
import type { Language } from '#app/lib/languages.ts'
import { ANY_FILE, MOST_FILES } from '../questionnaire/question-types/files/file-kinds.ts'
import type { QuestionOf } from '../surveys.schema.ts'
import { Drafting, type Imported } from './drafting.ts'

const text = v.union([v.string(), v.record(v.string(), v.unknown())])
const item = v.union([
  v.string(),
  v.number(),
  v.looseObject({ value: v.union([v.string(), v.number(), v.boolean()]), text: v.optional(text) }),
])
const items = v.fallback(v.optional(v.array(item)), undefined)
const number = v.fallback(v.optional(v.number()), undefined)
const flag = v.fallback(v.optional(v.boolean()), undefined)
const words = v.fallback(v.optional(text), undefined)

const elementSchema = v.looseObject({
  type: v.string(),
  name: v.fallback(v.string(), 'question'),
  title: words,
  description: words,
  html: words,
  isRequired: flag,
  visibleIf: v.fallback(v.optional(v.string()), undefined),
  choices: items,
  columns: items,
  rows: items,
  inputType: v.fallback(v.optional(v.string()), undefined),
  rateMin: number,
  rateMax: number,
  hasOther: flag,
  showOtherItem: flag,
  otherText: words,
  hasNone: flag,
  showNoneItem: flag,
  noneText: words,
  maxSelectedChoices: number,
  allowMultiple: flag,
  maxLength: number,
  min: v.fallback(v.optional(v.union([v.number(), v.string()])), undefined),
  max: v.fallback(v.optional(v.union([v.number(), v.string()])), undefined),
  cellType: v.fallback(v.optional(v.string()), undefined),
  elements: v.fallback(v.optional(v.array(v.unknown())), undefined),
})
type Element = v.InferOutput<typeof elementSchema>

const surveySchema = v.looseObject({
  title: words,
  description: words,
  completedHtml: words,
  locale: v.fallback(v.optional(v.string()), undefined),
  pages: v.optional(
    v.array(
      v.looseObject({
        name: v.fallback(v.string(), 'page'),
        title: words,
        elements: v.fallback(v.array(v.unknown()), []),
        visibleIf: v.fallback(v.optional(v.string()), undefined),
      }),
    ),
  ),
  elements: v.optional(v.array(v.unknown())),
})

export const isSurveyJs = (json: unknown): boolean =>
  v.is(surveySchema, json) && ('pages' in (json as object) || 'elements' in (json as object))

/** What settings mean that are read, so that the others can be noted. */
const READ = new Set([
  ...Object.keys(elementSchema.entries),
  'startWithNewLine',
  'choicesOrder',
  'valueName',
  'width',
  'minWidth',
  'maxWidth',
  'state',
  'indent',
])
const DEEPEST = 8

/**
 * A survey of SurveyJS as one of ours.
 * @param fallback the language of texts that name none
 */
export function fromSurveyJs(json: unknown, fallback: Language): Imported {
  const survey = v.parse(surveySchema, json)
  const own = survey.locale || fallback
  const drafting = new Drafting()
  const said = (words: v.InferOutput<typeof text> | undefined): Record<string, string> => {
    if (words === undefined) return {}
    if (typeof words === 'string') return { [own]: words }
    return Object.fromEntries(
      Object.entries(words).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name === 'default' ? own : name, value] as const] : [],
      ),
    )
  }
  const pages = survey.pages ?? [{ name: 'page1', title: undefined, elements: survey.elements ?? [], visibleIf: undefined }]
  for (const { name, title, elements, visibleIf } of pages) {
    const page = drafting.page(name, drafting.text(said(title), 300, name))
    const showIf = drafting.condition(visibleIf ?? '', name)
    if (showIf) page.showIf = showIf
    addAll(elements, 0)
  }
  return {
    title: drafting.text(said(survey.title), 200, 'title'),
    intro: drafting.text(said(survey.description), 5000, 'description'),
    thanks: drafting.text(said(survey.completedHtml), 5000, 'completedHtml'),
    definition: drafting.definition(),
    notes: drafting.notes,
  }

  function addAll(elements: readonly unknown[], depth: number): void {
    for (const raw of elements) {
      const parsed = v.safeParse(elementSchema, raw)
      if (!parsed.success) drafting.note('left-out', '', JSON.stringify(raw) ?? '')
      else if (parsed.output.type === 'panel' && depth < DEEPEST) {
        if (parsed.output.visibleIf) drafting.note('condition-left-out', parsed.output.name, parsed.output.visibleIf)
        addAll(parsed.output.elements ?? [], depth + 1)
      } else add(parsed.output)
    }
  }

  function list(from: Element['choices'], at: string) {
    return (from ?? []).map((each) => {
      const value = typeof each === 'object' ? String(each.value) : String(each)
      const label = typeof each === 'object' && each.text !== undefined ? said(each.text) : { [own]: value }
      return { value, said: label, at }
    })
  }

  function add(element: Element): void {
    const { name, type } = element
    for (const setting of Object.keys(element)) if (!READ.has(setting)) drafting.note('setting-left-out', name, setting)
    const showIf = drafting.condition(element.visibleIf ?? '', name)
    const common = {
      id: drafting.id(name),
      title: drafting.text(element.title === undefined ? { [own]: name } : said(element.title), 500, name),
      ...(element.description !== undefined && { help: drafting.text(said(element.description), 2000, name) }),
      ...(element.isRequired && { required: true }),
      ...(showIf && { showIf }),
    }
    const choices = () =>
      drafting.options(
        [
          ...list(element.choices, name),
          ...(element.hasOther || element.showOtherItem
            ? [{ value: 'other', said: element.otherText === undefined ? OTHER : said(element.otherText), other: true }]
            : []),
          ...(element.hasNone || element.showNoneItem
            ? [{ value: 'none', said: element.noneText === undefined ? NONE : said(element.noneText), exclusive: true }]
            : []),
        ],
        name,
      )
    const bounds = () => ({
      ...(typeof element.min === 'number' && { min: element.min }),
      ...(typeof element.max === 'number' && { max: element.max }),
    })
    switch (type) {
      case 'text':
        if (element.inputType === 'number' || element.inputType === 'range')
          return drafting.add(name, { ...common, type: 'number', ...bounds() })
        if (element.inputType === 'email') return drafting.add(name, { ...common, type: 'email' })
        if (element.inputType === 'tel') return drafting.add(name, { ...common, type: 'phone' })
        if (element.inputType === 'date') return drafting.add(name, { ...common, type: 'date' })
        if (element.inputType === 'time') return drafting.add(name, { ...common, type: 'time' })
        if (element.inputType && element.inputType !== 'text') drafting.note('became-text', name, element.inputType)
        return drafting.add(name, { ...common, type: 'short_text', ...maxLength(element, 500) })
      case 'comment':
        return drafting.add(name, { ...common, type: 'long_text', ...maxLength(element, 20_000) })
      case 'radiogroup':
      case 'dropdown': {
        const { options, codes } = choices()
        return drafting.add(name, { ...common, type: type === 'dropdown' ? 'dropdown' : 'one_choice', options }, codes)
      }
      case 'checkbox':
      case 'tagbox': {
        const { options, codes } = choices()
        const most = element.maxSelectedChoices
        return drafting.add(
          name,
          { ...common, type: 'several_choices', options, ...(most && most > 0 && { maxChoices: Math.round(most) }) },
          codes,
        )
      }
      case 'ranking': {
        const { options, codes } = choices()
        return drafting.add(name, { ...common, type: 'ranking', options }, codes)
      }
      case 'boolean':
        return drafting.add(name, { ...common, type: 'yes_no' })
      case 'rating': {
        const [min, max] = [element.rateMin ?? 1, element.rateMax ?? 5]
        if (min === 0 && max === 10) return drafting.add(name, { ...common, type: 'nps' })
        if ((min === 0 || min === 1) && max >= 2 && max <= 10 && Number.isInteger(max)) {
          const scale: QuestionOf<'scale'>['scale'] = { min, max }
          return drafting.add(name, min === 1 ? { ...common, type: 'rating', scale: { max } } : { ...common, type: 'scale', scale })
        }
        return drafting.add(name, { ...common, type: 'number', min, max })
      }
      case 'matrix': {
        const { rows } = drafting.rows(list(element.rows, name), name)
        const columns = drafting.rows(list(element.columns, name), name).rows
        return drafting.add(name, { ...common, type: element.cellType === 'checkbox' ? 'matrix_several' : 'matrix_one', rows, columns })
      }
      case 'file':
        return drafting.add(name, { ...common, type: 'file', ...ANY_FILE, maxFiles: element.allowMultiple ? MOST_FILES : 1 })
      case 'html':
        return drafting.add(name, {
          id: common.id,
          type: 'info',
          title: drafting.text(said(element.html ?? element.title), 500, name),
          ...(showIf && { showIf }),
        })
      default:
        drafting.note('left-out', name, type)
    }
  }
}

const maxLength = ({ maxLength: most }: Element, longest: number) =>
  most && most > 0 ? { maxLength: Math.min(longest, Math.round(most)) } : {}

const OTHER = { en: 'Other', 'fr-CA': 'Autre', cy: 'Arall' }
const NONE = { en: 'None of these', 'fr-CA': 'Aucun de ces choix', cy: 'Dim un o’r rhain' }
