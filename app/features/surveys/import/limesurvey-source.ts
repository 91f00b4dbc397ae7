import type { Translated } from '#app/lib/translated.ts'
import type { Condition } from '../questionnaire/conditions.schema.ts'
import type { Question } from '../surveys.schema.ts'
import { fitCondition, joinAll } from './build-condition.ts'
import type { NamedQuestion } from './build-test.ts'
import { type Expression, mapNames, parseExpression } from './parse-expression.ts'
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

/** Parts of a question that can be asked together: none depends on another of them. */
export interface PartRun {
  source: QuestionSource
  codes: ReadonlySet<string>
  isFirst: boolean
  isLast: boolean
}

/** The name by which a filter finds an item of a ranking, whose ranks have the names of parts. */
export const nameItem = (question: string, code: string): string => `${question}/${code}`

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
    drafting.parseCondition = (text) => {
      const parsed = parseExpression(text)
      return parsed && expandParts(parsed, (name) => this.#listPartNames(name))
    }
    const partsTable = tables.rows('subqueries').length > 0 ? 'subqueries' : 'subquestions'
    this.#parts = Map.groupBy(groupById(tables.rows(partsTable), 'qid'), ([, [first]]) => first?.text('parent_qid') ?? '')
  }

  /** `that.name` in a call means all parts of the question of that name. */
  #listPartNames(name: string): string[] {
    const qid = this.tables
      .rowsWith('questions', 'title', name)
      .find((row) => (row.text('parent_qid') || '0') === '0')
      ?.text('qid')
    const parts = (this.#parts.get(qid ?? '') ?? []).flatMap(([, [row]]) => (row ? [row] : []))
    const codes = (scale: string) => parts.filter((row) => (row.text('scale_id') || '0') === scale).map((row) => row.text('title'))
    const across = codes('1')
    return codes('0').flatMap((row) => (across.length > 0 ? across.map((column) => `${name}_${row}_${column}`) : [`${name}_${row}`]))
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
    const tests = conditions.map((each) => ({
      scenario: each.text('scenario'),
      field: `${each.text('cqid')} ${each.text('cfieldname')}`,
      test: this.#writeTest(each),
    }))
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

  /** A row of the table of conditions. Of several choices, the field is the question and the value the option that is chosen. */
  #writeTest(row: TrackedRecord): string {
    const [field, value] = [row.text('cfieldname'), row.text('value').trim()]
    const method = row.text('method').trim() || '=='
    const type = this.tables.rowsWith('questions', 'qid', row.text('cqid'))[0]?.text('type') ?? ''
    const isSeveral = type === 'M' || type === 'P'
    if (isSeveral && !field.startsWith('+')) return `(${field}${value}.NAOK ${method} "Y")`
    const name = `${field.replace(/^\+/, '').replace(/^\{(.+)\}$/, '$1')}.NAOK`
    if (method === 'RX') return `(regexMatch("${value}", ${name}))`
    const other = /^@(\d+X\d+X.+)@$/.exec(value)?.[1]
    const test = `${name} ${method} ${other === undefined ? `"${value}"` : `${other}.NAOK`}`
    return method === '<' || method === '<=' ? `(!is_empty(${name}) && ${test})` : `(${test})`
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
  subquestions(qid: string, scale = '0', codes?: ReadonlySet<string>): ListedItem[] {
    return [...this.eachSubquestion(qid, scale, codes)]
  }

  /**
   * Its subquestions in their order, divided so that each depends on earlier runs only. Each run becomes a question, since what is offered
   * cannot depend on an answer to the same question. Continue with the next run after the questions of the last one were added.
   */
  *eachRun(source: QuestionSource): Generator<PartRun> {
    const runs = this.#listRuns(source)
    if (runs.length > 1) this.drafting.note('split', String(runs.length))
    for (const [index, codes] of runs.entries())
      yield {
        source: index === 0 ? source : this.#continueSource(source, index + 1),
        codes,
        isFirst: index === 0,
        isLast: index === runs.length - 1,
      }
  }

  #listRuns({ qid, name, sgqa }: QuestionSource): Set<string>[] {
    const parts = sortGroups(this.#partsOn(qid, '0'), 'question_order').map(([, [row]]) => row)
    const all = parts.map((row) => row?.text('title') ?? '')
    const runs = [new Set<string>()]
    for (const row of parts) {
      const relevance = this.drafting.parseCondition(row?.text('relevance') ?? '')
      const needed = relevance ? listOwnParts(relevance, [`${name}_`, sgqa, 'self.sq_'], all) : []
      if (needed.some((code) => runs.at(-1)?.has(code))) runs.push(new Set())
      runs.at(-1)?.add(row?.text('title') ?? '')
    }
    return runs
  }

  #continueSource(source: QuestionSource, number: number): QuestionSource {
    const said = Object.fromEntries(Object.entries(source.said).map(([language, text]) => [language, `${text} (${number})`]))
    const { help: _help, ...common } = source.common
    const texts = this.drafting.titleAndHelp(said, source.helpSaid)
    return { ...source, said, common: { ...common, ...texts, id: this.drafting.id(`${source.name}_${number}`) } }
  }

  /** When a later run is asked: if one of its parts is. */
  runCondition({ source, isFirst }: PartRun, items: readonly { showIf?: Condition | undefined }[]): Condition | undefined {
    const { showIf } = source.common
    const own = new Map(items.map((item) => [JSON.stringify(item.showIf ?? null), item.showIf]))
    const any = [...own.values()].filter((each) => each !== undefined)
    if (isFirst || any.length < own.size || any.length === 0) return showIf
    const [only, ...others] = any
    return joinAll([showIf, others.length > 0 ? fitCondition({ any }) : only])
  }

  countSubquestions(qid: string, scale = '0'): number {
    return this.#partsOn(qid, scale).length
  }

  /** Its subquestions one by one, so that the condition of each can name those that were added before. */
  *eachSubquestion(qid: string, scale = '0', codes?: ReadonlySet<string>): Generator<ListedItem> {
    for (const [id, rows] of sortGroups(this.#partsOn(qid, scale), 'question_order')) {
      const value = rows[0]?.text('title') ?? ''
      if (codes && !codes.has(value)) continue
      const showIf = this.#readOwnCondition(qid, rows[0]?.text('relevance') ?? '')
      if (showIf === false) this.drafting.note('hidden', value)
      else yield { value, said: this.findTexts(id, 'questions', 'qid', rows, 'question'), showIf }
    }
  }

  #partsOn(qid: string, scale: string): RowsById[] {
    return (this.#parts.get(qid) ?? []).filter(([, [row]]) => (row?.text('scale_id') || '0') === scale)
  }

  /** A condition in which `self.sq_` begins the names of the question's own parts. */
  #readOwnCondition(qid: string, relevance: string): Condition | false | undefined {
    const { drafting } = this
    const resolveOutside = drafting.resolveName
    const codes = (this.#parts.get(qid) ?? []).map(([, [row]]) => row?.text('title') ?? '')
    drafting.resolveName = (name) => {
      const [, part = '', rest = ''] = /^self\.sq_([A-Za-z\d]+)(.*)$/.exec(name) ?? []
      return codes.filter((code) => code.includes(part)).length === 1 && codes.includes(part)
        ? `${this.questionName(qid)}_${part}${rest}`
        : name
    }
    const showIf = drafting.condition(relevance)
    drafting.resolveName = resolveOutside
    return showIf
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
    const names = [nameItem(filter, value), `${filter}_${value}`]
    const asked = sources.length === 1 ? names.map((name) => this.drafting.find(name)).find((found) => found !== undefined) : undefined
    if (!asked) this.drafting.note('condition-left-out', `${attribute}: ${filter} (${value})`)
    return asked && testFilter(asked, attribute === 'array_filter')
  }
}

