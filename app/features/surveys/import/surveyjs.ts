import * as v from 'valibot'
import type { Language } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { Condition } from '../questionnaire/conditions.schema.ts'
import { ANY_FILE, MAX_FILES } from '../questionnaire/question-types/files/file-kinds.ts'
import { SurveyDraftBuilder, type ImportedSurvey } from './survey-draft-builder.ts'

const textSchema = v.union([v.string(), v.record(v.string(), v.unknown())])
type ImportedText = v.InferOutput<typeof textSchema>
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
  return new SurveyJsImport(survey.locale || fallback).run(survey)
}

/** What all kinds of questions have. */
interface CommonFields {
  id: string
  title: Translated
  help?: Translated
  required?: true
  showIf?: Condition
}

class SurveyJsImport {
  readonly #drafting = new SurveyDraftBuilder()
  /** The language of texts without one. */
  readonly #own: string

  constructor(own: string) {
    this.#own = own
  }

  run(survey: v.InferOutput<typeof surveySchema>): ImportedSurvey {
    const drafting = this.#drafting
    const pages = survey.pages ?? [{ name: 'page1', title: undefined, elements: survey.elements ?? [], visibleIf: undefined }]
    for (const { name, title, elements, visibleIf } of pages) {
      const page = drafting.page(name, this.#toText(title, 300, name))
      const showIf = drafting.condition(visibleIf ?? '', name)
      if (showIf) page.showIf = showIf
      this.#addAll(elements, 0)
    }
    return {
      title: this.#toText(survey.title, 200, 'title'),
      intro: this.#toText(survey.description, 5000, 'description'),
      thanks: this.#toText(survey.completedHtml, 5000, 'completedHtml'),
      definition: drafting.definition(),
      notes: drafting.notes,
    }
  }

  #toTextByLanguage(words: ImportedText | undefined): Record<string, string> {
    if (words === undefined) return {}
    if (typeof words === 'string') return { [this.#own]: words }
    return Object.fromEntries(
      Object.entries(words).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name === 'default' ? this.#own : name, value] as const] : [],
      ),
    )
  }

  #toText(words: ImportedText | undefined, longest: number, at: string): Translated {
    return this.#drafting.text(this.#toTextByLanguage(words), longest, at)
  }

