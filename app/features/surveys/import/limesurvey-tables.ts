import type { XmlElement } from './parse-xml.ts'
import { TrackedRecord } from './tracked-record.ts'

export type RowsById = [id: string, rows: TrackedRecord[]]

export const groupById = (rows: readonly TrackedRecord[], id: string): RowsById[] => [...Map.groupBy(rows, (row) => row.text(id))]

export const sortGroups = (groups: readonly RowsById[], by: string): RowsById[] =>
  groups.toSorted(([, a], [, b]) => Number(a[0]?.text(by) || 0) - Number(b[0]?.text(by) || 0))

export const findChild = (element: XmlElement, name: string) => element.children.find((each) => each.name === name)

/** Tables whose rows come once per language, with the key of what they describe. What one language's row was read for counts for all. */
const ROWS_PER_LANGUAGE: Record<string, string> = { groups: 'gid', questions: 'qid', subquestions: 'qid', subqueries: 'qid' }

/** The tables of the archive. Each is read once, and rows are looked up by index. */
export class ArchiveTables {
  readonly #root: XmlElement
  readonly #tables = new Map<string, TrackedRecord[]>()
  readonly #byField = new Map<string, Map<string, TrackedRecord[]>>()

  constructor(root: XmlElement) {
    this.#root = root
  }

  /** Names of the tables in the file. */
  get names(): string[] {
    return this.#root.children.filter((table) => findChild(table, 'rows')).map(({ name }) => name)
  }

  /** The first language that the archive lists. */
  get firstLanguage(): string {
    return findChild(this.#root, 'languages')?.children[0]?.text.trim() ?? ''
  }

  rows(name: string): readonly TrackedRecord[] {
    const known = this.#tables.get(name)
    if (known) return known
    const rows = findChild(findChild(this.#root, name) ?? { name, text: '', children: [] }, 'rows')?.children ?? []
    const key = ROWS_PER_LANGUAGE[name]
    const sets = new Map<string, Set<string>>()
    const records = rows.map((row) => {
      const fields = Object.fromEntries(row.children.map((field) => [field.name, field.text]))
      const read = key === undefined ? new Set<string>() : (sets.get(fields[key] ?? '') ?? new Set<string>())
      if (key !== undefined) sets.set(fields[key] ?? '', read)
      return new TrackedRecord(fields, read)
    })
    this.#tables.set(name, records)
    return records
  }

  /** Rows with this value in the field. */
  rowsWith(name: string, field: string, value: string): readonly TrackedRecord[] {
    const key = `${name}/${field}`
    const index = this.#byField.get(key) ?? Map.groupBy(this.rows(name), (row) => row.text(field))
    this.#byField.set(key, index)
    return index.get(value) ?? []
  }
}

/** Columns that tie the archive's tables together, or order their rows. */
export const KEY_COLUMNS: readonly string[] = `
  id sid gid qid aid cid cqid qaid dvid sqid parent_qid quota_id gsid scale_id owner_id quotals_id quotals_quota_id
  quotals_language surveyls_survey_id surveyls_language language specialtype question_order group_order sortorder modulename
  tokenlength active admin adminemail
`
  .trim()
  .split(/\s+/)

/** Settings that only change how a survey looks or is evaluated there. */
export const LOOKS: ReadonlySet<string> = new Set(
  `
  answer_width category_separator choice_title crop_or_resize cssclass display_columns display_rows display_type dropdown_dates
  dropdown_dates_year_max dropdown_dates_year_min dropdown_prefix dropdown_prepostfix dropdown_separators dropdown_size fix_height
  fix_width hide_tip horizontal_scroll input_boxes input_size keep_aspect label_input_columns page_break printable_help
  public_statistics question_template question_theme_name rank_title repeat_headings reverse samechoiceheight samelistheight
  save_as_default scale_export showpopups show_grand_total show_totals slider_custom_handle slider_handle slider_middlestart
  slider_orientation slider_reset slider_reversed slider_separator slider_showminmax statistics_graphtype statistics_showgraph
  statistics_showmap text_input_columns text_input_width use_dropdown visualize template showgroupinfo showqnumcode showprogress
  showwelcome showxquestions shownoanswer questionindex format surveyls_dateformat surveyls_numberformat array_filter_style
`
    .trim()
    .split(/\s+/),
)

/** Values that LimeSurvey writes if nobody has set anything. */
const UNSET_VALUES: ReadonlySet<string> = new Set(['', '0', 'N', 'I', 'inherit', '-1', 'no', 'default', 'a:0:{}'])
const UNSET_BY_NAME: Record<string, readonly string[]> = {
  assessment_value: ['1'],
  autonumber_start: ['1'],
  autocompleteanswer_ajax: ['1'],
  date_format: [''],
  display_columns: ['1'],
  fix_height: ['200'],
  htmlemail: ['Y'],
  location_mapheight: ['300'],
  location_mapwidth: ['500'],
  location_mapzoom: ['11'],
  method: ['=='],
  num_value_int_only: ['0'],
  other_position: ['default', 'end'],
  relevance: ['1'],
  grelevance: ['1'],
  show_totals: ['X'],
  slider_separator: ['|'],
  statistics_showgraph: ['1'],
  statistics_showmap: ['1'],
  time_limit_action: ['1'],
  value_range_allows_missing: ['1'],
}

export const isUnset = (name: string, value: string): boolean =>
  UNSET_VALUES.has(value.trim()) || (UNSET_BY_NAME[name]?.includes(value.trim()) ?? false)
