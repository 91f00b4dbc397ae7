import type { Condition } from '../questionnaire/conditions.schema.ts'
import { ANY_FILE, type FileKind, MAX_FILES, MAX_MEGABYTES } from '../questionnaire/question-types/files/file-kinds.ts'
import type { Question } from '../surveys.schema.ts'
import { LimeSurveyGrids } from './limesurvey-grids.ts'
import { toPlainText } from './import-texts.ts'
import { LimeSurveySource, nameItem, type PartRun, type QuestionSource } from './limesurvey-source.ts'
import { groupById, sortGroups, type RowsById } from './limesurvey-tables.ts'
import { OTHER_LABEL } from './own-labels.ts'
import { type OwnItem, MORE_SAME_LESS, COMMENT_LABEL, GENDERS, TYPE_NAMES, YES_UNCERTAIN_NO } from './limesurvey-words.ts'
import { convertPattern } from './convert-pattern.ts'
import type { ImportedElement } from './import.schema.ts'
import type { ListedItem } from './survey-draft-builder.ts'
import type { TrackedRecord } from './tracked-record.ts'

/** Converts the questions of a LimeSurvey archive, group by group. */
export class LimeSurveyQuestions extends LimeSurveySource {
  readonly #elements = new Map<string, ImportedElement>()
  readonly #grids = new LimeSurveyGrids(this)

  findElement(...ids: string[]): ImportedElement | undefined {
    return ids.map((id) => this.#elements.get(id)).find((element) => element !== undefined)
  }

  addGroup(gid: string, isHidden: boolean): void {
    for (const question of sortGroups(this.questionsIn(gid), 'question_order')) this.#addQuestion(question, isHidden)
  }

  #addQuestion([qid, rows]: RowsById, isHidden: boolean): void {
    const drafting = this.drafting
    const type = rows[0]?.text('type') ?? ''
    const name = rows[0]?.text('title') || `q${qid}`
    this.#elements.set(qid, drafting.open('question', name, TYPE_NAMES[type] ?? type))
    if (type === '*') this.#addEquation(qid, name, rows)
    const source = this.readSource(qid, name, rows)
    if (isHidden || source === 'hidden' || this.attribute(qid, 'hidden') === '1') return drafting.note('hidden', name)
    if (source.row.text('mandatory') === 'S') drafting.note('setting-left-out', 'mandatory: S')
    this.#addOfType(source, type)
  }