  #addAll(elements: readonly unknown[], depth: number): void {
    for (const raw of elements) {
      const parsed = v.safeParse(elementSchema, raw)
      if (!parsed.success) this.#drafting.note('left-out', '', JSON.stringify(raw) ?? '')
      else if (parsed.output.type === 'panel' && depth < DEEPEST_PANEL) {
        if (parsed.output.visibleIf) this.#drafting.note('condition-left-out', parsed.output.name, parsed.output.visibleIf)
        this.#addAll(parsed.output.elements ?? [], depth + 1)
      } else this.#addElement(parsed.output)
    }
  }

  #addElement(element: Element): void {
    const { name, type } = element
    const drafting = this.#drafting
    const common = this.#readCommon(element)
    switch (type) {
      case 'text':
        return this.#addTextField(element, common)
      case 'comment':
        return drafting.add(name, { ...common, type: 'long_text', ...toMaxLength(element, 20_000) })
      case 'radiogroup':
      case 'dropdown':
      case 'checkbox':
      case 'tagbox':
      case 'ranking':
        return this.#addChoices(element, type, common)
      case 'boolean':
        return drafting.add(name, { ...common, type: 'yes_no' })
      case 'rating':
        return this.#addRating(element, common)
      case 'matrix': {
        const { rows } = drafting.rows(this.#listItems(element.rows, name), name)
        const columns = drafting.rows(this.#listItems(element.columns, name), name).rows
        return drafting.add(name, { ...common, type: element.cellType === 'checkbox' ? 'matrix_several' : 'matrix_one', rows, columns })
      }
      case 'file':
        return drafting.add(name, { ...common, type: 'file', ...ANY_FILE, maxFiles: element.allowMultiple ? MAX_FILES : 1 })
      case 'html': {
        const { id, showIf } = common
        const title = this.#toText(element.html ?? element.title, 500, name)
        return drafting.add(name, { id, type: 'info', title, ...(showIf && { showIf }) })
      }
      default:
        drafting.note('left-out', name, type)
    }
  }

  #readCommon(element: Element): CommonFields {
    const { name } = element
    const drafting = this.#drafting
    for (const setting of Object.keys(element)) if (!READ_SETTINGS.has(setting)) drafting.note('setting-left-out', name, setting)
    const showIf = drafting.condition(element.visibleIf ?? '', name)
    return {
      id: drafting.id(name),
      title: this.#toText(element.title ?? name, 500, name),
      ...(element.description !== undefined && { help: this.#toText(element.description, 2000, name) }),
      ...(element.isRequired && { required: true as const }),
      ...(showIf && { showIf }),
    }
  }

  #addTextField(element: Element, common: CommonFields): void {
    const { name, inputType } = element
    const drafting = this.#drafting
    switch (inputType) {
      case 'number':
      case 'range':
        return drafting.add(name, { ...common, type: 'number', ...getBounds(element) })
      case 'email':
        return drafting.add(name, { ...common, type: 'email' })
      case 'tel':
        return drafting.add(name, { ...common, type: 'phone' })
      case 'date':
      case 'time':
        return drafting.add(name, { ...common, type: inputType })
      default:
        if (inputType && inputType !== 'text') drafting.note('became-text', name, inputType)
        drafting.add(name, { ...common, type: 'short_text', ...toMaxLength(element, 500) })
    }
  }

  #addChoices(element: Element, type: 'radiogroup' | 'dropdown' | 'checkbox' | 'tagbox' | 'ranking', common: CommonFields): void {
    const { name, maxSelectedChoices: most } = element
    const { options, codes } = this.#drafting.options(this.#listChoices(element), name)
    switch (type) {
      case 'radiogroup':
        return this.#drafting.add(name, { ...common, type: 'one_choice', options }, codes)
      case 'dropdown':
      case 'ranking':
        return this.#drafting.add(name, { ...common, type, options }, codes)
      default: {
        const limit = most && most > 0 ? { maxChoices: Math.round(most) } : {}
        this.#drafting.add(name, { ...common, type: 'several_choices', options, ...limit }, codes)
      }
    }
  }

  #listChoices(element: Element) {
    const choices = this.#listItems(element.choices, element.name)
    const labelFor = (words: ImportedText | undefined, usual: Record<string, string>) =>
      words === undefined ? usual : this.#toTextByLanguage(words)
    const other = { value: 'other', said: labelFor(element.otherText, OTHER_LABEL), other: true }
    const none = { value: 'none', said: labelFor(element.noneText, NONE_LABEL), exclusive: true }
    return [
      ...choices,
      ...(element.hasOther || element.showOtherItem ? [other] : []),
      ...(element.hasNone || element.showNoneItem ? [none] : []),
    ]
  }

  #listItems(from: Element['choices'], at: string) {
    return (from ?? []).map((each) => {
      const value = typeof each === 'object' ? String(each.value) : String(each)
      const label = typeof each === 'object' && each.text !== undefined ? this.#toTextByLanguage(each.text) : { [this.#own]: value }
      return { value, said: label, at }
    })
  }

  /** A scale from 0 or 1 to at most 10 stays a scale; any other becomes a number. */
  #addRating({ name, rateMin: min = 1, rateMax: max = 5 }: Element, common: CommonFields): void {
    const drafting = this.#drafting
    if (min === 0 && max === 10) return drafting.add(name, { ...common, type: 'nps' })
    const isScale = (min === 0 || min === 1) && max >= 2 && max <= 10 && Number.isInteger(max)
    if (!isScale) return drafting.add(name, { ...common, type: 'number', min, max })
    if (min === 1) return drafting.add(name, { ...common, type: 'rating', scale: { max } })
    drafting.add(name, { ...common, type: 'scale', scale: { min, max } })
  }
}

const getBounds = ({ min, max }: Element) => ({ ...(typeof min === 'number' && { min }), ...(typeof max === 'number' && { max }) })

const toMaxLength = ({ maxLength: most }: Element, longest: number) =>
  most && most > 0 ? { maxLength: Math.min(longest, Math.round(most)) } : {}

const OTHER_LABEL = { en: 'Other', 'fr-CA': 'Autre', cy: 'Arall' }
const NONE_LABEL = { en: 'None of these', 'fr-CA': 'Aucun de ces choix', cy: 'Dim un o’r rhain' }
