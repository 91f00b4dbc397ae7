import type { Language } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { Condition } from '../questionnaire/conditions.schema.ts'
import { ANY_FILE, MAX_FILES } from '../questionnaire/question-types/files/file-kinds.ts'
import { SurveyDraftBuilder, type ImportedSurvey } from './survey-draft-builder.ts'
import { parseXml, type XmlElement } from './parse-xml.ts'

type RowFields = Record<string, string>
type TextByLanguage = Record<string, string>
type RowsById = [id: string, rows: RowFields[]]

interface ListedOption {
  value: string
  said: TextByLanguage
}

/** Converts a LimeSurvey structure archive (.lss, versions 2 to 6). @throws {Error} if it is not one */
export function parseLimeSurvey(document: string, fallback: Language): ImportedSurvey {
  const root = parseXml(document)
  if (root.name !== 'document' || findChild(root, 'LimeSurveyDocType')?.text.trim() !== 'Survey') throw new Error('Not a LimeSurvey survey')
  return new ArchiveImport(new ArchiveTables(root), fallback).run()
}

const groupById = (rows: readonly RowFields[], id: string): RowsById[] => [...Map.groupBy(rows, (row) => row[id] ?? '')]
const sortGroups = (groups: readonly RowsById[], by: string): RowsById[] =>
  groups.toSorted(([, a], [, b]) => Number(a[0]?.[by] ?? 0) - Number(b[0]?.[by] ?? 0))
const sortRows = (rows: readonly RowFields[], by: string) => rows.toSorted((a, b) => Number(a[by] ?? 0) - Number(b[by] ?? 0))

/** What all kinds of questions have, and where they are in the archive. */
interface QuestionSource {
  qid: string
  name: string
  row: RowFields
  common: { id: string; title: Translated; help?: Translated; required?: true; showIf?: Condition }
}

class ArchiveImport {
  readonly #tables: ArchiveTables
  readonly #drafting = new SurveyDraftBuilder()
  /** The language of texts without one. */
  readonly #own: string
  readonly #questions: RowsById[]
  /** Rows of each question's subquestions. */
  readonly #parts: Map<string, RowsById[]>

  constructor(tables: ArchiveTables, fallback: Language) {
    this.#tables = tables
    this.#own = tables.rows('surveys')[0]?.['language'] || fallback
    this.#questions = groupById(tables.rows('questions'), 'qid')
    const partsTable = tables.rows('subqueries').length > 0 ? 'subqueries' : 'subquestions'
    this.#parts = Map.groupBy(groupById(tables.rows(partsTable), 'qid'), ([, [first]]) => first?.['parent_qid'] ?? '')
  }