  /** Conditions may name what an equation calculates; it is not stored with the answers. */
  #addEquation(qid: string, name: string, rows: RowsById[1]): void {
    const [text = ''] = Object.values(this.findTexts(qid, 'questions', 'qid', rows, 'question'))
    const whole = /^\{([^{}]+)\}$/s.exec(toPlainText(text))?.[1]
    const parsed = whole === undefined ? undefined : this.drafting.parseCondition(whole)
    if (parsed) this.drafting.calculation([name, `${rows[0]?.text('sid')}X${rows[0]?.text('gid')}X${qid}`], parsed)
  }

  #addOfType(source: QuestionSource, type: string): void {
    const { common } = source
    switch (type) {
      case 'S':
      case 'T':
      case 'U':
        return this.#addText(source, type)
      case 'L':
      case 'O':
      case '!':
      case 'M':
      case 'P':
      case 'R':
      case 'G':
        return this.#addChoices(source, type)
      case 'Y':
        return this.add(source, { ...common, type: 'yes_no' })
      case 'N':
        return this.#addNumber(source)
      case 'D':
        return this.#addDate(source)
      case '5':
        return this.add(source, { ...common, type: 'rating', look: 'numbers', scale: { max: 5 } })
      case '|':
        return this.#addFile(source)
      case 'X': {
        const { help, id, title, showIf } = { ...common, ...this.drafting.titleAndHelp(source.said, source.helpSaid, 5000) }
        return this.add(source, { id, type: 'info', title, ...(help && { text: help }), ...(showIf && { showIf }) })
      }
      default:
        return this.#addGrid(source, type)
    }
  }

  #addGrid(source: QuestionSource, type: string): void {
    const grids = this.#grids
    switch (type) {
      case 'F':
        return grids.addMatrix(source, this.answerOptions(source.qid))
      case 'H':
        return grids.addMatrix(source, this.answerOptions(source.qid))
      case 'A':
        return grids.addMatrix(source, this.fixedOptions(5))
      case 'B':
        return grids.addMatrix(source, this.fixedOptions(10))
      case 'C':
        return grids.addMatrix(source, this.#ownItems(YES_UNCERTAIN_NO))
      case 'E':
        return grids.addMatrix(source, this.#ownItems(MORE_SAME_LESS))
      case '1':
        return grids.addDualScale(source)
      case ':':
        return this.attribute(source.qid, 'multiflexible_checkbox') === '1'
          ? grids.addMatrix(source, this.subquestions(source.qid, '1'), 'matrix_several')
          : grids.addCells(source, 'number')
      case ';':
        return grids.addCells(source, this.attribute(source.qid, 'numbers_only') === '1' ? 'number' : 'short_text')
      case 'Q':
        return grids.addParts(source, this.attribute(source.qid, 'numbers_only') === '1' ? 'number' : 'short_text')
      case 'K':
        return grids.addNumbers(source)
      default:
        this.drafting.note('left-out', TYPE_NAMES[type] ?? type)
    }
  }

  #ownItems(items: readonly OwnItem[]): ListedItem[] {
    return items.map(({ value, label }) => ({ value, said: this.drafting.ownLabel(label) }))
  }

  #addText(source: QuestionSource, type: 'S' | 'T' | 'U'): void {
    const { common, qid, row } = source
    if (type === 'S' && this.attribute(qid, 'location_mapservice') !== '' && this.attribute(qid, 'location_mapservice') !== '0')
      return this.add(source, { ...common, type: 'place' })
    if (this.attribute(qid, 'numbers_only') === '1') return this.#addNumber(source)
    const most = this.numberAttribute(qid, 'maximum_chars')
    const length = most !== undefined && most > 0 ? { maxLength: Math.min(type === 'S' ? 500 : 20_000, Math.round(most)) } : {}
    if (type !== 'S') return this.add(source, { ...common, type: 'long_text', ...length })
    const expression = row.text('preg')
    const pattern = expression ? convertPattern(expression) : undefined
    if (expression && pattern === undefined) this.drafting.note('setting-left-out', `preg: ${expression}`)
    this.add(source, { ...common, type: 'short_text', ...length, ...(pattern !== undefined && { pattern }) })
  }

  #addNumber(source: QuestionSource): void {
    const { common, qid } = source
    const unit = this.drafting.text(this.attributeTexts(qid, 'suffix'), 40)
    const [min, max] = [this.numberAttribute(qid, 'min_num_value_n'), this.numberAttribute(qid, 'max_num_value_n')]
    this.add(source, {
      ...common,
      type: 'number',
      ...(min !== undefined && { min }),
      ...(max !== undefined && { max }),
      ...(this.attribute(qid, 'num_value_int_only') !== '1' && { decimals: 2 }),
      ...(Object.keys(unit).length > 0 && { unit }),
    })
  }

  /** A format without a day is a time. */
  #addDate(source: QuestionSource): void {
    const { common, qid } = source
    const format = this.attribute(qid, 'date_format')
    if (format && !/[dy]/i.test(format)) return this.add(source, { ...common, type: 'time' })
    if (/h/i.test(format)) this.drafting.note('type-changed', format)
    const [earliest, latest] = [this.#readDay(qid, 'date_min', '01-01'), this.#readDay(qid, 'date_max', '12-31')]
    this.add(source, { ...common, type: 'date', ...(earliest && { earliest }), ...(latest && { latest }) })
  }

  #readDay(qid: string, name: string, inYear: string): string | undefined {
    const value = this.attribute(qid, name).trim()
    if (/^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))) return value
    if (/^\d{4}$/.test(value)) return `${value}-${inYear}`
    if (value) this.drafting.note('setting-left-out', `${name}: ${value}`)
    return undefined
  }

  #addFile(source: QuestionSource): void {
    const { common, qid } = source
    const kinds = Object.entries(KINDS_BY_EXTENSION).flatMap(([extensions, kind]) =>
      extensions.split(' ').some((each) => this.attribute(qid, 'allowed_filetypes').toLowerCase().includes(each)) ? [kind] : [],
    )
    const most = this.numberAttribute(qid, 'max_num_of_files') ?? 1
    const kilobytes = this.numberAttribute(qid, 'max_filesize') ?? 10_240
    this.add(source, {
      ...common,
      type: 'file',
      kinds: kinds.length > 0 ? kinds : ANY_FILE.kinds,
      maxFiles: Math.min(MAX_FILES, Math.max(1, Math.round(most))),
      maxMegabytes: Math.min(MAX_MEGABYTES, Math.max(1, Math.round(kilobytes / 1024))),
    })
  }

  #addChoices(source: QuestionSource, type: 'L' | 'O' | '!' | 'M' | 'P' | 'R' | 'G'): void {
    if (type === 'R') return this.#addRanking(source)
    if (type === 'M' || type === 'P') return this.#addSeveral(source, type)
    const { name, common, qid, sgqa } = source
    const drafting = this.drafting
    const listed = type === 'G' ? this.#ownItems(GENDERS) : this.answerOptions(qid)
    const items = listed.map((item) => ({ ...item, showIf: this.itemCondition(source, item) }))
    const { options, codes } = drafting.options([...items, ...this.#listOther(source)], 'listed')
    const shuffle = this.isShuffled(qid) && { shuffle: true }
    this.add(source, { ...common, options, ...shuffle, type: type === '!' ? 'dropdown' : 'one_choice' }, codes)
    const [asked, option] = [drafting.find(name), codes.get(OTHER_CODE)]
    if (asked && option !== undefined)
      for (const alias of [`${name}_other`, `${sgqa}other`]) drafting.name(alias, { ...asked, option, isOtherText: true })
    if (type === 'O') this.#addComment(source, common.showIf)
  }

  #addSeveral(source: QuestionSource, type: 'M' | 'P'): void {
    const { qid } = source
    const exclusive = this.attribute(qid, 'exclude_all_others')
      .split(/[;,]/)
      .map((code) => code.trim())
      .filter(Boolean)
    const counts = this.#readChoiceCounts(qid)
    const { required, ...rest } = source.common
    for (const run of this.eachRun(source)) {
      const isWhole = run.isFirst && run.isLast
      // What is asked of all parts together cannot be asked of several questions.
      if (run.isLast && !run.isFirst) {
        if (required) this.drafting.note('setting-left-out', 'mandatory: Y')
        for (const [name, value] of Object.entries(counts)) this.drafting.note('setting-left-out', `${COUNT_NAMES[name]}: ${value}`)
        if (exclusive.length > 0) this.drafting.note('setting-left-out', `exclude_all_others: ${exclusive.join(';')}`)
      }
      const common = run.isFirst ? rest : omitRequired(run.source.common)
      this.#addSeveralRun(
        { ...run, source: { ...run.source, common: { ...common, ...(isWhole && required && { required }) } } },
        { type, exclusive, counts: isWhole ? counts : {} },
      )
    }
  }

  #addSeveralRun(run: PartRun, { type, exclusive, counts }: SeveralRules): void {
    const drafting = this.drafting
    const { source } = run
    const { name, sgqa, qid } = source
    const listed = this.subquestions(qid, '0', run.codes)
    const items = listed.map((item) => ({
      ...item,
      showIf: this.itemCondition(source, item),
      ...(exclusive.includes(item.value) && { exclusive: true }),
    }))
    const { options, codes } = drafting.options([...items, ...(run.isLast ? this.#listOther(source) : [])])
    const showIf = this.runCondition(run, options)
    const { showIf: _showIf, ...common } = source.common
    const shuffle = this.isShuffled(qid) && { shuffle: true }
    const question: Question = { ...common, ...(showIf && { showIf }), options, ...shuffle, type: 'several_choices', ...counts }
    drafting.add(run.isFirst ? [name, sgqa] : [], question, codes)
    for (const [code, option] of codes) {
      const part = code === OTHER_CODE ? 'other' : code
      const isOther = code === OTHER_CODE && { isOtherText: true as const }
      for (const alias of [`${name}_${part}`, `${sgqa}${part}`]) drafting.name(alias, { question, codes, option, ...isOther })
    }
    if (type === 'P') for (const { value, said } of listed) this.#addOptionComment(source, { value, said }, codes.get(value))
  }

  #addRanking(source: QuestionSource): void {
    const { common, qid, name, sgqa } = source
    const answers = this.answerOptions(qid)
    const listed = answers.length > 0 ? answers : this.subquestions(qid)
    const { options, codes } = this.drafting.options(listed.map((item) => ({ ...item, showIf: this.itemCondition(source, item) })))
    const most = this.numberAttribute(qid, 'max_answers') ?? this.numberAttribute(qid, 'max_subquestions')
    this.add(
      source,
      {
        ...common,
        type: 'ranking',
        options,
        ...(this.isShuffled(qid) && { shuffle: true }),
        ...(most !== undefined && most > 0 && { maxRanked: Math.min(200, Math.round(most)) }),
      },
      codes,
    )
    const asked = this.drafting.find(name)
    if (!asked) return
    for (const [code, row] of codes) this.drafting.name(nameItem(name, code), { ...asked, row })
    for (let rank = 1; rank <= options.length; rank += 1)
      for (const alias of [`${name}_${rank}`, `${sgqa}${rank}`]) this.drafting.name(alias, { ...asked, rank })
  }

  #listOther({ qid, row }: QuestionSource): ListedItem[] {
    if (row.text('other') !== 'Y') return []
    const own = this.attributeTexts(qid, 'other_replace_text')
    return [{ value: OTHER_CODE, said: Object.keys(own).length > 0 ? own : this.drafting.ownLabel(OTHER_LABEL), other: true }]
  }

  #readChoiceCounts(qid: string) {
    const [min, max] = [this.numberAttribute(qid, 'min_answers'), this.numberAttribute(qid, 'max_answers')]
    return {
      ...(min !== undefined && min > 0 && { minChoices: Math.min(200, Math.round(min)) }),
      ...(max !== undefined && max > 0 && { maxChoices: Math.min(200, Math.round(max)) }),
    }
  }

  #addComment({ name, sgqa }: QuestionSource, showIf: Condition | undefined): void {
    const drafting = this.drafting
    const id = drafting.id(`${name}_comment`)
    const title = drafting.text(drafting.ownLabel(COMMENT_LABEL), 500)
    drafting.add([`${name}_comment`, `${sgqa}comment`], { id, type: 'long_text', title, ...(showIf && { showIf }) })
    drafting.note('split', 'comment')
  }

  /** The text beside an option becomes a question that is asked if the option was chosen. */
  #addOptionComment({ name, common, sgqa }: QuestionSource, { value, said }: ListedItem, option: string | undefined): void {
    if (option === undefined) return
    const drafting = this.drafting
    const id = drafting.id(`${name}_${value}comment`)
    const showIf: Condition = { question: common.id, is: 'any_of', options: [option] }
    drafting.add([`${name}_${value}comment`, `${sgqa}${value}comment`], { id, type: 'short_text', title: drafting.text(said, 500), showIf })
    drafting.note('split', `comment: ${value}`)
  }

  /** The test that a member of a quota stands for. */
  findQuotaTest(member: TrackedRecord): Condition | undefined {
    const name = this.questionName(member.text('qid'))
    const [code = '', value] = member.text('code').split('-')
    const asked = this.drafting.find(name)
    const option = asked?.codes.get(code) ?? (asked?.question.type === 'yes_no' ? (code === 'Y' ? 'yes' : 'no') : undefined)
    if (asked && option !== undefined && value === undefined) return { question: asked.question.id, is: 'any_of', options: [option] }
    const row = this.drafting.find(`${name}_${code}`)
    // An option in a later question, if parts that depend on each other were divided.
    if (row?.option !== undefined && value === undefined) return { question: row.question.id, is: 'any_of', options: [row.option] }
    const column = row?.codes.get(value ?? '')
    return row?.row !== undefined && column ? { question: row.question.id, row: row.row, is: 'any_of', options: [column] } : undefined
  }

  /** Whether all questions of a group are in one randomisation group. */
  isShuffledGroup(gid: string): boolean {
    const groups = this.questionsIn(gid).map(([qid]) => this.attribute(qid, 'random_group'))
    const [first = ''] = groups
    if (first && groups.length > 1 && groups.every((each) => each === first)) return true
    for (const each of new Set(groups)) if (each) this.drafting.note('setting-left-out', `random_group: ${each}`)
    return false
  }

  questionsIn(gid: string): RowsById[] {
    this.#byGroup ??= Map.groupBy(
      groupById(this.tables.rows('questions'), 'qid').filter(([, [row]]) => (row?.text('parent_qid') || '0') === '0'),
      ([, [row]]) => row?.text('gid') ?? '',
    )
    return this.#byGroup.get(gid) ?? []
  }
  #byGroup: Map<string, RowsById[]> | undefined
}

const OTHER_CODE = '-oth-'

interface SeveralRules {
  type: 'M' | 'P'
  /** Codes of parts that exclude all others. */
  exclusive: readonly string[]
  counts: { minChoices?: number; maxChoices?: number }
}

const COUNT_NAMES: Record<string, string> = { minChoices: 'min_answers', maxChoices: 'max_answers' }

const omitRequired = ({ required: _required, ...common }: QuestionSource['common']): QuestionSource['common'] => common

const KINDS_BY_EXTENSION: Record<string, FileKind> = {
  'png gif jpg jpeg webp': 'picture',
  pdf: 'pdf',
  'doc odt': 'document',
  'xls ods csv': 'sheet',
}
