import { joinAll } from './build-condition.ts'
import type { Question } from '../surveys.schema.ts'
import { type CommonFields, readFixedCount, type SurveyJsItem, type SurveyJsSource } from './surveyjs-source.ts'
import { createTextField } from './surveyjs-text.ts'
import type { TextByLanguage } from './survey-draft-builder.ts'
import { TrackedRecord } from './tracked-record.ts'

/** More cells than this in a table of fields would make a survey that nobody finishes. */
const MAX_CELLS = 60

/** Converts SurveyJS's questions of several parts: what can be a grid becomes one, fields become one question each. */
export class SurveyJsGrids {
  readonly #source: SurveyJsSource

  constructor(source: SurveyJsSource) {
    this.#source = source
  }

  add(
    element: TrackedRecord,
    type: 'matrix' | 'matrixdropdown' | 'matrixdynamic' | 'multipletext',
    name: string,
    common: CommonFields,
  ): void {
    if (type === 'matrix') this.#addMatrix(element, name, common)
    else if (type === 'multipletext') this.#addFields(element.records('items'), name, common, [])
    else this.#addTable(element, type, name, common)
  }

  #addMatrix(element: TrackedRecord, name: string, common: CommonFields): void {
    const { drafting } = this.#source
    const several = element.text('cellType') === 'checkbox'
    const { rows, codes: rowIds } = drafting.rows(this.#source.items(element, 'rows', 'rowsVisibleIf'))
    const { rows: columns, codes } = drafting.rows(this.#source.items(element, 'columns', 'columnsVisibleIf'))
    const shuffle = element.text('rowsOrder') === 'random' || element.text('rowOrder') === 'random'
    const required = common.required || ['isAllRowRequired', 'eachRowRequired'].some((flag) => element.flag(flag))
    const question: Question = {
      ...common,
      type: several ? 'matrix_several' : 'matrix_one',
      rows,
      columns,
      ...(shuffle && { shuffle }),
      ...(required && { required }),
    }
    drafting.add(name, question, codes)
    for (const [code, row] of rowIds) drafting.name(`${name}.${code}`, { question, codes, row })
  }

  /** A table of several kinds of fields: a grid per column of choices, and a question per cell of any other. */
  #addTable(element: TrackedRecord, type: string, name: string, common: CommonFields): void {
    const { drafting } = this.#source
    const columns = element.records('columns')
    const count = type === 'matrixdynamic' ? readFixedCount(element, 'Row') : undefined
    const rows = type === 'matrixdropdown' ? this.#source.items(element, 'rows', 'rowsVisibleIf') : this.#countRows(count)
    const shared = this.#source.items(element, 'choices', 'choicesVisibleIf')
    const usual = element.text('cellType') || 'dropdown'
    if (type === 'matrixdynamic' && count === undefined) drafting.note('repeated', name)
    else drafting.note('split', '')
    if (columns.length === 0 || (type === 'matrixdropdown' && rows.length === 0) || columns.length * rows.length > MAX_CELLS)
      return drafting.note('left-out', `${rows.length} × ${columns.length}`)
    this.#addHeading(common)
    if (rows.length === 0) return this.#addFields(columns, name, common, shared, usual)
    for (const column of columns) this.#addColumn(column, { name, common, rows, shared, usual })
  }