  run(): ImportedSurvey {
    const drafting = this.#drafting
    const settings = this.#tables.rows('surveys_languagesettings')
    for (const group of sortGroups(groupById(this.#tables.rows('groups'), 'gid'), 'group_order')) this.#addGroup(group)
    const toText = (field: string, longest: number, at: string) =>
      drafting.text(this.#inLanguages(settings, 'surveyls_language', field), longest, at)
    return {
      title: toText('surveyls_title', 200, 'title'),
      intro: toText('surveyls_welcometext', 5000, 'welcome'),
      thanks: toText('surveyls_endtext', 5000, 'end'),
      definition: drafting.definition(),
      notes: drafting.notes,
    }
  }

  #inLanguages(rows: readonly RowFields[], language: string, field: string): TextByLanguage {
    return Object.fromEntries(rows.flatMap((row) => (row[field] ? [[row[language] || this.#own, row[field]] as const] : [])))
  }

  /** Texts of a row; since version 4 they are in a table of their own. */
  #findTexts(id: string, from: keyof typeof TEXT_TABLES, key: string, rows: readonly RowFields[], field: string): TextByLanguage {
    const apart = this.#tables.rowsWith(TEXT_TABLES[from], key, id)
    return this.#inLanguages(apart.length > 0 ? apart : rows, 'language', field)
  }

  #addGroup([gid, rows]: RowsById): void {
    const drafting = this.#drafting
    const at = `group ${gid}`
    const page = drafting.page(`g${gid}`, drafting.text(this.#findTexts(gid, 'groups', 'gid', rows, 'group_name'), 300, at))
    const intro = drafting.text(this.#findTexts(gid, 'groups', 'gid', rows, 'description'), 5000, at)
    if (Object.keys(intro).length > 0) page.intro = intro
    const showIf = drafting.condition(rows[0]?.['grelevance'] ?? '', at)
    if (showIf) page.showIf = showIf
    const inGroup = this.#questions.filter(([, each]) => each[0]?.['gid'] === gid && (each[0]['parent_qid'] ?? '0') === '0')
    for (const question of sortGroups(inGroup, 'question_order')) this.#addQuestion(this.#readQuestion(question))
  }

  #readQuestion([qid, rows]: RowsById): QuestionSource {
    const drafting = this.#drafting
    const [row = {}] = rows
    const name = row['title'] || `q${qid}`
    const help = drafting.text(this.#findTexts(qid, 'questions', 'qid', rows, 'help'), 2000, name)
    const showIf = drafting.condition(row['relevance'] ?? '', name)
    const common = {
      id: drafting.id(name),
      title: drafting.text(this.#findTexts(qid, 'questions', 'qid', rows, 'question'), 500, name),
      ...(Object.keys(help).length > 0 && { help }),
      ...(row['mandatory'] === 'Y' && { required: true as const }),
      ...(showIf && { showIf }),
    }
    return { qid, name, row, common }
  }

  #addQuestion(source: QuestionSource): void {
    const { name, common, row } = source
    const drafting = this.#drafting
    const type = row['type'] ?? ''
    switch (type) {
      case 'S':
        return drafting.add(name, { ...common, type: 'short_text' })
      case 'T':
      case 'U':
        return drafting.add(name, { ...common, type: 'long_text' })
      case 'L':
      case 'O':
      case '!':
      case 'M':
      case 'P':
      case 'R':
        return this.#addChoices(source, type)
      case 'Y':
        return drafting.add(name, { ...common, type: 'yes_no' })
      case 'N':
        return drafting.add(name, { ...common, type: 'number', ...this.#readBounds(source) })
      case 'D':
        return drafting.add(name, { ...common, type: 'date' })
      case '5':
        return drafting.add(name, { ...common, type: 'rating', look: 'numbers', scale: { max: 5 } })
      case '|':
        return drafting.add(name, { ...common, type: 'file', ...ANY_FILE, maxFiles: MAX_FILES })
      case 'X': {
        const { id, title, showIf } = common
        return drafting.add(name, { id, type: 'info', title, ...(showIf && { showIf }) })
      }
      case 'F':
      case 'H':
        return this.#addGrid(source, this.#listAnswerOptions(source))
      case 'A':
        return this.#addGrid(source, this.#createFixedOptions(['1', '2', '3', '4', '5']))
      case 'B':
        return this.#addGrid(source, this.#createFixedOptions(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']))
      case 'C':
        return this.#addGrid(source, YES_UNCERTAIN_NO)
      case 'E':
        return this.#addGrid(source, MORE_SAME_LESS)
      case ':':
        if (this.#getAttribute(source, 'multiflexible_checkbox') === '1')
          return this.#addGrid(source, this.#listSubquestions(source, '1'), 'matrix_several')
        return drafting.note('left-out', name, 'array of numbers')
      default:
        drafting.note('left-out', name, `type ${type}`)
    }
  }

  #addChoices(source: QuestionSource, type: 'L' | 'O' | '!' | 'M' | 'P' | 'R'): void {
    const { name, common, row } = source
    const drafting = this.#drafting
    const other = row['other'] === 'Y' ? [{ value: '-oth-', said: OTHER_LABEL, other: true }] : []
    if (type === 'R') {
      const answers = this.#listAnswerOptions(source)
      const { options, codes } = drafting.options(answers.length > 0 ? answers : this.#listSubquestions(source), name)
      return drafting.add(name, { ...common, type: 'ranking', options }, codes)
    }
    const several = type === 'M' || type === 'P'
    const listed = several ? this.#listSubquestions(source) : this.#listAnswerOptions(source)
    const { options, codes } = drafting.options([...listed, ...other], name)
    if (type === 'O' || type === 'P') drafting.note('setting-left-out', name, 'comment')
    if (several) return drafting.add(name, { ...common, type: 'several_choices', options }, codes)
    drafting.add(name, { ...common, type: type === '!' ? 'dropdown' : 'one_choice', options }, codes)
  }

  #addGrid(source: QuestionSource, columns: ListedOption[], type: 'matrix_one' | 'matrix_several' = 'matrix_one'): void {
    const { name, common } = source
    const { rows } = this.#drafting.rows(this.#listSubquestions(source), name)
    this.#drafting.add(name, { ...common, type, rows, columns: this.#drafting.rows(columns, name).rows })
  }

  #getAttribute({ qid }: QuestionSource, which: string): string {
    return this.#tables.rowsWith('question_attributes', 'qid', qid).find((each) => each['attribute'] === which)?.['value'] ?? ''
  }

  #readBounds(source: QuestionSource): { min?: number; max?: number } {
    const [min, max] = [this.#getAttribute(source, 'min_num_value_n'), this.#getAttribute(source, 'max_num_value_n')]
    return { ...(isNumber(min) && { min: Number(min) }), ...(isNumber(max) && { max: Number(max) }) }
  }

  #listAnswerOptions({ qid }: QuestionSource): ListedOption[] {
    const answers = sortGroups(groupById(this.#tables.rowsWith('answers', 'qid', qid), 'code'), 'sortorder')
    return answers.map(([value, rows]) => ({ value, said: this.#findTexts(rows[0]?.['aid'] ?? '', 'answers', 'aid', rows, 'answer') }))
  }

  #listSubquestions({ qid }: QuestionSource, scale = '0'): ListedOption[] {
    const parts = new Map(this.#parts.get(qid))
    const onScale = Array.from(parts.values(), ([first]) => first ?? {}).filter((row) => (row['scale_id'] ?? '0') === scale)
    return sortRows(onScale, 'question_order').map((row) => {
      const id = row['qid'] ?? ''
      return { value: row['title'] ?? '', said: this.#findTexts(id, 'questions', 'qid', parts.get(id) ?? [], 'question') }
    })
  }

  #createFixedOptions(values: readonly string[]): ListedOption[] {
    return values.map((value) => ({ value, said: { [this.#own]: value } }))
  }
}

const TEXT_TABLES = { groups: 'group_l10ns', questions: 'question_l10ns', answers: 'answer_l10ns' } as const
const OTHER_LABEL = { en: 'Other', 'fr-CA': 'Autre', cy: 'Arall' }
const YES_UNCERTAIN_NO = [
  { value: 'Y', said: { en: 'Yes', 'fr-CA': 'Oui', cy: 'Ydw' } },
  { value: 'U', said: { en: 'Uncertain', 'fr-CA': 'Incertain', cy: 'Ansicr' } },
  { value: 'N', said: { en: 'No', 'fr-CA': 'Non', cy: 'Nac ydw' } },
]
const MORE_SAME_LESS = [
  { value: 'I', said: { en: 'Increase', 'fr-CA': 'Augmenter', cy: 'Cynyddu' } },
  { value: 'S', said: { en: 'Same', 'fr-CA': 'Sans changement', cy: 'Yr un fath' } },
  { value: 'D', said: { en: 'Decrease', 'fr-CA': 'Diminuer', cy: 'Lleihau' } },
]

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text))

const findChild = (element: XmlElement, name: string) => element.children.find((each) => each.name === name)

/** The tables of the archive. Each is read once, and rows are looked up by index. */
class ArchiveTables {
  readonly #root: XmlElement
  readonly #tables = new Map<string, RowFields[]>()
  readonly #byField = new Map<string, Map<string, RowFields[]>>()

  constructor(root: XmlElement) {
    this.#root = root
  }

  rows(name: string): readonly RowFields[] {
    const known = this.#tables.get(name)
    if (known) return known
    const rows = findChild(findChild(this.#root, name) ?? this.#root, 'rows')?.children ?? []
    const read = rows.map((row) => Object.fromEntries(row.children.map((field) => [field.name, field.text])))
    this.#tables.set(name, read)
    return read
  }

  /** Rows with this value in the field. */
  rowsWith(name: string, field: string, value: string): readonly RowFields[] {
    const key = `${name}/${field}`
    const index = this.#byField.get(key) ?? Map.groupBy(this.rows(name), (row) => row[field] ?? '')
    this.#byField.set(key, index)
    return index.get(value) ?? []
  }
}
