import type { Translated } from '#app/lib/translated.ts'
import type { Condition } from '../questionnaire/conditions.schema.ts'
import type { Question } from '../surveys.schema.ts'
import { joinAll } from './build-condition.ts'
import type { NamedQuestion } from './build-test.ts'
import { type ArchiveTables, groupById, type RowsById, sortGroups } from './limesurvey-tables.ts'
import type { ListedItem, SurveyDraftBuilder, TextByLanguage } from './survey-draft-builder.ts'
import type { TrackedRecord } from './tracked-record.ts'

/** What all kinds of questions have, and where they are in the archive. */
export interface QuestionSource {
  qid: string
  name: string
  /** Its name in old conditions: survey, group and question ids. */
  sgqa: string
  row: TrackedRecord
  said: TextByLanguage
  helpSaid: TextByLanguage
  common: { id: string; title: Translated; help?: Translated; required?: true; showIf?: Condition }
}

const TEXT_TABLES = { groups: 'group_l10ns', questions: 'question_l10ns', answers: 'answer_l10ns' } as const

/** Finds what belongs to a question in the archive's tables. */
export class LimeSurveySource {
  readonly tables: ArchiveTables
  readonly drafting: SurveyDraftBuilder
  /** The language of texts without one. */
  readonly #own: string
  /** Rows of each question's subquestions. */
  readonly #parts: Map<string, RowsById[]>

  constructor(tables: ArchiveTables, drafting: SurveyDraftBuilder, own: string) {
    this.tables = tables
    this.drafting = drafting
    this.#own = own
    const partsTable = tables.rows('subqueries').length > 0 ? 'subqueries' : 'subquestions'
    this.#parts = Map.groupBy(groupById(tables.rows(partsTable), 'qid'), ([, [first]]) => first?.text('parent_qid') ?? '')
  }

