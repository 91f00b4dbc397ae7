import * as v from 'valibot'
import type { Language } from '#app/lib/languages.ts'
import { ANY_FILE, MAX_FILES } from '../questionnaire/question-types/files/file-kinds.ts'
import type { QuestionOf } from '../surveys.schema.ts'
import { SurveyDraftBuilder, type ImportedSurvey } from './survey-draft-builder.ts'

const textSchema = v.union([v.string(), v.record(v.string(), v.unknown())])
const itemSchema = v.union([
  v.string(),
  v.number(),
  v.looseObject({ value: v.union([v.string(), v.number(), v.boolean()]), text: v.optional(textSchema) }),
])
const itemsSchema = v.fallback(v.optional(v.array(itemSchema)), undefined)
const numberSchema = v.fallback(v.optional(v.number()), undefined)
const flagSchema = v.fallback(v.optional(v.boolean()), undefined)
const optionalTextSchema = v.fallback(v.optional(textSchema), undefined)

const elementSchema = v.looseObject({
  type: v.string(),
  name: v.fallback(v.string(), 'question'),
  title: optionalTextSchema,
  description: optionalTextSchema,
  html: optionalTextSchema,
  isRequired: flagSchema,
  visibleIf: v.fallback(v.optional(v.string()), undefined),
  choices: itemsSchema,
  columns: itemsSchema,
  rows: itemsSchema,
  inputType: v.fallback(v.optional(v.string()), undefined),
  rateMin: numberSchema,
  rateMax: numberSchema,
  hasOther: flagSchema,
  showOtherItem: flagSchema,
  otherText: optionalTextSchema,
  hasNone: flagSchema,
  showNoneItem: flagSchema,
  noneText: optionalTextSchema,
  maxSelectedChoices: numberSchema,
  allowMultiple: flagSchema,
  maxLength: numberSchema,
  min: v.fallback(v.optional(v.union([v.number(), v.string()])), undefined),
  max: v.fallback(v.optional(v.union([v.number(), v.string()])), undefined),
  cellType: v.fallback(v.optional(v.string()), undefined),
  elements: v.fallback(v.optional(v.array(v.unknown())), undefined),
})
type Element = v.InferOutput<typeof elementSchema>

const surveySchema = v.looseObject({
  title: optionalTextSchema,
  description: optionalTextSchema,
  completedHtml: optionalTextSchema,
  locale: v.fallback(v.optional(v.string()), undefined),
  pages: v.optional(
    v.array(
      v.looseObject({
        name: v.fallback(v.string(), 'page'),
        title: optionalTextSchema,
        elements: v.fallback(v.array(v.unknown()), []),
        visibleIf: v.fallback(v.optional(v.string()), undefined),
      }),
    ),
  ),
  elements: v.optional(v.array(v.unknown())),
})

export const isSurveyJs = (json: unknown): boolean =>
  v.is(surveySchema, json) && ('pages' in (json as object) || 'elements' in (json as object))

