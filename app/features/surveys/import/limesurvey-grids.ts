import type { Condition } from '../questionnaire/conditions.schema.ts'
import type { Question } from '../surveys.schema.ts'
import { joinAll } from './build-condition.ts'
import type { LimeSurveySource, PartRun, QuestionSource } from './limesurvey-source.ts'
import type { ListedItem, TextByLanguage } from './survey-draft-builder.ts'

/** More cells than this in a table of fields would make a survey that nobody finishes. */
const MAX_CELLS = 60

/** Converts LimeSurvey's questions of several parts: grids stay grids, tables of fields become one question per field. */
export class LimeSurveyGrids {
  readonly #source: LimeSurveySource

  constructor(source: LimeSurveySource) {
    this.#source = source
  }

  addMatrix(source: QuestionSource, columns: readonly ListedItem[], type: 'matrix_one' | 'matrix_several' = 'matrix_one'): void {
    for (const run of this.#source.eachRun(source)) this.#addMatrixRun(run, columns, type)
  }

  #addMatrixRun(run: PartRun, columns: readonly ListedItem[], type: 'matrix_one' | 'matrix_several'): void {
    const { drafting } = this.#source
    const { name, sgqa, qid } = run.source
    const { rows, codes: rowIds, common } = this.#addRows(run)
    const { rows: columnRows, codes } = drafting.rows(columns)
    const shuffle = this.#source.isShuffled(qid) && { shuffle: true }
    const question: Question = { ...common, type, rows, columns: columnRows, ...shuffle }
    drafting.add(run.isFirst ? [name, sgqa] : [], question, codes)
    for (const [code, row] of rowIds) {
      for (const alias of [`${name}_${code}`, `${sgqa}${code}`]) drafting.name(alias, { question, codes, row })
      if (type === 'matrix_several')
        for (const [column, option] of codes)
          for (const alias of [`${name}_${code}_${column}`, `${sgqa}${code}_${column}`])
            drafting.name(alias, { question, codes, row, option, chosenValue: '1' })
    }
  }

