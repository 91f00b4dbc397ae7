import { joinAll } from './build-condition.ts'
import type { Question } from '../surveys.schema.ts'
import { countCopies, eachCopy, numberCopy } from './repeats.ts'
import { type CommonFields, readRepeat, type SurveyJsItem, type SurveyJsSource } from './surveyjs-source.ts'
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

  add(element: TrackedRecord, { type, name, common, copies }: Grid): void {
    if (type === 'matrix') this.#addMatrix(element, name, common)
    else if (type === 'matrixdropdown') this.#addTable(element, name, common, this.#source.items(element, 'rows', 'rowsVisibleIf'))
    else if (type === 'matrixdynamic') this.#addRepeatedRows(element, { name, common, copies })
    else {
      this.#source.drafting.note('split', '')
      this.#addHeading(common)
      this.#addFields(element.records('items'), { name, prefix: name, common, shared: [], usual: 'text' })
    }
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
  #addTable(element: TrackedRecord, name: string, common: CommonFields, rows: readonly SurveyJsItem[]): void {
    const { drafting } = this.#source
    const columns = element.records('columns')
    const shared = this.#source.items(element, 'choices', 'choicesVisibleIf')
    const usual = element.text('cellType') || 'dropdown'
    drafting.note('split', '')
    if (columns.length === 0 || rows.length === 0 || columns.length * rows.length > MAX_CELLS)
      return drafting.note('left-out', `${rows.length} × ${columns.length}`)
    this.#addHeading(common)
    for (const column of columns) this.#addColumn(column, { name, common, rows, shared, usual })
  }

  /** Several rows of a fixed number are a table; others are copies of their fields. */
  #addRepeatedRows(element: TrackedRecord, { name, common, copies: outerCopies }: Omit<Grid, 'type'>): void {
    const { drafting } = this.#source
    const repeat = readRepeat(element, 'Row')
    const columns = element.records('columns')
    const isFixed = repeat.always === repeat.most
    if (isFixed && repeat.always > 1) return this.#addTable(element, name, common, this.#numberRows(repeat.always))
    if (isFixed) drafting.note('split', '')
    if (columns.length === 0) return drafting.note('left-out', name)
    const copies = countCopies(repeat, columns.length * outerCopies)
    if (!isFixed) drafting.note('repeated', `${name}: ${copies}`)
    const shared = this.#source.items(element, 'choices', 'choicesVisibleIf')
    const usual = element.text('cellType') || 'dropdown'
    const said = this.#source.texts(element, 'addRowText')
    const heading = this.#source.texts(element, 'title')
    const outside = drafting.resolveName
    const all = eachCopy(drafting, { name, repeat, copies, showIf: common.showIf, said, reopen: () => undefined })
    for (const { number, showIf } of all) {
      const { showIf: _showIf, ...rest } = common
      const titles = drafting.titleAndHelp(numberCopy(Object.keys(heading).length > 0 ? heading : this.#source.ownText(name), number))
      const row = number === 1 ? rest : { ...rest, ...titles, id: drafting.id(`${name}_${number}`) }
      const own = { ...row, ...(showIf && { showIf }) }
      this.#addHeading(own)
      const prefix = `${name}[${number - 1}]`
      drafting.resolveName = (each) => placeRowName(each, (part) => drafting.placeName(`${prefix}.${part}`)) ?? outside(each)
      this.#addFields(columns, { name, prefix, common: own, shared, usual })
      drafting.resolveName = outside
    }
  }

  /** Rows that have no names. */
  #numberRows(count: number): SurveyJsItem[] {
    return Array.from({ length: Math.min(count, MAX_CELLS + 1) }, (_, index) => ({
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
    // What depends on another cell of its row cannot be in one grid with all rows.
    if (!CHOICE_CELLS.has(cell) || choices.length === 0 || column.text('visibleIf') !== '')
      return this.#addCells(column, { cell, said, choices }, table)
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
    for (const [row, id] of rowIds)
      for (const alias of [`${name}.${row}.${code}`, `${name}[${row}].${code}`]) drafting.name(alias, { question, codes, row: id })
  }

  #addCells(column: TrackedRecord, { cell, said, choices }: Cells, { name, common, rows }: Table): void {
    const { drafting } = this.#source
    const code = column.text('name')
    const outside = drafting.resolveName
    for (const row of rows) {
      drafting.resolveName = (each) => placeRowName(each, (part) => drafting.placeName(`${name}.${row.value}.${part}`)) ?? outside(each)
      const own = this.#source.readVisibility(column, '')
      drafting.resolveName = outside
      if (own === false) {
        drafting.note('hidden', code)
        continue
      }
      const showIf = joinAll([common.showIf, row.showIf, own])
      const { showIf: _showIf, ...rest } = common
      const part = {
        ...rest,
        ...(showIf && { showIf }),
        ...((common.required || column.flag('isRequired')) && { required: true as const }),
        ...drafting.titleAndHelp(joinTexts(row.said, said)),
        id: drafting.id(`${name}_${row.value}_${code}`),
      }
      this.#addField(column, { names: [`${name}.${row.value}.${code}`, `${name}[${row.value}].${code}`], cell, part, choices })
    }
  }

  /** One question per field of a list: the items of a multiple text, or the columns of a row. */
  #addFields(fields: readonly TrackedRecord[], { name, prefix, common, shared, usual }: Fields): void {
    const { drafting } = this.#source
    for (const field of fields) {
      const code = field.text('name')
      const own = this.#source.readVisibility(field, '')
      if (own === false) {
        drafting.note('hidden', code)
        continue
      }
      const showIf = joinAll([common.showIf, own])
      const part: CommonFields = {
        ...drafting.titleAndHelp(this.#findTitle(field, code)),
        id: drafting.id(`${name}_${code}`),
        ...((common.required || field.flag('isRequired')) && { required: true as const }),
        ...(showIf && { showIf }),
      }
      const choices = this.#source.choices(field)
      const cell = field.text('cellType') || usual
      this.#addField(field, { names: [`${prefix}.${code}`], cell, part, choices: choices.length > 0 ? choices : shared })
    }
  }

  #addField(field: TrackedRecord, { names, cell, part, choices }: Field): void {
    const { drafting } = this.#source
    if (!CHOICE_CELLS.has(cell) || choices.length === 0) return drafting.add(names, this.#createCell(field, cell, part))
    const type = cell === 'checkbox' || cell === 'tagbox' ? 'several_choices' : cell === 'radiogroup' ? 'one_choice' : 'dropdown'
    const { options, codes } = drafting.options(choices, type === 'several_choices' ? 'options' : 'listed')
    drafting.add(names, { ...part, type, options }, codes)
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

interface Grid {
  type: 'matrix' | 'matrixdropdown' | 'matrixdynamic' | 'multipletext'
  name: string
  common: CommonFields
  /** How many copies there are of it. */
  copies: number
}

interface Cells {
  cell: string
  said: TextByLanguage
  choices: readonly SurveyJsItem[]
}

interface Fields {
  name: string
  /** What begins their names in conditions. */
  prefix: string
  common: CommonFields
  shared: readonly SurveyJsItem[]
  usual: string
}

interface Field {
  names: readonly string[]
  cell: string
  part: CommonFields
  choices: readonly SurveyJsItem[]
}

interface Table {
  name: string
  common: CommonFields
  rows: readonly SurveyJsItem[]
  shared: readonly SurveyJsItem[]
  usual: string
}

const CHOICE_CELLS: ReadonlySet<string> = new Set(['dropdown', 'radiogroup', 'checkbox', 'tagbox', 'buttongroup', 'rating'])

/** A cell of the same row: `row.answer`. */
function placeRowName(name: string, place: (part: string) => string): string | undefined {
  const [, part] = /^row\.(.+)$/i.exec(name) ?? []
  return part === undefined ? undefined : place(part)
}

/** Two texts as one, language by language. */
function joinTexts(first: TextByLanguage, second: TextByLanguage): TextByLanguage {
  return Object.fromEntries(
    [...new Set([...Object.keys(first), ...Object.keys(second)])].map((language) => [
      language,
      [first[language], second[language]].filter(Boolean).join(' – '),
    ]),
  )
}