/** Codes of a question's own parts that an expression names. */
function listOwnParts(expression: Expression, beginnings: readonly string[], codes: readonly string[]): string[] {
  const found: string[] = []
  mapNames(expression, (each) => {
    const beginning = beginnings.find((start) => each.name.startsWith(start))
    const rest = beginning === undefined ? '' : each.name.slice(beginning.length)
    // What follows is the other scale, or a property of the part.
    found.push(...codes.filter((code) => rest === code || ['_', '.', '#'].some((sign) => rest.startsWith(`${code}${sign}`))))
    return each
  })
  return found
}

/** Calls of all parts of a question, with each of them named. */
function expandParts(expression: Expression, listParts: (name: string) => readonly string[]): Expression {
  switch (expression.kind) {
    case 'all':
    case 'any':
      return { ...expression, parts: expression.parts.map((part) => expandParts(part, listParts)) }
    case 'not':
      return { ...expression, part: expandParts(expression.part, listParts) }
    case 'compare':
      return { ...expression, left: expandParts(expression.left, listParts), right: expandParts(expression.right, listParts) }
    case 'call':
      return {
        ...expression,
        args: expression.args.flatMap((arg): Expression[] => {
          const [, name = '', end = ''] = (arg.kind === 'name' && /^that\.([A-Za-z]\w*)((?:\.\w+)?)$/.exec(arg.name)) || []
          const parts = name === '' ? [] : listParts(name)
          return parts.length > 0 ? parts.map((part) => ({ kind: 'name', name: `${part}${end}` })) : [expandParts(arg, listParts)]
        }),
      }
    default:
      return expression
  }
}

function testFilter({ question, row, option }: NamedQuestion, isShown: boolean): Condition {
  if (option !== undefined) return { question: question.id, is: isShown ? 'any_of' : 'none_of', options: [option] }
  return { question: question.id, ...(row !== undefined && { row }), is: isShown ? 'answered' : 'unanswered' }
}
