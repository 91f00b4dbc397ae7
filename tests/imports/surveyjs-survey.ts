import type { Answer, QuestionType } from '#app/features/surveys/surveys.schema.ts'
import type { Language } from '#app/lib/languages.ts'
import {
  type Filled,
  type Place,
  placeLanguages,
  type SourceCondition,
  type SourceItem,
  type SourceQuestion,
  type SourceRepeat,
  type SourceSurvey,
  UnjudgedError,
} from './source-survey.ts'
import {
  evaluateRule,
  listRuleConstants,
  listRuleNames,
  parseRule,
  type Rule,
  type RuleValue,
  writeRuleValue,
} from './surveyjs-expression.ts'
import { ELEMENT_LISTS, isJson, ITEM_LISTS, type Json, listTextLanguages, MarkedSurvey } from './surveyjs-file.ts'

const FITS: Record<string, readonly QuestionType[]> = {
  text: ['short_text', 'number', 'email', 'phone'],
  comment: ['long_text'],
  radiogroup: ['one_choice'],
  buttongroup: ['one_choice'],
  dropdown: ['dropdown', 'one_choice'],
  checkbox: ['several_choices'],
  tagbox: ['several_choices'],
  ranking: ['ranking'],
  imagepicker: ['picture_choice'],
  boolean: ['yes_no', 'one_choice'],
  rating: ['rating', 'scale', 'nps', 'one_choice'],
  slider: ['slider'],
  matrix: ['matrix_one', 'matrix_several'],
  matrixdropdown: ['matrix_one', 'matrix_several', 'short_text', 'long_text', 'number', 'date', 'yes_no', 'dropdown', 'info'],
  matrixdynamic: ['matrix_one', 'matrix_several', 'short_text', 'long_text', 'number', 'date', 'yes_no', 'dropdown', 'info'],
  multipletext: ['short_text', 'number', 'email', 'phone', 'date', 'info'],
  file: ['file'],
  html: ['info'],
  image: ['info'],
}
const INPUT_FITS: Record<string, readonly QuestionType[]> = {
  number: ['number'],
  range: ['slider'],
  email: ['email'],
  tel: ['phone'],
  date: ['date'],
  time: ['time'],
}
/** Types of SurveyJS itself that ours has no like of. Others are drawn by a program around the file. */
const OTHER_TYPES = new Set(['expression', 'signaturepad', 'imagemap'])
const CHOICE_CELLS = new Set(['dropdown', 'radiogroup', 'checkbox', 'tagbox', 'buttongroup'])

const CHOICES = ['radiogroup', 'buttongroup', 'dropdown', 'checkbox', 'tagbox', 'ranking', 'imagepicker']
const SINGLE_LISTS: Record<string, (typeof ITEM_LISTS)[number]> = {
  ...Object.fromEntries(CHOICES.map((type) => [type, 'choices'] as const)),
  multipletext: 'items',
  rating: 'rateValues',
  imagemap: 'areas',
}

function listFits(type: string, inputType: string): readonly QuestionType[] {
  return (type === 'text' && inputType && inputType !== 'text' ? INPUT_FITS[inputType] : FITS[type]) ?? []
}

/** The lists of a question that participants see. */
function listOffered(element: Json, type: string): (typeof ITEM_LISTS)[number][] {
  if (!type.startsWith('matrix')) return [SINGLE_LISTS[type] ?? []].flat()
  if (type === 'matrix') return ['rows', 'columns']
  const usesShared = listParts(element, 'columns').some((column) => {
    const cell = readText(column, 'cellType') || readText(element, 'cellType') || 'dropdown'
    return !Array.isArray(column['choices']) && CHOICE_CELLS.has(cell)
  })
  return [...(type === 'matrixdropdown' ? (['rows'] as const) : []), 'columns', ...(usesShared ? (['choices'] as const) : [])]
}
const PANELS = new Set(['panel', 'paneldynamic'])

interface Around {
  conditions: readonly SourceCondition[]
  isShown: boolean
  /** The panels that repeat around it. */
  repeating: readonly SourceRepeat[]
}