  inLanguages(rows: readonly TrackedRecord[], language: string, field: string): TextByLanguage {
    return Object.fromEntries(
      rows.flatMap((row) => {
        const words = row.text(field)
        return words ? [[row.text(language) || this.#own, words] as const] : []
      }),
    )
  }

  /** Texts of a row; since version 4 they are in a table of their own. */
  findTexts(id: string, from: keyof typeof TEXT_TABLES, key: string, rows: readonly TrackedRecord[], field: string): TextByLanguage {
    const apart = this.tables.rowsWith(TEXT_TABLES[from], key, id)
    return this.inLanguages(apart.length > 0 ? apart : rows, 'language', field)
  }

  /** Reads what all kinds of questions have; `hidden` if its condition never holds. */
  readSource(qid: string, name: string, rows: readonly TrackedRecord[]): QuestionSource | 'hidden' {
    const row = rows[0]
    if (!row) return 'hidden'
    const said = this.findTexts(qid, 'questions', 'qid', rows, 'question')
    const helpSaid = this.findTexts(qid, 'questions', 'qid', rows, 'help')
    const showIf = this.drafting.condition(this.#findRelevance(qid, row))
    if (showIf === false) return 'hidden'
    const texts = this.drafting.titleAndHelp(said, helpSaid)
    const required = row.text('mandatory') === 'Y' && { required: true as const }
    const common = { id: this.drafting.id(name), ...texts, ...required, ...(showIf && { showIf }) }
    return { qid, name, sgqa: `${row.text('sid')}X${row.text('gid')}X${qid}`, row, said, helpSaid, common }
  }

  /** Its relevance; in old files its rows in the table of conditions, where scenarios are alternatives. */
  #findRelevance(qid: string, row: TrackedRecord): string {
    const relevance = row.text('relevance').trim()
    const conditions = this.tables.rowsWith('conditions', 'qid', qid)
    const tests = conditions.map((each) => {
      const [field, method, value] = [each.text('cfieldname'), each.text('method') || '==', each.text('value').trim()]
      return { scenario: each.text('scenario'), field, test: `(${field.replace(/^\+/, '')} ${method.trim()} "${value}")` }
    })
    if ((relevance !== '' && relevance !== '1') || tests.length === 0) return relevance
    return [...Map.groupBy(tests, ({ scenario }) => scenario).values()]
      .map((scenario) =>
        [...Map.groupBy(scenario, ({ field }) => field).values()]
          .map((same) => `(${same.map(({ test }) => test).join(' or ')})`)
          .join(' and '),
      )
      .map((scenario) => `(${scenario})`)
      .join(' or ')
  }

  questionName(qid: string): string {
    return this.tables.rowsWith('questions', 'qid', qid)[0]?.text('title') ?? ''
  }

  /** Adds a question under its name and its old name. */
  add({ name, sgqa }: QuestionSource, question: Question, codes?: ReadonlyMap<string, string>): void {
    this.drafting.add([name, sgqa], question, codes)
  }

  attribute(qid: string, name: string): string {
    const rows = this.#attributeRows(qid, name)
    return rows.map((row) => row.text('value')).find((value) => value !== '') ?? ''
  }

  attributeTexts(qid: string, name: string): TextByLanguage {
    return this.inLanguages(this.#attributeRows(qid, name), 'language', 'value')
  }

  #attributeRows(qid: string, name: string): TrackedRecord[] {
    return this.tables.rowsWith('question_attributes', 'qid', qid).filter((row) => row.text('attribute') === name)
  }

  /** An attribute that we take as a number; expressions are named. */
  numberAttribute(qid: string, name: string): number | undefined {
    const value = this.attribute(qid, name).trim()
    if (value === '') return undefined
    if (Number.isFinite(Number(value))) return Number(value)
    this.drafting.note('setting-left-out', `${name}: ${value}`)
    return undefined
  }

  isShuffled(qid: string): boolean {
    return this.attribute(qid, 'random_order') === '1' || this.attribute(qid, 'answer_order') === 'random'
  }

  answerOptions(qid: string, scale = '0'): ListedItem[] {
    const onScale = this.tables.rowsWith('answers', 'qid', qid).filter((row) => (row.text('scale_id') || '0') === scale)
    const answers = sortGroups(groupById(onScale, 'code'), 'sortorder')
    return answers.map(([value, rows]) => ({
      value,
      said: this.findTexts(rows[0]?.text('aid') ?? '', 'answers', 'aid', rows, 'answer'),
    }))
  }

  /** Its subquestions, without those that are never shown. */
  subquestions(qid: string, scale = '0'): ListedItem[] {
    const parts = (this.#parts.get(qid) ?? []).filter(([, [row]]) => (row?.text('scale_id') || '0') === scale)
    return sortGroups(parts, 'question_order').flatMap(([id, rows]): ListedItem[] => {
      const value = rows[0]?.text('title') ?? ''
      const showIf = this.drafting.condition(rows[0]?.text('relevance') ?? '')
      if (showIf === false) {
        this.drafting.note('hidden', value)
        return []
      }
      return [{ value, said: this.findTexts(id, 'questions', 'qid', rows, 'question'), showIf }]
    })
  }

  fixedOptions(most: number): ListedItem[] {
    return Array.from({ length: most }, (_, index) => ({ value: String(index + 1), said: { [this.#own]: String(index + 1) } }))
  }

  /** When an item of a question is shown: its own relevance, and the items of an earlier question that it is filtered by. */
  itemCondition({ qid }: QuestionSource, { value, showIf }: ListedItem): Condition | undefined {
    return joinAll([showIf, this.#findFilter(qid, 'array_filter', value), this.#findFilter(qid, 'array_filter_exclude', value)])
  }

  #findFilter(qid: string, attribute: 'array_filter' | 'array_filter_exclude', value: string): Condition | undefined {
    const filter = this.attribute(qid, attribute).trim()
    if (!filter) return undefined
    const sources = filter.split(';').map((each) => each.trim())
    const asked = sources.length === 1 ? this.drafting.find(`${filter}_${value}`) : undefined
    if (!asked) this.drafting.note('condition-left-out', `${attribute}: ${filter} (${value})`)
    return asked && testFilter(asked, attribute === 'array_filter')
  }
}

function testFilter({ question, row, option }: NamedQuestion, isShown: boolean): Condition {
  if (option !== undefined) return { question: question.id, is: isShown ? 'any_of' : 'none_of', options: [option] }
  return { question: question.id, ...(row !== undefined && { row }), is: isShown ? 'answered' : 'unanswered' }
}
