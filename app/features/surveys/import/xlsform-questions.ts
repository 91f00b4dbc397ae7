import type { Translated } from '#app/lib/translated.ts'
import type { Condition } from '../questionnaire/conditions.schema.ts'
import { ANY_FILE } from '../questionnaire/question-types/files/file-kinds.ts'
import type { Question } from '../surveys.schema.ts'
import { OTHER_LABEL } from './own-labels.ts'
import { type Expression, mapNames, parseExpression } from './parse-expression.ts'
import { applyConstraint } from './xlsform-constraint.ts'
import { type LineType, readLineType, type XlsFormNode } from './xlsform-lines.ts'
import type { ListedItem, SurveyDraftBuilder, TextByLanguage } from './survey-draft-builder.ts'
import type { TrackedRecord } from './tracked-record.ts'

/** Converts the lines of an XLSForm that ask something. */
export class XlsFormQuestions {
  readonly #drafting: SurveyDraftBuilder
  readonly #choices: Map<string, TrackedRecord[]>
  /** The language of texts without one. */
  readonly #own: string

  constructor(drafting: SurveyDraftBuilder, choices: readonly TrackedRecord[], own: string) {
    this.#drafting = drafting
    this.#choices = Map.groupBy(choices, (line) => line.text('list_name') || line.text('list'))
    this.#own = own
  }

  texts(line: TrackedRecord, field: string): TextByLanguage {
    return Object.fromEntries(
      line.names.flatMap((head) => {
        if (head !== field && !head.startsWith(`${field}::`)) return []
        return [[head === field ? this.#own : head.slice(field.length + 2), line.text(head)] as const]
      }),
    )
  }

  ownText(text: string): TextByLanguage {
    return { [this.#own]: text }
  }

  /** @param names that conditions may have for it: its own, and with those of the groups around it */
  add(line: TrackedRecord, showIf: Condition | undefined, names: readonly string[]): void {
    const name = line.text('name')
    const lineType = readLineType(line.text('type'))
    const question = this.#create(line, lineType, name, showIf)
    if (!question) return
    const constraint = line.text('constraint')
    const constrained = constraint ? applyConstraint(question.question, constraint, question.codes) : question.question
    if (constraint && !constrained) this.#drafting.note('setting-left-out', `constraint: ${constraint}`)
    const final = constrained ?? question.question
    this.#drafting.add(names, this.#addMessage(line, final), question.codes, question.sameCodes)
  }

  /** The message of a constraint explains a pattern; other faults have messages of their own. */
  #addMessage(line: TrackedRecord, question: Question): Question {
    if (question.type !== 'short_text' || question.pattern === undefined) return question
    const patternHelp = this.#drafting.text(this.texts(line, 'constraint_message'), 200)
    return Object.keys(patternHelp).length > 0 ? { ...question, patternHelp } : question
  }

  #create(
    line: TrackedRecord,
    { type, list, orOther }: LineType,
    name: string,
    showIf: Condition | undefined,
  ): CreatedQuestion | undefined {
    const common = this.#readCommon(line, name, showIf)
    const looks = line.text('appearance')
    const plain = (question: Question): CreatedQuestion => ({ question, codes: new Map() })
    switch (type) {
      case 'text':
        if (/\bnumbers\b/.test(looks)) return plain({ ...common, type: 'number', decimals: 6 })
        return plain({ ...common, type: /multiline/.test(looks) ? 'long_text' : 'short_text' })
      case 'barcode':
        this.#drafting.note('became-text', type)
        return plain({ ...common, type: 'short_text' })
      case 'integer':
        return plain({ ...common, type: 'number' })
      case 'decimal':
        return plain({ ...common, type: 'number', decimals: 6 })
      case 'range':
        return plain({ ...common, type: 'slider', ...readRange(line.text('parameters')) })
      case 'select_one':
      case 'select_multiple':
      case 'rank':
        return this.#createChoices(line, type, { list, orOther }, common)
      case 'datetime':
        this.#drafting.note('type-changed', type)
        return plain({ ...common, type: 'date' })
      case 'date':
        return plain({ ...common, type: 'date' })
      case 'time':
        return plain({ ...common, type: 'time' })
      case 'tel':
        return plain({ ...common, type: 'phone' })
      case 'geopoint':
        return plain({ ...common, type: 'place' })
      case 'image':
        return plain({ ...common, type: 'file', ...ANY_FILE, kinds: ['picture'] })
      case 'file':
        return plain({ ...common, type: 'file', ...ANY_FILE })
      case 'acknowledge':
      case 'trigger':
        return plain({ ...common, type: 'consent' })
      case 'note': {
        const { title, help } = this.#drafting.titleAndHelp(this.texts(line, 'label'), this.texts(line, 'hint'), 5000)
        return plain({ id: common.id, type: 'info', title, ...(help && { text: help }), ...(showIf && { showIf }) })
      }
      default:
        this.#drafting.note('left-out', line.text('type'))
        return undefined
    }
  }

  #readCommon(line: TrackedRecord, name: string, showIf: Condition | undefined): CommonFields {
    const required = line.text('required')
    const isRequired = /^(yes|true|true\(\)|1)$/i.test(required)
    if (required && !isRequired && !/^(no|false|false\(\)|0)$/i.test(required))
      this.#drafting.note('setting-left-out', `required: ${required}`)
    return {
      id: this.#drafting.id(name),
      ...this.#drafting.titleAndHelp(this.texts(line, 'label'), this.texts(line, 'hint')),
      ...(isRequired && { required: true as const }),
      ...(showIf && { showIf }),
    }
  }

  #createChoices(
    line: TrackedRecord,
    type: 'select_one' | 'select_multiple' | 'rank',
    { list, orOther }: { list: string; orOther: boolean },
    common: CommonFields,
  ): CreatedQuestion {
    const other = orOther ? [{ value: 'other', said: this.#drafting.ownLabel(OTHER_LABEL), other: true }] : []
    const { options, codes, sameCodes } = this.#drafting.options(
      [...this.#listChoices(list, line.text('choice_filter')), ...other],
      type === 'select_one' ? 'listed' : 'options',
    )
    if (options.length === 0) this.#drafting.note('no-text', `choices: ${list}`)
    const parameters = line.text('parameters')
    const shuffle = /\brandomize\s*=\s*true\b/i.test(parameters) && { shuffle: true }
    if (parameters && !shuffle) this.#drafting.note('setting-left-out', `parameters: ${parameters}`)
    const question = { ...common, options, ...shuffle }
    if (type === 'rank') return { question: { ...question, type: 'ranking' }, codes, sameCodes }
    if (type === 'select_multiple') return { question: { ...question, type: 'several_choices' }, codes, sameCodes }
    const isDropdown = /minimal|autocomplete|search/.test(line.text('appearance'))
    return { question: { ...question, type: isDropdown ? 'dropdown' : 'one_choice' }, codes, sameCodes }
  }

  /** The choices of a list, each with the condition that a filter makes for it. */
  #listChoices(list: string, filter: string): ListedItem[] {
    const parsed = filter ? parseExpression(filter) : undefined
    if (filter && !parsed) this.#drafting.note('condition-left-out', `choice_filter: ${filter}`)
    return (this.#choices.get(list) ?? []).flatMap((choice): ListedItem[] => {
      const value = choice.text('name') || choice.text('value')
      const showIf = parsed && this.#drafting.condition(fillColumns(parsed, choice), `choice_filter: ${filter} (${value})`)
      if (showIf === false) {
        this.#drafting.note('hidden', value)
        return []
      }
      return [{ value, said: this.texts(choice, 'label'), showIf }]
    })
  }

