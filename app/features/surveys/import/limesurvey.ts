import type { Definition } from '../surveys.schema.ts'
import type { ImportedElement } from './import.schema.ts'
import { ArchiveTables, findChild, groupById, isUnset, KEY_COLUMNS, LOOKS, type RowsById, sortGroups } from './limesurvey-tables.ts'
import { LimeSurveyQuestions } from './limesurvey-questions.ts'
import { readLimeSurveyLines } from './limesurvey-lines.ts'
import { parseXml } from './parse-xml.ts'
import { type ImportedSurvey, SurveyDraftBuilder, type TextRules } from './survey-draft-builder.ts'
import type { TrackedRecord } from './tracked-record.ts'

/** In LimeSurvey's texts a brace starts an expression unless a space follows it. */
const PIPING = /\{(?!\s)([^{}]{1,500})\}/g

/** What an archive holds: a survey (.lss), one of its groups (.lsg) or one question (.lsq). */
const ARCHIVES: ReadonlySet<string> = new Set(['Survey', 'Group', 'Question'])

/** Converts a LimeSurvey structure archive (versions 1.9 to 7). @throws {Error} if it is not one */
export function parseLimeSurvey(document: string, rules: TextRules): ImportedSurvey {
  const root = parseXml(document)
  const holds = findChild(root, 'LimeSurveyDocType')?.text.trim() ?? ''
  if (root.name !== 'document' || !ARCHIVES.has(holds)) throw new Error('Not a structure of LimeSurvey')
  return new ArchiveImport(new ArchiveTables(root), rules).run()
}

/** Converts a LimeSurvey survey structure in lines of tab-separated values. @throws {Error} if it is not one */
export const parseLimeSurveyLines = (text: string, rules: TextRules): ImportedSurvey =>
  new ArchiveImport(new ArchiveTables(readLimeSurveyLines(text)), rules).run()

class ArchiveImport {
  readonly #tables: ArchiveTables
  readonly #drafting: SurveyDraftBuilder
  readonly #questions: LimeSurveyQuestions
  readonly #groups = new Map<string, ImportedElement>()
  readonly #quotas = new Map<string, ImportedElement>()

  constructor(tables: ArchiveTables, rules: TextRules) {
    this.#tables = tables
    this.#drafting = new SurveyDraftBuilder(rules, PIPING)
    const own = tables.rows('surveys')[0]?.text('language') || tables.firstLanguage || rules.fallback
    this.#questions = new LimeSurveyQuestions(tables, this.#drafting, own)
  }

