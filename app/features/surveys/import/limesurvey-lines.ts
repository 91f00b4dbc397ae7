import { parse } from 'csv-parse/sync'
import { BeyondLimitsError } from './beyond-limits.ts'
import type { XmlElement } from './parse-xml.ts'

type Line = Readonly<Record<string, string>>

const MAX_LINES = 20_000
const HEADINGS = /^\uFEFF?(?:[^\t\n]*\t)*"?class"?\t"?type\/scale"?\t"?name"?\t/
/** Columns that every line has; all others are settings of questions. */
const OWN_COLUMNS: ReadonlySet<string> = new Set(
  'id related_id class type/scale name relevance text help language validation mandatory encrypted other default same_default same_script'.split(
    ' ',
  ),
)

/** Whether a text is a survey structure of LimeSurvey as lines of tab-separated values. */
export const isLimeSurveyLines = (text: string): boolean => HEADINGS.test(text.slice(0, text.search(/[\r\n]|$/)))

/**
 * The tables of an archive for a survey structure in lines (.txt, .tsv), as the manual of LimeSurvey describes it: `S` and `SL` are settings,
 * `G` groups, `Q` questions, `SQ` their parts and `A` their answers. The groups come once in each language; questions are known by name.
 * @throws {BeyondLimitsError}
 */
export function readLimeSurveyLines(text: string): XmlElement {
  const lines: Line[] = parse(text, {
    delimiter: '\t',
    columns: true,
    bom: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
  })
  if (lines.length > MAX_LINES) throw new BeyondLimitsError()
  const reader = new LineReader()
  for (const line of lines) reader.add(line)
  return reader.finish()
}

class LineReader {
  readonly #tables = new Map<string, Line[]>()
  readonly #settings: Record<string, string> = {}
  readonly #byLanguage = new Map<string, Record<string, string>>()
  /** How many groups there were in each language. */
  readonly #groups = new Map<string, number>()
  /** Numbers by what they stand for. */
  readonly #ids = new Map<string, number>()
  #gid = ''
  #qid = ''

  add(line: Line): void {
    const kind = readCell(line, 'class')
    const language = readCell(line, 'language')
    switch (kind) {
      case 'S':
        this.#settings[readCell(line, 'name')] = readCell(line, 'text')
        return
      case 'SL': {
        const known = this.#byLanguage.get(language) ?? { surveyls_language: language }
        this.#byLanguage.set(language, { ...known, [readCell(line, 'name')]: readCell(line, 'text') })
        return
      }
      case 'G':
        return this.#addGroup(line, language)
      case 'Q':
        return this.#addQuestion(line, language)
      case 'SQ':
        return this.#addPart(line, language)
      case 'A':
        return this.#addAnswer(line, language)
      default:
        // Nothing reads quotas and assessments from here, so that the report names them.
        return this.#push(kind || 'lines', line)
    }
  }

  #push(table: string, row: Line): void {
    const rows = this.#tables.get(table) ?? []
    rows.push(row)
    this.#tables.set(table, rows)
  }

  /** The same number for the same thing in every language. */
  #number(of: string): string {
    const known = this.#ids.get(of) ?? this.#ids.size + 1
    this.#ids.set(of, known)
    return String(known)
  }

  #addGroup(line: Line, language: string): void {
    const order = (this.#groups.get(language) ?? 0) + 1
    this.#groups.set(language, order)
    this.#gid = String(order)
    this.#push('groups', {
      gid: this.#gid,
      group_order: String(order),
      group_name: readCell(line, 'name'),
      description: readCell(line, 'text'),
      grelevance: readCell(line, 'relevance'),
      language,
    })
  }

  #addQuestion(line: Line, language: string): void {
    const name = readCell(line, 'name')
    this.#qid = this.#number(`Q ${name}`)
    const isKnown = this.#tables.get('questions')?.some((row) => row['qid'] === this.#qid) ?? false
    this.#push('questions', {
      qid: this.#qid,
      gid: this.#gid,
      parent_qid: '0',
      type: readCell(line, 'type/scale'),
      title: name,
      question: readCell(line, 'text'),
      help: readCell(line, 'help'),
      relevance: readCell(line, 'relevance'),
      preg: readCell(line, 'validation'),
      mandatory: readCell(line, 'mandatory'),
      other: readCell(line, 'other'),
      defaultvalue: readCell(line, 'default'),
      question_order: this.#qid,
      language,
    })
    for (const [attribute, value] of Object.entries(line))
      if (value && !OWN_COLUMNS.has(attribute))
        this.#push('question_attributes', { qid: this.#qid, attribute, value, ...(isKnown && { language }) })
  }

  #addPart(line: Line, language: string): void {
    const [title, scale] = [readCell(line, 'name'), readCell(line, 'type/scale') || '0']
    const qid = this.#number(`SQ ${this.#qid} ${scale} ${title}`)
    this.#push('subquestions', {
      qid,
      parent_qid: this.#qid,
      gid: this.#gid,
      title,
      scale_id: scale,
      question: readCell(line, 'text'),
      help: readCell(line, 'help'),
      relevance: readCell(line, 'relevance'),
      question_order: qid,
      language,
    })
  }

  #addAnswer(line: Line, language: string): void {
    const [code, scale] = [readCell(line, 'name'), readCell(line, 'type/scale') || '0']
    this.#push('answers', {
      qid: this.#qid,
      code,
      scale_id: scale,
      answer: readCell(line, 'text'),
      sortorder: this.#number(`A ${this.#qid} ${scale} ${code}`),
      assessment_value: readCell(line, 'relevance'),
      language,
    })
  }

  finish(): XmlElement {
    this.#push('surveys', this.#settings)
    for (const row of this.#byLanguage.values()) this.#push('surveys_languagesettings', row)
    const toElement = (name: string, text: string): XmlElement => ({ name, text, children: [] })
    const tables = Array.from(this.#tables, ([name, rows]): XmlElement => {
      const children = rows.map((row): XmlElement => {
        const fields = Object.entries(row).filter(([, value]) => value)
        return { name: 'row', text: '', children: fields.map(([field, value]) => toElement(field, value)) }
      })
      return { name, text: '', children: [{ name: 'rows', text: '', children }] }
    })
    return { name: 'document', text: '', children: tables }
  }
}

const readCell = (line: Line, name: string): string => (line[name] ?? '').trim()