  /** Whether a group is a table of single choices from one list. */
  isTable(line: TrackedRecord, children: readonly XlsFormNode[]): boolean {
    if (!/\btable-list\b/.test(line.text('appearance')) || children.length === 0) return false
    const types = children.map((child) => readLineType(child.line.text('type')))
    return types.every(({ type, list, orOther }, index) => {
      const row = children[index]?.line
      return type === 'select_one' && list === types[0]?.list && !orOther && row && !row.text('relevant') && !row.text('choice_filter')
    })
  }

  addTable(line: TrackedRecord, children: readonly XlsFormNode[], showIf: Condition | undefined, path: string): void {
    const drafting = this.#drafting
    const name = line.text('name')
    const [first] = children
    const { list } = readLineType(first?.line.text('type') ?? '')
    const { rows, codes: rowIds } = drafting.rows(
      children.map((child) => ({ value: child.line.text('name'), said: this.texts(child.line, 'label') })),
    )
    const { rows: columns, codes } = drafting.rows(this.#listChoices(list, ''))
    const isRequired = children.every((child) => child.line.flag('required'))
    const { title, help } = drafting.titleAndHelp(this.texts(line, 'label'), this.texts(line, 'hint'))
    const question: Question = {
      id: drafting.id(`${name}_table`),
      type: 'matrix_one',
      title,
      ...(help && { help }),
      rows,
      columns,
      ...(isRequired && { required: true }),
      ...(showIf && { showIf }),
    }
    drafting.add([], question)
    for (const [code, row] of rowIds) for (const name of [code, `${path}/${code}`]) drafting.name(name, { question, codes, row })
  }
}

interface CommonFields {
  id: string
  title: Translated
  help?: Translated
  required?: true
  showIf?: Condition
}

interface CreatedQuestion {
  question: Question
  codes: ReadonlyMap<string, string>
  sameCodes?: ReadonlyMap<string, readonly string[]>
}

/** The expression with the columns of a choice as values. */
const fillColumns = (expression: Expression, choice: TrackedRecord): Expression =>
  mapNames(expression, (name) => (name.braced ? name : { kind: 'value', value: choice.text(name.name) }))

function readRange(parameters: string): { min: number; max: number; step?: number } {
  const [, min = '0'] = /start\s*=\s*(-?[\d.]+)/.exec(parameters) ?? []
  const [, max = '10'] = /end\s*=\s*(-?[\d.]+)/.exec(parameters) ?? []
  const [, step = '1'] = /step\s*=\s*([\d.]+)/.exec(parameters) ?? []
  return { min: Number(min) || 0, max: Number(max) || 10, ...(Number(step) > 0 && { step: Number(step) }) }
}