  run(): ImportedSurvey {
    const drafting = this.#drafting
    const settings = this.#tables.rows('surveys_languagesettings')
    const [survey] = drafting.elements
    const toText = (field: string, longest: number) =>
      drafting.text(this.#questions.inLanguages(settings, 'surveyls_language', field), longest)
    const title = toText('surveyls_title', 200)
    const intro = toText('surveyls_welcometext', 5000)
    const description = toText('surveyls_description', 5000)
    const thanks = toText('surveyls_endtext', 5000)
    for (const group of this.#listGroups()) this.#addGroup(group)
    const quotas = this.#readQuotas()
    if (survey) this.#reportUnread(survey)
    const imported = drafting.finish({ title, intro: Object.keys(intro).length > 0 ? intro : description, thanks })
    return quotas.quotas.length > 0 ? { ...imported, definition: { ...imported.definition, ...quotas } } : imported
  }

  /** A question by itself names a group that is not in the file. */
  #listGroups(): RowsById[] {
    const groups = sortGroups(groupById(this.#tables.rows('groups'), 'gid'), 'group_order')
    if (groups.length > 0) return groups
    return groupById(this.#tables.rows('questions'), 'gid').map(([gid]): RowsById => [gid, []])
  }

  #addGroup([gid, rows]: RowsById): void {
    const drafting = this.#drafting
    const questions = this.#questions
    const name = questions.findTexts(gid, 'groups', 'gid', rows, 'group_name')
    this.#groups.set(gid, drafting.open('page', Object.values(name)[0] ?? gid, 'group'))
    const hasOwnPage = drafting.hasRoomForPage
    const page = drafting.page(`g${gid}`, drafting.text(name, 300))
    const intro = drafting.text(questions.findTexts(gid, 'groups', 'gid', rows, 'description'), 5000)
    if (Object.keys(intro).length > 0) page.intro = intro
    const showIf = drafting.condition(rows[0]?.text('grelevance') ?? '')
    if (showIf === false) drafting.note('hidden', rows[0]?.text('grelevance') ?? '')
    if (showIf && hasOwnPage) page.showIf = showIf
    else if (showIf) drafting.note('condition-left-out', rows[0]?.text('grelevance') ?? '')
    if (questions.isShuffledGroup(gid)) page.shuffle = true
    questions.addGroup(gid, showIf === false)
  }

  /** A quota of zero or of several members that we cannot express is named. */
  #readQuotas(): { quotas: NonNullable<Definition['quotas']>; endings: NonNullable<Definition['endings']> } {
    const quotas: NonNullable<Definition['quotas']> = []
    const endings: NonNullable<Definition['endings']> = []
    for (const row of this.#tables.rows('quota')) {
      const id = row.text('id')
      const name = row.text('name')
      this.#quotas.set(id, this.#drafting.open('quota', name, 'quota'))
      const members = this.#tables.rowsWith('quota_members', 'quota_id', id)
      const tests = members.map((member) => this.#questions.findQuotaTest(member))
      const limit = row.number('qlimit') ?? 0
      const known = tests.filter((test) => test !== undefined)
      if (limit < 1 || known.length === 0 || known.length < tests.length || row.text('active') === '0' || quotas.length >= 20) {
        this.#drafting.note('left-out', `${name}: ${row.text('qlimit')}`)
        continue
      }
      // Members about the same question are alternatives.
      const byQuestion = [...Map.groupBy(known, (test) => ('question' in test ? test.question : '')).values()]
      const parts = byQuestion.flatMap(([first, ...more]) => (first ? [more.length > 0 ? { any: [first, ...more] } : first] : []))
      const [only] = parts
      if (!only) continue
      const message = this.#questions.inLanguages(
        this.#tables.rowsWith('quota_languagesettings', 'quotals_quota_id', id),
        'quotals_language',
        'quotals_message',
      )
      const end = this.#drafting.id(`full_${id}`)
      endings.push({ id: end, title: this.#drafting.text(message, 300) })
      quotas.push({ id: this.#drafting.id(`quota_${id}`), when: parts.length > 1 ? { all: parts } : only, limit, end })
    }
    return { quotas, endings }
  }

  /** Names everything in the archive that nothing has read. */
  #reportUnread(survey: ImportedElement): void {
    const said = new Map<ImportedElement, Set<string>>()
    for (const table of this.#tables.names) {
      for (const row of this.#tables.rows(table)) {
        const element = this.#findElement(table, row) ?? survey
        const known = said.get(element) ?? new Set<string>()
        said.set(element, known)
        const unread = listUnreadColumns(table, row).filter(({ name, value }) => !known.has(`${name} ${value}`))
        for (const { name, value } of unread) known.add(`${name} ${value}`)
        this.#drafting.noteUnread(element, unread, LOOKS)
      }
    }
  }

  #findElement(table: string, row: TrackedRecord): ImportedElement | undefined {
    if (table === 'quota') return this.#quotas.get(row.text('id'))
    if (table.startsWith('quota')) return this.#quotas.get(row.text('quota_id') || row.text('quotals_quota_id'))
    return this.#questions.findElement(row.text('parent_qid'), row.text('qid')) ?? this.#groups.get(row.text('gid'))
  }
}

function listUnreadColumns(table: string, row: TrackedRecord): { name: string; value: string }[] {
  row.skip(KEY_COLUMNS)
  const attribute = row.text('attribute')
  return row.listUnread().flatMap((unread) => {
    const name = table === 'question_attributes' && unread.name === 'value' ? attribute : unread.name
    const value = String(unread.value).trim()
    return isUnset(name, value) ? [] : [{ name, value }]
  })
}