  #addRows(run: PartRun) {
    const { source, codes: ofRun } = run
    const listed = this.#source.subquestions(source.qid, '0', ofRun)
    const items = listed.map((item) => ({ ...item, showIf: this.#source.itemCondition(source, item) }))
    const { showIf: _showIf, ...common } = source.common
    const showIf = this.#source.runCondition(run, items)
    return { ...this.#source.drafting.rows(items), common: { ...common, ...(showIf && { showIf }) } }
  }

  /** Two grids, one per scale. */
  addDualScale(source: QuestionSource): void {
    for (const run of this.#source.eachRun(source)) for (const scale of ['0', '1'] as const) this.#addScale(run, scale)
    this.#source.drafting.note('split', '2')
  }

  #addScale(run: PartRun, scale: '0' | '1'): void {
    const { drafting } = this.#source
    const { source, isFirst } = run
    const { name, sgqa, qid } = source
    const header = this.#source.attributeTexts(qid, scale === '0' ? 'dualscale_headerA' : 'dualscale_headerB')
    const { rows, codes: rowIds, common } = this.#addRows(run)
    const { rows: columns, codes } = drafting.rows(this.#source.answerOptions(qid, scale))
    const title = drafting.titleAndHelp(joinTexts(source.said, header), source.helpSaid)
    const id = scale === '0' ? common.id : drafting.id(`${common.id}_1`)
    const question: Question = { ...common, ...title, id, type: 'matrix_one', rows, columns }
    drafting.add(isFirst && scale === '0' ? [name, sgqa] : [], question, codes)
    for (const [code, row] of rowIds)
      for (const alias of [`${name}_${code}_${scale}`, `${sgqa}${code}#${scale}`]) drafting.name(alias, { question, codes, row })
  }

  /** A question per row and column. */
  addCells(source: QuestionSource, type: 'short_text' | 'number'): void {
    const { drafting } = this.#source
    const [count, across] = ['0', '1'].map((scale) => this.#source.countSubquestions(source.qid, scale)) as [number, number]
    if (count * across > MAX_CELLS || count * across === 0) return drafting.note('left-out', `${count} × ${across}`)
    const bounds = type === 'number' ? this.#readBounds(source.qid, 'multiflexible_min', 'multiflexible_max') : {}
    this.#addHeading(source)
    const addCell = (row: ListedItem, column: ListedItem) => {
      this.#addPart(source, {
        part: `${row.value}_${column.value}`,
        said: joinTexts(row.said, column.said),
        showIf: joinAll([this.#source.itemCondition(source, row), column.showIf]),
        field: type === 'number' ? { type, decimals: 2, ...bounds } : { type },
      })
      return column
    }
    // A column may depend on a cell before it in the first row.
    let columns: ListedItem[] | undefined
    for (const row of this.#source.eachSubquestion(source.qid)) {
      const listed = columns ?? this.#source.eachSubquestion(source.qid, '1')
      columns = Array.from(listed, (column) => addCell(row, column))
    }
  }

  /** A question per subquestion. */
  addParts(source: QuestionSource, type: 'short_text' | 'number'): void {
    const most = this.#source.numberAttribute(source.qid, 'maximum_chars')
    const length = most !== undefined && most > 0 ? { maxLength: Math.min(500, Math.round(most)) } : {}
    this.#addFields(source, type === 'number' ? { type, decimals: 2 } : { type, ...length })
  }

  /** A fixed total is allocated; otherwise a slider or a number per subquestion. */
  addNumbers(source: QuestionSource): void {
    const { drafting } = this.#source
    const { qid, common, name, sgqa } = source
    const total = this.#source.numberAttribute(qid, 'equals_num_value')
    if (total !== undefined && Number.isInteger(total) && total > 0 && this.#source.countSubquestions(qid) > 1) {
      const listed = this.#source.subquestions(qid)
      const { options, codes } = drafting.options(listed.map((item) => ({ ...item, showIf: this.#source.itemCondition(source, item) })))
      this.#source.add(source, { ...common, type: 'budget', options, measure: 'points', total }, codes)
      const asked = drafting.find(name)
      if (asked)
        for (const [code, row] of codes) for (const alias of [`${name}_${code}`, `${sgqa}${code}`]) drafting.name(alias, { ...asked, row })
      return
    }
    if (this.#source.attribute(qid, 'slider_layout') !== '1')
      return this.#addFields(source, { type: 'number', decimals: 2, ...this.#readBounds(qid, 'min_num_value_n', 'max_num_value_n') })
    const { min = 0, max = 100 } = this.#readBounds(qid, 'slider_min', 'slider_max')
    const step = this.#source.numberAttribute(qid, 'slider_accuracy')
    this.#addFields(source, { type: 'slider', min, max, ...(step !== undefined && step > 0 && { step }) })
  }

  #readBounds(qid: string, least: string, most: string): { min?: number; max?: number } {
    const [min, max] = [this.#source.numberAttribute(qid, least), this.#source.numberAttribute(qid, most)]
    return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
  }

  #addFields(source: QuestionSource, field: PartField): void {
    if (this.#source.countSubquestions(source.qid) === 0) return this.#source.drafting.note('left-out', source.name)
    this.#addHeading(source)
    for (const item of this.#source.eachSubquestion(source.qid))
      this.#addPart(source, { part: item.value, said: item.said, showIf: this.#source.itemCondition(source, item), field })
  }

  #addHeading({ common }: QuestionSource): void {
    const { id, title, help, showIf } = common
    const { drafting } = this.#source
    drafting.note('split', '')
    if (Object.keys(title).length > 0) drafting.add([], { id, type: 'info', title, ...(help && { text: help }), ...(showIf && { showIf }) })
  }

  #addPart({ name, sgqa, common }: QuestionSource, { part, said, showIf, field }: Part): void {
    const { drafting } = this.#source
    const shown = joinAll([common.showIf, showIf])
    const question: Question = {
      ...field,
      ...drafting.titleAndHelp(said),
      id: drafting.id(`${name}_${part}`),
      ...(common.required && { required: true }),
      ...(shown && { showIf: shown }),
    }
    drafting.add([`${name}_${part}`, `${sgqa}${part}`], question)
  }
}

type PartField =
  | { type: 'short_text'; maxLength?: number }
  | { type: 'number'; decimals: number; min?: number; max?: number }
  | { type: 'slider'; min: number; max: number; step?: number }

interface Part {
  part: string
  said: TextByLanguage
  showIf: Condition | undefined
  field: PartField
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