  /** Rows that have no names; a single one needs none. */
  #countRows(count = 0): SurveyJsItem[] {
    if (count < 2) return []
    return Array.from({ length: count }, (_, index) => ({
      value: String(index),
      said: this.#source.ownText(String(index + 1)),
      imageLink: '',
    }))
  }

  #addColumn(column: TrackedRecord, table: Table): void {
    const { drafting } = this.#source
    const { name, common, rows, shared } = table
    const code = column.text('name')
    const said = this.#findTitle(column, code)
    const cell = column.text('cellType') || table.usual
    const own = this.#source.choices(column)
    const choices = own.length > 0 ? own : shared
    if (!CHOICE_CELLS.has(cell) || choices.length === 0) return this.#addCells(column, cell, said, table)
    const { rows: listed, codes: rowIds } = drafting.rows(rows)
    const { rows: columns, codes } = drafting.rows(choices)
    const question: Question = {
      ...common,
      ...drafting.titleAndHelp(said),
      id: drafting.id(`${name}_${code}`),
      type: cell === 'checkbox' || cell === 'tagbox' ? 'matrix_several' : 'matrix_one',
      rows: listed,
      columns,
      ...((common.required || column.flag('isRequired')) && { required: true }),
    }
    drafting.add(`${name}.${code}`, question, codes)
    for (const [row, id] of rowIds) drafting.name(`${name}.${row}.${code}`, { question, codes, row: id })
  }

  #addCells(column: TrackedRecord, cell: string, said: TextByLanguage, { name, common, rows }: Table): void {
    const code = column.text('name')
    for (const row of rows) {
      const showIf = joinAll([common.showIf, row.showIf])
      const field = this.#createCell(column, cell, {
        ...common,
        ...(showIf && { showIf }),
        ...this.#source.drafting.titleAndHelp(joinTexts(row.said, said)),
        id: this.#source.drafting.id(`${name}_${row.value}_${code}`),
      })
      this.#source.drafting.add(`${name}.${row.value}.${code}`, field)
    }
  }

  /** One question per field of a list: the items of a multiple text, or the columns of rows that people add. */
  #addFields(fields: readonly TrackedRecord[], name: string, common: CommonFields, shared: readonly SurveyJsItem[], usual = 'text'): void {
    const { drafting } = this.#source
    if (usual === 'text') {
      drafting.note('split', '')
      this.#addHeading(common)
    }
    for (const field of fields) {
      const code = field.text('name')
      const own = this.#source.choices(field)
      const cell = field.text('cellType') || usual
      const part: CommonFields = {
        ...drafting.titleAndHelp(this.#findTitle(field, code)),
        id: drafting.id(`${name}_${code}`),
        ...((common.required || field.flag('isRequired')) && { required: true as const }),
        ...(common.showIf && { showIf: common.showIf }),
      }
      const choices = own.length > 0 ? own : shared
      if (!CHOICE_CELLS.has(cell) || choices.length === 0) {
        drafting.add(`${name}.${code}`, this.#createCell(field, cell, part))
        continue
      }
      const { options, codes } = drafting.options(choices)
      const type = cell === 'checkbox' || cell === 'tagbox' ? 'several_choices' : cell === 'radiogroup' ? 'one_choice' : 'dropdown'
      drafting.add(`${name}.${code}`, { ...part, type, options }, codes)
    }
  }

  #createCell(field: TrackedRecord, cell: string, common: CommonFields): Question {
    const { drafting } = this.#source
    if (cell === 'boolean') return { ...common, type: 'yes_no' }
    if (cell !== 'text' && cell !== 'comment') drafting.note('became-text', cell)
    return createTextField(field, cell === 'comment' ? 'comment' : 'text', common, drafting)
  }

  #addHeading({ id, title, help, showIf }: CommonFields): void {
    this.#source.drafting.add([], { id, type: 'info', title, ...(help && { text: help }), ...(showIf && { showIf }) })
  }

  #findTitle(field: TrackedRecord, code: string): TextByLanguage {
    const said = this.#source.texts(field, 'title')
    return Object.keys(said).length > 0 ? said : this.#source.ownText(code)
  }
}

interface Table {
  name: string
  common: CommonFields
  rows: readonly SurveyJsItem[]
  shared: readonly SurveyJsItem[]
  usual: string
}

const CHOICE_CELLS: ReadonlySet<string> = new Set(['dropdown', 'radiogroup', 'checkbox', 'tagbox', 'buttongroup', 'rating'])

/** Two texts as one, language by language. */
function joinTexts(first: TextByLanguage, second: TextByLanguage): TextByLanguage {
  return Object.fromEntries(
    [...new Set([...Object.keys(first), ...Object.keys(second)])].map((language) => [
      language,
      [first[language], second[language]].filter(Boolean).join(' – '),
    ]),
  )
}
