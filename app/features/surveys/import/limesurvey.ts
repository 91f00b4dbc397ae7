import type { Language } from '#app/lib/languages.ts'
import { ANY_FILE, MAX_FILES } from '../questionnaire/question-types/files/file-kinds.ts'
import { SurveyDraftBuilder, type ImportedSurvey } from './survey-draft-builder.ts'
import { parseXml, type XmlElement } from './parse-xml.ts'

type RowFields = Record<string, string>
type TextByLanguage = Record<string, string>

/** Converts a LimeSurvey structure archive (.lss, versions 2 to 6). @throws {Error} if it is not one */
export function parseLimeSurvey(document: string, fallback: Language): ImportedSurvey {
  const root = parseXml(document)
  if (root.name !== 'document' || findChild(root, 'LimeSurveyDocType')?.text.trim() !== 'Survey') throw new Error('Not a LimeSurvey survey')
  const tables = new ArchiveTables(root)
  const settings = tables.rows('surveys_languagesettings')
  const drafting = new SurveyDraftBuilder()
  const own = tables.rows('surveys')[0]?.['language'] || fallback
  const inLanguages = (rows: readonly RowFields[], language: string, field: string): TextByLanguage =>
    Object.fromEntries(rows.flatMap((row) => (row[field] ? [[row[language] || own, row[field]] as const] : [])))
  const sortRows = (rows: readonly RowFields[], by: string) => rows.toSorted((a, b) => Number(a[by] ?? 0) - Number(b[by] ?? 0))
  const byId = (rows: readonly RowFields[], id: string) => [...Map.groupBy(rows, (row) => row[id] ?? '')]

  const findTexts = (
    id: string,
    from: 'groups' | 'questions' | 'answers',
    key: string,
    rows: readonly RowFields[],
    field: string,
  ): TextByLanguage => {
    const apart = tables.rowsWith(`${{ groups: 'group', questions: 'question', answers: 'answer' }[from]}_l10ns`, key, id)
    return inLanguages(apart.length > 0 ? apart : rows, 'language', field)
  }

  const questions = byId(tables.rows('questions'), 'qid')
  const partsTable = tables.rows('subqueries').length > 0 ? 'subqueries' : 'subquestions'
  const parts = Map.groupBy(byId(tables.rows(partsTable), 'qid'), ([, [first]]) => first?.['parent_qid'] ?? '')
  const groups = byId(tables.rows('groups'), 'gid').toSorted(
    ([, a], [, b]) => Number(a[0]?.['group_order'] ?? 0) - Number(b[0]?.['group_order'] ?? 0),
  )

  for (const [gid, rows] of groups) {
    const title = findTexts(gid, 'groups', 'gid', rows, 'group_name')
    const page = drafting.page(`g${gid}`, drafting.text(title, 300, `group ${gid}`))
    const intro = drafting.text(findTexts(gid, 'groups', 'gid', rows, 'description'), 5000, `group ${gid}`)
    if (Object.keys(intro).length > 0) page.intro = intro
    const showIf = drafting.condition(rows[0]?.['grelevance'] ?? '', `group ${gid}`)
    if (showIf) page.showIf = showIf
    const inGroup = questions.filter(([, each]) => each[0]?.['gid'] === gid && (each[0]['parent_qid'] ?? '0') === '0')
    for (const [qid, each] of inGroup.toSorted(
      ([, a], [, b]) => Number(a[0]?.['question_order'] ?? 0) - Number(b[0]?.['question_order'] ?? 0),
    ))
      addQuestion(qid, each)
  }
  return {
    title: drafting.text(inLanguages(settings, 'surveyls_language', 'surveyls_title'), 200, 'title'),
    intro: drafting.text(inLanguages(settings, 'surveyls_language', 'surveyls_welcometext'), 5000, 'welcome'),
    thanks: drafting.text(inLanguages(settings, 'surveyls_language', 'surveyls_endtext'), 5000, 'end'),
    definition: drafting.definition(),
    notes: drafting.notes,
  }

  function addQuestion(qid: string, rows: readonly RowFields[]): void {
    const [first = {}] = rows
    const name = first['title'] || `q${qid}`
    const type = first['type'] ?? ''
    const help = drafting.text(findTexts(qid, 'questions', 'qid', rows, 'help'), 2000, name)
    const showIf = drafting.condition(first['relevance'] ?? '', name)
    const getAttribute = (which: string) =>
      tables.rowsWith('question_attributes', 'qid', qid).find((each) => each['attribute'] === which)?.['value'] ?? ''
    const common = {
      id: drafting.id(name),
      title: drafting.text(findTexts(qid, 'questions', 'qid', rows, 'question'), 500, name),
      ...(Object.keys(help).length > 0 && { help }),
      ...(first['mandatory'] === 'Y' && { required: true }),
      ...(showIf && { showIf }),
    }
    const other = first['other'] === 'Y' ? [{ value: '-oth-', said: { en: 'Other', 'fr-CA': 'Autre', cy: 'Arall' }, other: true }] : []
    const listAnswerOptions = () => {
      const own = byId(tables.rowsWith('answers', 'qid', qid), 'code').toSorted(
        ([, a], [, b]) => Number(a[0]?.['sortorder'] ?? 0) - Number(b[0]?.['sortorder'] ?? 0),
      )
      return own.map(([value, each]) => ({ value, said: findTexts(each[0]?.['aid'] ?? '', 'answers', 'aid', each, 'answer') }))
    }
    const listSubquestions = (scale = '0') => {
      const own = new Map(parts.get(qid))
      return sortRows(
        Array.from(own.values(), ([first]) => first ?? {}).filter((each) => (each['scale_id'] ?? '0') === scale),
        'question_order',
      ).map((each) => ({
        value: each['title'] ?? '',
        said: findTexts(each['qid'] ?? '', 'questions', 'qid', own.get(each['qid'] ?? '') ?? [], 'question'),
      }))
    }
    const createFixedOptions = (values: readonly string[]) => values.map((value) => ({ value, said: { [own]: value } }))
    const addGrid = (columns: { value: string; said: TextByLanguage }[], several = false) =>
      drafting.add(name, {
        ...common,
        type: several ? 'matrix_several' : 'matrix_one',
        rows: drafting.rows(listSubquestions(), name).rows,
        columns: drafting.rows(columns, name).rows,
      })
    switch (type) {
      case 'S':
        return drafting.add(name, { ...common, type: 'short_text' })
      case 'T':
      case 'U':
        return drafting.add(name, { ...common, type: 'long_text' })
      case 'L':
      case 'O':
      case '!': {
        const { options, codes } = drafting.options([...listAnswerOptions(), ...other], name)
        if (type === 'O') drafting.note('setting-left-out', name, 'comment')
        return drafting.add(name, { ...common, type: type === '!' ? 'dropdown' : 'one_choice', options }, codes)
      }
      case 'M':
      case 'P': {
        const { options, codes } = drafting.options([...listSubquestions(), ...other], name)
        if (type === 'P') drafting.note('setting-left-out', name, 'comment')
        return drafting.add(name, { ...common, type: 'several_choices', options }, codes)
      }
      case 'R': {
        const { options, codes } = drafting.options(listAnswerOptions().length > 0 ? listAnswerOptions() : listSubquestions(), name)
        return drafting.add(name, { ...common, type: 'ranking', options }, codes)
      }
      case 'Y':
        return drafting.add(name, { ...common, type: 'yes_no' })
      case 'N': {
        const [min, max] = [getAttribute('min_num_value_n'), getAttribute('max_num_value_n')]
        return drafting.add(name, {
          ...common,
          type: 'number',
          ...(isNumber(min) && { min: Number(min) }),
          ...(isNumber(max) && { max: Number(max) }),
        })
      }
      case 'D':
        return drafting.add(name, { ...common, type: 'date' })
      case '5':
        return drafting.add(name, { ...common, type: 'rating', look: 'numbers', scale: { max: 5 } })
      case '|':
        return drafting.add(name, { ...common, type: 'file', ...ANY_FILE, maxFiles: MAX_FILES })
      case 'X':
        return drafting.add(name, { id: common.id, type: 'info', title: common.title, ...(showIf && { showIf }) })
      case 'F':
      case 'H':
        return addGrid(listAnswerOptions())
      case 'A':
        return addGrid(createFixedOptions(['1', '2', '3', '4', '5']))
      case 'B':
        return addGrid(createFixedOptions(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']))
      case 'C':
        return addGrid(YES_UNCERTAIN_NO)
      case 'E':
        return addGrid(MORE_SAME_LESS)
      case ':':
        if (getAttribute('multiflexible_checkbox') === '1') return addGrid(listSubquestions('1'), true)
        return drafting.note('left-out', name, 'array of numbers')
      default:
        drafting.note('left-out', name, `type ${type}`)
    }
  }
}

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