/** A survey of SurveyJS as something to judge an import by. */
export class SurveyJsFileSource implements SourceSurvey {
  readonly marked: Uint8Array
  readonly choices: Record<string, Language | ''>
  readonly questions: SourceQuestion[] = []
  readonly #survey: Json
  readonly #marking: MarkedSurvey
  readonly #own: string
  readonly #languages: Map<string, Language>
  readonly #byName = new Map<string, { question: SourceQuestion; element: Json }>()
  readonly #calculated = new Map<string, string>()
  /** What the file stores for an item, by marks. */
  readonly #values = new Map<string, RuleValue>()
  readonly #parsed = new Map<string, Rule>()
  readonly #triggers = new Map<string, string[]>()

  constructor(survey: Json) {
    this.#survey = survey
    this.#marking = new MarkedSurvey(survey)
    this.marked = Buffer.from(JSON.stringify(this.#marking.survey))
    this.#own = readText(survey, 'locale') || 'en'
    const named = new Set<string>([this.#own])
    collectLanguages(survey, named)
    this.#languages = placeLanguages([...named])
    this.choices = Object.fromEntries(Array.from(named, (name) => [name, this.#languages.get(name) ?? '']))
    for (const each of listParts(survey, 'calculatedValues'))
      this.#calculated.set(readText(each, 'name').toLowerCase(), readText(each, 'expression'))
    this.#readTriggers()
    const pages = listParts(survey, 'pages')
    for (const page of pages) this.#addPart(page, 'page', { conditions: [], isShown: true, repeating: [] })
    if (pages.length === 0) this.#addElements(survey, { conditions: [], isShown: true, repeating: [] })
  }

  #readTriggers(): void {
    for (const trigger of listParts(this.#survey, 'triggers')) {
      if (!readText(trigger, 'type').startsWith('visible')) continue
      const value = JSON.stringify(trigger['value'] ?? '')
      const rule = readText(trigger, 'expression') || `{${readText(trigger, 'name')}} ${readText(trigger, 'operator') || 'equal'} ${value}`
      for (const name of [trigger['pages'], trigger['questions']].flat()) {
        if (typeof name === 'string') this.#triggers.set(name, [...(this.#triggers.get(name) ?? []), rule])
      }
    }
  }

  #addPart(part: Json, usualName: string, around: Around): void {
    const name = readText(part, 'name') || usualName
    const own = this.#readConditions(part, name, 'page', around.repeating.at(-1)?.name)
    this.#addElements(part, {
      conditions: [...around.conditions, ...own],
      isShown: around.isShown && (own.length > 0 || part['visible'] !== false),
      repeating:
        readText(part, 'type').toLowerCase() === 'paneldynamic'
          ? [...around.repeating, this.#readRepeat(part, name, 'Panel')]
          : around.repeating,
    })
  }

  /** By default two rows and no panel are there at the start. */
  #readRepeat(part: Json, name: string, of: 'Row' | 'Panel'): SourceRepeat {
    const number = (setting: string, usual: number) =>
      part[setting] === undefined || Number.isNaN(Number(part[setting])) ? usual : Number(part[setting])
    const least = number(`min${of}Count`, 0)
    const start = Math.max(least, number(of === 'Row' ? 'rowCount' : 'panelCount', of === 'Row' ? 2 : 0))
    const isFixed = (verb: string) => part[of === 'Row' ? `allow${verb}Rows` : `allow${verb}Panel`] === false
    return {
      name,
      mark: this.#marking.addMarkOf(part),
      least: isFixed('Remove') ? start : least,
      start,
      most: isFixed('Add') ? start : Math.max(least, number(`max${of}Count`, Infinity)),
    }
  }

  #readConditions(part: Json, at: string, of: SourceCondition['of'], within?: string): SourceCondition[] {
    const text = readText(part, 'visibleIf').trim() || (this.#triggers.get(at) ?? []).map((rule) => `(${rule})`).join(' or ')
    return text ? [{ text, of, at, ...(within !== undefined && { within }) }] : []
  }

  #addElements(part: Json, around: Around): void {
    for (const list of ELEMENT_LISTS)
      for (const element of listParts(part, list)) {
        if (PANELS.has(readText(element, 'type').toLowerCase())) this.#addPart(element, '', around)
        else this.#addQuestion(element, around)
      }
  }

  #addQuestion(element: Json, around: Around): void {
    const name = readText(element, 'name') || 'question'
    const type = readText(element, 'type').toLowerCase() || 'text'
    const own = this.#readConditions(element, name, 'question', around.repeating.at(-1)?.name)
    const rows = type === 'matrixdynamic' ? this.#readRepeat(element, name, 'Row') : undefined
    // Rows of a fixed number are a table.
    const isTable = type === 'matrixdropdown' || (rows !== undefined && rows.least === rows.most && rows.least > 1)
    const question: SourceQuestion = {
      mark: this.#marking.markOf(element),
      name,
      type,
      fits: listFits(type, readText(element, 'inputType')),
      isInFile: (Object.hasOwn(FITS, type) || OTHER_TYPES.has(type)) && element['questionTemplateName'] === undefined,
      repeats: [...around.repeating, ...(rows && !isTable ? [rows] : [])],
      isByRow: isTable,
      isReordered: readText(element, 'choicesOrder') !== '',
      isAsked: around.isShown && (own.length > 0 || element['visible'] !== false),
      lists: listOffered(element, type).map((list) => this.#listItems(element, list, name, around.repeating.at(-1)?.name)),
      conditions: [...around.conditions, ...own],
      languages: this.#placeTexts(element[type === 'html' ? 'html' : 'title']),
    }
    this.questions.push(question)
    for (const each of [name, readText(element, 'valueName')].filter(Boolean)) {
      const panel = around.repeating.at(-1)?.name
      const key = `${panel === undefined ? '' : `${panel}/`}${each}`.toLowerCase()
      if (!this.#byName.has(key)) this.#byName.set(key, { question, element })
    }
  }

  #placeTexts(text: unknown): Language[] {
    return listTextLanguages(text).flatMap((name) => this.#languages.get(name === 'default' ? this.#own : name) ?? [])
  }

  #listItems(of: Json, name: (typeof ITEM_LISTS)[number], at: string, within?: string): SourceItem[] {
    const list = of[name]
    if (!Array.isArray(list)) return []
    const shared = readText(of, `${name}VisibleIf`)
    return list.map((raw: unknown, index): SourceItem => {
      const item = isJson(raw) ? raw : toItem(raw)
      const value = item['value'] ?? item['name']
      const mark = this.#marking.itemMark(list, index)
      this.#values.set(mark, value as RuleValue)
      const rules = [readText(item, 'visibleIf'), shared]
        .filter(Boolean)
        .map((rule) =>
          rule
            .replaceAll('{item}', JSON.stringify(value))
            .replace(/\{\$item\.(\w+)\}/g, (_, property: string) => JSON.stringify(item[property] ?? '')),
        )
      const text = rules.length > 1 ? rules.map((rule) => `(${rule})`).join(' and ') : (rules[0] ?? '')
      const code = String(value)
      return {
        mark,
        code,
        languages: this.#placeTexts(item['text'] ?? item['title']),
        conditions: text ? [{ text, of: 'item', at, code, row: at, ...(within !== undefined && { within }) }] : [],
      }
    })
  }

  #parse(text: string): Rule {
    const parsed = this.#parsed.get(text) ?? parseRule(text)
    this.#parsed.set(text, parsed)
    return parsed
  }

  /** The table and the mark of its column that `row.column` means. */
  #findCell(
    name: string,
    { row, within }: Partial<SourceCondition>,
  ): { question: SourceQuestion; element: Json; mark: string } | undefined {
    const [, column] = /^row\.(\w+)$/i.exec(name) ?? []
    if (column === undefined || row === undefined) return undefined
    const { question, element } = this.#findNamed(within === undefined ? row : `panel.${row}`, within)
    const columns = Array.isArray(element['columns']) ? element['columns'] : []
    const at = columns.findIndex((each: unknown) => isJson(each) && readText(each, 'name').toLowerCase() === column.toLowerCase())
    if (at === -1) throw new UnjudgedError(`outside: ${name}`, true)
    return { question, element, mark: this.#marking.itemMark(columns, at) }
  }

  #readCell(mark: string, { find, answers, copy }: Filled): RuleValue {
    const place = find(mark).find(({ option }) => option === undefined)
    const answer = place && answers[place.question.id]
    if (!place || answer === undefined) return undefined
    if (typeof answer !== 'object') return answer
    if ('choice' in answer) return place.question.type === 'yes_no' ? answer.choice === 'yes' : this.#valueOf(place, answer.choice)
    if ('choices' in answer) return answer.choices.map((id) => this.#valueOf(place, id))
    if ('rows' in answer && 'rows' in place.question) {
      const [column] = answer.rows[place.question.rows[copy]?.id ?? ''] ?? []
      return column === undefined ? undefined : this.#valueOf(place, column)
    }
    throw new UnjudgedError('answers in rows')
  }

  /** The question that a name means, and what of its answer. */
  #findNamed(name: string, within = ''): { question: SourceQuestion; element: Json; path: string[]; isComment: boolean } {
    const isComment = /-comment$/i.test(name)
    const parts = name
      .replace(/-comment$/i, '')
      .replace(/^panel\./i, `${within}/`)
      .split('.')
    for (let length = parts.length; length > 0; length -= 1) {
      const key = parts.slice(0, length).join('.').toLowerCase()
      const found = this.#byName.get(key)
      if (found) return { ...found, path: parts.slice(length), isComment }
    }
    throw new UnjudgedError(`outside: ${name}`, !/^(?:row|prevRow|nextRow|prevPanel|nextPanel|totalRow|\$)|\[/i.test(name))
  }

  listNeeded(condition: SourceCondition): SourceQuestion[] {
    const needed = new Set<SourceQuestion>()
    const add = (rule: Rule, depth: number) => {
      for (const name of listRuleNames(rule)) {
        const calculated = this.#calculated.get(name.toLowerCase())
        if (calculated !== undefined && depth < 10) {
          add(this.#parse(calculated), depth + 1)
          continue
        }
        const cell = this.#findCell(name, condition)
        if (cell) {
          needed.add(cell.question)
          continue
        }
        const { question, element } = this.#findNamed(name, condition.within)
        if (question.type === 'expression' && depth < 10) add(this.#parse(readText(element, 'expression')), depth + 1)
        else if (!question.isAsked || !question.isInFile) throw new UnjudgedError(`outside: ${name} is hidden`, true)
        else needed.add(question)
      }
    }
    add(this.#parse(condition.text), 0)
    return [...needed]
  }

  listLiterals({ text }: SourceCondition): string[] {
    return listRuleConstants(this.#parse(text))
  }

  holds(condition: SourceCondition, filled: Filled): boolean {
    return Boolean(evaluateRule(this.#parse(condition.text), (name) => this.#read(name, filled, condition)))
  }

  #read(name: string, filled: Filled, condition: Partial<SourceCondition> = {}): RuleValue {
    const cell = this.#findCell(name, condition)
    if (cell) return this.#readCell(cell.mark, filled)
    const { within } = condition
    const calculated = this.#calculated.get(name.toLowerCase())
    if (calculated !== undefined) return evaluateRule(this.#parse(calculated), (each) => this.#read(each, filled))
    const { question, element, path, isComment } = this.#findNamed(name, within)
    if (question.type === 'expression')
      return evaluateRule(this.#parse(readText(element, 'expression')), (each) => this.#read(each, filled))
    if (!question.isAsked || !question.isInFile) throw new UnjudgedError(`outside: ${name} is hidden`, true)
    if (isComment) return readOther(question, filled)
    const value = this.#readAnswer(question, element, filled)
    return path.reduce<RuleValue>((of, each) => readPart(of, each), value)
  }

  #readAnswer(question: SourceQuestion, element: Json, filled: Filled): RuleValue {
    const { find, answers } = filled
    if (question.type === 'multipletext' || question.type === 'matrixdropdown' || question.type === 'matrixdynamic')
      return this.#readFields(question, filled)
    const place = find(question.mark).find(({ option, row, column }) => (option ?? row ?? column) === undefined)
    const answer = place && answers[place.question.id]
    return place && answer !== undefined ? this.#toValue(question, element, place, answer) : undefined
  }

  #toValue(question: SourceQuestion, element: Json, place: Place, answer: Answer): RuleValue {
    if (typeof answer !== 'object') return answer
    if ('choice' in answer) {
      if (question.type !== 'boolean') return this.#valueOf(place, answer.choice)
      const [first] = 'options' in place.question ? place.question.options : []
      const isYes = answer.choice === (first?.id ?? 'yes')
      return (element[isYes ? 'valueTrue' : 'valueFalse'] as RuleValue) ?? isYes
    }
    if ('choices' in answer) {
      const chosen = answer.choices.map((id) => this.#valueOf(place, id))
      return question.type === 'imagepicker' && element['multiSelect'] !== true ? chosen[0] : chosen
    }
    if ('ranks' in answer)
      return Object.entries(answer.ranks)
        .toSorted(([, a], [, b]) => Number(a) - Number(b))
        .map(([id]) => this.#valueOf(place, id))
    if ('rows' in answer && 'rows' in place.question) {
      const { rows } = place.question
      return Object.fromEntries(
        Object.entries(answer.rows).flatMap(([id, columns]) => {
          const mark = rows.find((row) => row.id === id)?.label['en'] ?? ''
          const values = columns.map((column) => this.#valueOf(place, column))
          return [[writeRuleValue(this.#values.get(mark)), element['cellType'] === 'checkbox' ? values : values[0]]]
        }),
      )
    }
    throw new UnjudgedError(`answers to ${question.type}`)
  }

  #valueOf({ question }: Place, id: string): RuleValue {
    const items = 'columns' in question ? question.columns : 'options' in question ? question.options : []
    const label = items.find((item) => item.id === id)?.label['en'] ?? ''
    if (this.#values.has(label)) return this.#values.get(label)
    return id.replace(/_\d+$/, '')
  }

  /** Fields that became questions of their own. */
  #readFields(question: SourceQuestion, { find, answers }: Filled): RuleValue {
    if (question.type !== 'multipletext') throw new UnjudgedError(`answers to ${question.type}`)
    const fields = question.lists.flat().map((item): [string, RuleValue] => {
      const answer = answers[find(item.mark)[0]?.question.id ?? '']
      return [item.code, typeof answer === 'object' ? undefined : answer]
    })
    return Object.fromEntries(fields)
  }
}

function readOther(question: SourceQuestion, { find, answers }: Filled): RuleValue {
  const answer = answers[find(question.mark)[0]?.question.id ?? '']
  return typeof answer === 'object' && 'other' in answer ? answer.other : undefined
}

function readPart(of: RuleValue, name: string): RuleValue {
  if (Array.isArray(of)) return name === 'length' ? of.length : undefined
  if (typeof of !== 'object' || of === null) return undefined
  return Object.entries(of).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
}

function toItem(raw: unknown): Json {
  const [value = '', ...text] = typeof raw === 'string' ? raw.split('|') : [raw]
  return text.length > 0 ? { value, text: text.join('|') } : { value }
}

const readText = (of: Json, name: string): string => {
  const value = of[name]
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

const listParts = (of: Json, name: string): Json[] => (Array.isArray(of[name]) ? of[name].filter(isJson) : [])

const TEXT_FIELDS = ['title', 'text', 'html', 'description']

/** The names of all languages that texts are in. */
function collectLanguages(part: unknown, into: Set<string>): void {
  if (Array.isArray(part)) for (const each of part) collectLanguages(each, into)
  if (!isJson(part)) return
  for (const [name, value] of Object.entries(part)) {
    if (!TEXT_FIELDS.includes(name) || !isJson(value)) collectLanguages(value, into)
    else for (const language of Object.keys(value)) if (language !== 'default') into.add(language)
  }
}