/** Settings that are read; any others are noted. */
const READ_SETTINGS = new Set([
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
const DEEPEST_PANEL = 8

/** Converts a SurveyJS survey. @param fallback the language of texts without one */
export function parseSurveyJs(json: unknown, fallback: Language): ImportedSurvey {
  const survey = v.parse(surveySchema, json)
  const own = survey.locale || fallback
  const drafting = new SurveyDraftBuilder()
  const toTextByLanguage = (words: v.InferOutput<typeof textSchema> | undefined): Record<string, string> => {
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
    const page = drafting.page(name, drafting.text(toTextByLanguage(title), 300, name))
    const showIf = drafting.condition(visibleIf ?? '', name)
    if (showIf) page.showIf = showIf
    addAll(elements, 0)
  }
  return {
    title: drafting.text(toTextByLanguage(survey.title), 200, 'title'),
    intro: drafting.text(toTextByLanguage(survey.description), 5000, 'description'),
    thanks: drafting.text(toTextByLanguage(survey.completedHtml), 5000, 'completedHtml'),
    definition: drafting.definition(),
    notes: drafting.notes,
  }

  function addAll(elements: readonly unknown[], depth: number): void {
    for (const raw of elements) {
      const parsed = v.safeParse(elementSchema, raw)
      if (!parsed.success) drafting.note('left-out', '', JSON.stringify(raw) ?? '')
      else if (parsed.output.type === 'panel' && depth < DEEPEST_PANEL) {
        if (parsed.output.visibleIf) drafting.note('condition-left-out', parsed.output.name, parsed.output.visibleIf)
        addAll(parsed.output.elements ?? [], depth + 1)
      } else addElement(parsed.output)
    }
  }

  function listItems(from: Element['choices'], at: string) {
    return (from ?? []).map((each) => {
      const value = typeof each === 'object' ? String(each.value) : String(each)
      const label = typeof each === 'object' && each.text !== undefined ? toTextByLanguage(each.text) : { [own]: value }
      return { value, said: label, at }
    })
  }

  function addElement(element: Element): void {
    const { name, type } = element
    for (const setting of Object.keys(element)) if (!READ_SETTINGS.has(setting)) drafting.note('setting-left-out', name, setting)
    const showIf = drafting.condition(element.visibleIf ?? '', name)
    const common = {
      id: drafting.id(name),
      title: drafting.text(element.title === undefined ? { [own]: name } : toTextByLanguage(element.title), 500, name),
      ...(element.description !== undefined && { help: drafting.text(toTextByLanguage(element.description), 2000, name) }),
      ...(element.isRequired && { required: true }),
      ...(showIf && { showIf }),
    }
    const addChoices = () =>
      drafting.options(
        [
          ...listItems(element.choices, name),
          ...(element.hasOther || element.showOtherItem
            ? [{ value: 'other', said: element.otherText === undefined ? OTHER_LABEL : toTextByLanguage(element.otherText), other: true }]
            : []),
          ...(element.hasNone || element.showNoneItem
            ? [{ value: 'none', said: element.noneText === undefined ? NONE_LABEL : toTextByLanguage(element.noneText), exclusive: true }]
            : []),
        ],
        name,
      )
    const getBounds = () => ({
      ...(typeof element.min === 'number' && { min: element.min }),
      ...(typeof element.max === 'number' && { max: element.max }),
    })
    switch (type) {
      case 'text':
        if (element.inputType === 'number' || element.inputType === 'range')
          return drafting.add(name, { ...common, type: 'number', ...getBounds() })
        if (element.inputType === 'email') return drafting.add(name, { ...common, type: 'email' })
        if (element.inputType === 'tel') return drafting.add(name, { ...common, type: 'phone' })
        if (element.inputType === 'date') return drafting.add(name, { ...common, type: 'date' })
        if (element.inputType === 'time') return drafting.add(name, { ...common, type: 'time' })
        if (element.inputType && element.inputType !== 'text') drafting.note('became-text', name, element.inputType)
        return drafting.add(name, { ...common, type: 'short_text', ...toMaxLength(element, 500) })
      case 'comment':
        return drafting.add(name, { ...common, type: 'long_text', ...toMaxLength(element, 20_000) })
      case 'radiogroup':
      case 'dropdown': {
        const { options, codes } = addChoices()
        return drafting.add(name, { ...common, type: type === 'dropdown' ? 'dropdown' : 'one_choice', options }, codes)
      }
      case 'checkbox':
      case 'tagbox': {
        const { options, codes } = addChoices()
        const most = element.maxSelectedChoices
        return drafting.add(
          name,
          { ...common, type: 'several_choices', options, ...(most && most > 0 && { maxChoices: Math.round(most) }) },
          codes,
        )
      }
      case 'ranking': {
        const { options, codes } = addChoices()
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
        const { rows } = drafting.rows(listItems(element.rows, name), name)
        const columns = drafting.rows(listItems(element.columns, name), name).rows
        return drafting.add(name, { ...common, type: element.cellType === 'checkbox' ? 'matrix_several' : 'matrix_one', rows, columns })
      }
      case 'file':
        return drafting.add(name, { ...common, type: 'file', ...ANY_FILE, maxFiles: element.allowMultiple ? MAX_FILES : 1 })
      case 'html':
        return drafting.add(name, {
          id: common.id,
          type: 'info',
          title: drafting.text(toTextByLanguage(element.html ?? element.title), 500, name),
          ...(showIf && { showIf }),
        })
      default:
        drafting.note('left-out', name, type)
    }
  }
}

const toMaxLength = ({ maxLength: most }: Element, longest: number) =>
  most && most > 0 ? { maxLength: Math.min(longest, Math.round(most)) } : {}

const OTHER_LABEL = { en: 'Other', 'fr-CA': 'Autre', cy: 'Arall' }
const NONE_LABEL = { en: 'None of these', 'fr-CA': 'Aucun de ces choix', cy: 'Dim un o’r rhain' }
