import type { Answer, QuestionType } from '#app/features/surveys/surveys.schema.ts'
import type { Language } from '#app/lib/languages.ts'
import {
  evaluateFormula,
  type Formula,
  isRelevant,
  listConstants,
  listNames,
  type NameReader,
  parseFormula,
  type Value,
} from './expression-manager.ts'
import { type Archive, markAnswer, markArchive, readFirstLanguage, type Row } from './limesurvey-file.ts'
import { writeOldConditions } from './limesurvey-old-conditions.ts'
import {
  type Filled,
  type Place,
  placeLanguages,
  type SourceCondition,
  type SourceItem,
  type SourceQuestion,
  type SourceSurvey,
  UnjudgedError,
} from './source-survey.ts'

const SINGLE: Record<string, readonly QuestionType[]> = {
  S: ['short_text', 'number', 'place', 'email', 'phone'],
  T: ['long_text', 'short_text', 'number'],
  U: ['long_text'],
  L: ['one_choice'],
  O: ['one_choice'],
  '!': ['dropdown', 'one_choice'],
  G: ['one_choice'],
  Y: ['yes_no'],
  N: ['number', 'slider'],
  D: ['date', 'time'],
  '5': ['rating', 'scale'],
  '|': ['file'],
  X: ['info'],
}
const OF_PARTS: Record<string, readonly QuestionType[]> = {
  M: ['several_choices'],
  P: ['several_choices'],
  R: ['ranking'],
  F: ['matrix_one'],
  H: ['matrix_one'],
  A: ['matrix_one'],
  B: ['matrix_one'],
  C: ['matrix_one'],
  E: ['matrix_one'],
  '1': ['matrix_one'],
  ':': ['number', 'matrix_several', 'matrix_one', 'dropdown', 'info'],
  ';': ['short_text', 'number', 'info'],
  Q: ['short_text', 'number', 'info'],
  K: ['number', 'slider', 'budget', 'info'],
}
/** Never seen: an equation, and the choice of a language. */
const UNSEEN = new Set(['*', 'I'])

interface Variable {
  question: SourceQuestion
  item?: SourceItem
  read: (filled: Filled) => Value
}

/** A structure archive of LimeSurvey as something to judge an import by. */
export class LimeSurveySource implements SourceSurvey {
  readonly marked: Uint8Array
  readonly choices: Record<string, Language | ''>
  readonly questions: SourceQuestion[] = []
  readonly #archive: Archive
  readonly #languages: Map<string, Language>
  readonly #own: string
  /** By the names that expressions use. */
  readonly #variables = new Map<string, Variable>()
  /** The names of each question's parts. */
  readonly #parts = new Map<string, string[]>()
  /** What rankings offer. */
  readonly #ranked = new Map<string, readonly SourceItem[]>()
  readonly #parsed = new Map<string, Formula>()
  readonly #equations = new Map<SourceQuestion, string>()

  constructor(archive: Archive) {
    this.#archive = archive
    this.marked = markArchive(archive)
    const [survey = {}] = this.#rows('surveys')
    this.#own = survey['language'] || readFirstLanguage(archive)
    const names = [this.#own, ...(survey['additional_languages'] ?? '').split(/\s+/)].filter(Boolean)
    this.#languages = placeLanguages([...new Set(names)])
    const known = ['groups', 'group_l10ns', 'questions', 'question_l10ns', 'surveys_languagesettings'].flatMap((table) =>
      this.#rows(table).map((row) => row['language'] ?? row['surveyls_language'] ?? ''),
    )
    this.choices = Object.fromEntries([...new Set([...names, ...known])].map((name) => [name, this.#languages.get(name) ?? '']))
    // A question by itself is in no group.
    const listed = this.#rows('groups')
    const groups = [
      ...new Map((listed.length > 0 ? listed : this.#rows('questions').slice(0, 1)).map((row) => [row['gid'] ?? '', row])).values(),
    ]
    for (const group of groups.sort((a, b) => Number(a['group_order']) - Number(b['group_order']))) this.#addGroup(group)
  }

  #rows(table: string): readonly Row[] {
    return this.#archive.get(table) ?? []
  }

  /** Rows once, and not once a language. */
  #distinct(rows: readonly Row[], key: string, order: string): Row[] {
    const first = new Map<string, Row>()
    for (const row of rows) if (!first.has(row[key] ?? '')) first.set(row[key] ?? '', row)
    return [...first.values()].sort((a, b) => Number(a[order]) - Number(b[order]))
  }

  #addGroup(group: Row): void {
    const gid = group['gid'] ?? ''
    const around = this.#createConditions(group['grelevance'], 'page', `g ${gid}`)
    const inside = this.#rows('questions').filter((row) => row['gid'] === gid && (row['parent_qid'] || '0') === '0')
    for (const row of this.#distinct(inside, 'qid', 'question_order')) this.#addQuestion(row, around)
  }

  #createConditions(text: string | undefined, of: SourceCondition['of'], at: string, code?: string): SourceCondition[] {
    const rule = (text ?? '').trim()
    return rule === '' || rule === '1' ? [] : [{ text: rule, of, at, ...(code !== undefined && { code, within: at }) }]
  }

  #addQuestion(row: Row, around: readonly SourceCondition[]): void {
    const [qid = '', name = '', type = ''] = [row['qid'], row['title'], row['type']]
    const own = this.#createConditions(this.#findRelevance(row), 'question', name).map((each) => ({
      ...each,
      isReworded: each.text !== row['relevance']?.trim(),
    }))
    const conditions = [...around, ...own]
    const attribute = (wanted: string) => this.#findAttribute(qid, wanted)
    const isNever = conditions.some(({ text }) => text === '0')
    const [parts, across] = [this.#listParts(qid, name, '0'), this.#listParts(qid, name, '1')]
    const answers = ['0', '1'].map((scale) => this.#listAnswers(qid, scale, type === 'R' ? name : undefined))
    const question: SourceQuestion = {
      mark: `q ${qid}`,
      name,
      type,
      fits: SINGLE[type] ?? OF_PARTS[type] ?? [],
      isInFile: true,
      isCrossed: (type === ':' && attribute('multiflexible_checkbox') !== '1') || type === ';',
      isAsked: !UNSEEN.has(type) && attribute('hidden') !== '1' && !isNever,
      lists: type === 'R' ? [answers[0]?.length ? answers[0] : parts] : [parts, across, ...answers],
      conditions,
      languages: this.#listLanguages('questions', 'question_l10ns', 'qid', qid, 'question'),
    }
    this.questions.push(question)
    if (type === '*') this.#equations.set(question, this.#findText('questions', 'question_l10ns', 'qid', qid, 'question'))
    const sgqa = `${row['sid']}X${row['gid']}X${qid}`
    this.#nameVariables(question, [name, sgqa], { parts, across, isCheckboxes: attribute('multiflexible_checkbox') === '1' })
  }

  #findAttribute(qid: string, wanted: string): string {
    return this.#rows('question_attributes').find((each) => each['qid'] === qid && each['attribute'] === wanted)?.['value'] ?? ''
  }

  /** A part is shown only if the part of another question with its code is answered; parts that it lacks are not filtered. */
  #listFilters(qid: string, code: string): string[] {
    return ['array_filter', 'array_filter_exclude'].flatMap((attribute) => {
      const from = this.#findAttribute(qid, attribute).trim()
      const isFilter = attribute === 'array_filter'
      const ranked = this.#ranked.get(from)
      if (ranked) {
        const ranks = ranked.map((_, index) => `${from}_${index + 1}.NAOK ${isFilter ? '==' : '!='} "${code}"`)
        return ranked.some((item) => item.code === code) ? [ranks.join(isFilter ? ' or ' : ' and ')] : []
      }
      return this.#variables.has(`${from}_${code}`) ? [`${from}_${code}.NAOK ${isFilter ? '!=' : '=='} ""`] : []
    })
  }

  #listParts(qid: string, name: string, scale: string): SourceItem[] {
    const rows = ['subquestions', 'subqueries', 'questions']
      .map((table) => this.#rows(table).filter((row) => row['parent_qid'] === qid && (row['scale_id'] || '0') === scale))
      .find((found) => found.length > 0)
    return this.#distinct(rows ?? [], 'qid', 'question_order').map((row): SourceItem => {
      const [code = '', id = ''] = [row['title'], row['qid']]
      const rules = [row['relevance'], ...this.#listFilters(qid, code)]
      const conditions = rules.flatMap((rule) => this.#createConditions(rule, 'item', name, code))
      const languages = this.#listLanguages('subquestions', 'question_l10ns', 'qid', id, 'question')
      return { mark: `q ${id}`, code, languages, conditions }
    })
  }

  /** @param filtered the name of a question whose answers can be filtered */
  #listAnswers(qid: string, scale: string, filtered?: string): SourceItem[] {
    const rows = this.#rows('answers').filter((row) => row['qid'] === qid && (row['scale_id'] || '0') === scale)
    return this.#distinct(rows, 'code', 'sortorder').map((row): SourceItem => {
      const said = row['aid'] ? this.#rows('answer_l10ns').filter((each) => each['aid'] === row['aid']) : []
      const texts = said.length > 0 ? said : rows.filter((each) => each['code'] === row['code'])
      const code = row['code'] ?? ''
      const rules = filtered === undefined ? [] : this.#listFilters(qid, code)
      const conditions = rules.flatMap((rule) => this.#createConditions(rule, 'item', filtered ?? '', code))
      return { mark: markAnswer(row), code, conditions, languages: this.#readLanguages(texts, 'answer') }
    })
  }

  #listTexts(table: string, apart: string, key: string, id: string): readonly Row[] {
    const said = this.#rows(apart).filter((row) => row[key] === id)
    if (said.length > 0) return said
    return [table, 'subqueries'].flatMap((each) => this.#rows(each).filter((row) => row[key] === id))
  }

  #listLanguages(table: string, apart: string, key: string, id: string, field: string): Language[] {
    return this.#readLanguages(this.#listTexts(table, apart, key, id), field)
  }

  #findText(table: string, apart: string, key: string, id: string, field: string): string {
    return this.#listTexts(table, apart, key, id)[0]?.[field] ?? ''
  }

  #readLanguages(rows: readonly Row[], field: string): Language[] {
    return rows.flatMap((row) => {
      const language = this.#languages.get(row['language'] || this.#own)
      return language && row[field]?.trim() ? [language] : []
    })
  }

  /** Its relevance; in old files what its rows in the table of conditions mean. */
  #findRelevance(row: Row): string {
    const relevance = row['relevance']?.trim() ?? ''
    const conditions = this.#rows('conditions').filter((each) => each['qid'] === row['qid'])
    if ((relevance !== '' && relevance !== '1') || conditions.length === 0) return relevance
    return writeOldConditions(conditions, (qid) => this.#rows('questions').find((each) => each['qid'] === qid)?.['type'] ?? '')
  }

  #nameVariables(
    question: SourceQuestion,
    names: readonly string[],
    { parts, across, isCheckboxes }: { parts: readonly SourceItem[]; across: readonly SourceItem[]; isCheckboxes: boolean },
  ): void {
    const { type, mark } = question
    const [name = '', sgqa = ''] = names
    const add = (part: string, old: string, read: Variable['read'], item?: SourceItem) => {
      for (const each of [part ? `${name}_${part}` : name, `${sgqa}${old}`]) {
        this.#variables.set(each, { question, read, ...(item && { item }) })
        if (part)
          this.#parts.set(
            name,
            [...(this.#parts.get(name) ?? []), each].filter((known) => !/^\d+X/.test(known)),
          )
      }
    }
    const other = this.#rows('questions').find((row) => row['qid'] === mark.slice(2))?.['other'] === 'Y'
    const readOther: Variable['read'] = ({ find, answers }) => {
      const answer = answers[find(mark)[0]?.question.id ?? '']
      return typeof answer === 'object' && 'other' in answer ? (answer.other ?? '') : ''
    }
    if (type === '*') return add('', '', (filled) => this.#evaluateEquation(question, filled))
    if (SINGLE[type]) {
      add('', '', (filled) => this.#readSingle(question, filled))
      if (other) add('other', 'other', readOther)
      return
    }
    if (type === 'R') {
      this.#ranked.set(name, question.lists.flat())
      for (const index of question.lists.flat().keys())
        add(String(index + 1), String(index + 1), (filled) => this.#readRank(question, index + 1, filled))
      return
    }
    for (const item of parts) {
      if (type === '1')
        for (const scale of ['0', '1'])
          add(`${item.code}_${scale}`, `${item.code}#${scale}`, (filled) => this.#readRow(question, item, Number(scale), filled), item)
      else if (type === ':' || type === ';')
        for (const column of across)
          add(
            `${item.code}_${column.code}`,
            `${item.code}_${column.code}`,
            (filled) => this.#readCell(item, column, isCheckboxes, filled),
            item,
          )
      else if (type === 'M' || type === 'P') add(item.code, item.code, (filled) => this.#readTick(item, filled), item)
      else if (type === 'Q' || type === 'K') add(item.code, item.code, (filled) => this.#readPart(item, filled), item)
      else add(item.code, item.code, (filled) => this.#readRow(question, item, 0, filled), item)
    }
    if (other) add('other', 'other', readOther)
  }

  #readSingle(question: SourceQuestion, { find, answers }: Filled): Value {
    const place = find(question.mark)[0]
    if (!place) return ''
    const answer = answers[place.question.id]
    if (answer === undefined) return ''
    if (typeof answer !== 'object') return String(answer)
    if ('choice' in answer) return this.#codeOf(question, place, answer.choice)
    throw new UnjudgedError(`answers to ${question.type}`)
  }

  /** The code of an option or a column by its id. */
  #codeOf({ type, lists }: SourceQuestion, { question }: Place, id: string): string {
    if (question.type === 'yes_no') return id === 'yes' ? 'Y' : 'N'
    const items = 'columns' in question ? question.columns : 'options' in question ? question.options : []
    const item = items.find((each) => each.id === id)
    if (item && 'other' in item && item.other) return '-oth-'
    const label = item?.label['en'] ?? ''
    return lists.flat().find(({ mark }) => mark === label)?.code ?? (type === 'A' || type === 'B' ? label : id)
  }

  #readRank(question: SourceQuestion, rank: number, { find, answers }: Filled): Value {
    const place = find(question.mark)[0]
    const answer: Answer | undefined = place && answers[place.question.id]
    if (!place || typeof answer !== 'object' || !('ranks' in answer)) return ''
    const ranked = Object.entries(answer.ranks).find(([, at]) => at === rank)
    return ranked ? this.#codeOf(question, place, ranked[0]) : ''
  }

  #readRow(question: SourceQuestion, item: SourceItem, scale: number, { find, answers }: Filled): Value {
    const place = find(item.mark)[scale]
    const answer = place && answers[place.question.id]
    if (!place?.row || typeof answer !== 'object' || !('rows' in answer)) return ''
    const [column] = answer.rows[place.row] ?? []
    return column === undefined ? '' : this.#codeOf(question, place, column)
  }

  #readCell(row: SourceItem, column: SourceItem, isCheckboxes: boolean, { find, answers }: Filled): Value {
    const apart = find(`${row.mark} – ${column.mark}`)[0]
    if (apart) return readPlain(answers[apart.question.id])
    const [place, across] = [find(row.mark)[0], find(column.mark)[0]]
    const answer = place && answers[place.question.id]
    if (!place?.row || !across?.column || typeof answer !== 'object' || !('rows' in answer)) return ''
    const isChosen = (answer.rows[place.row] ?? []).includes(across.column)
    return isCheckboxes && isChosen ? '1' : ''
  }

  #readTick(item: SourceItem, { find, answers }: Filled): Value {
    const place = find(item.mark).find(({ option }) => option !== undefined)
    const answer = place && answers[place.question.id]
    return place?.option && typeof answer === 'object' && 'choices' in answer && answer.choices.includes(place.option) ? 'Y' : ''
  }

  #readPart(item: SourceItem, { find, answers }: Filled): Value {
    const place = find(item.mark)[0]
    const answer = place && answers[place.question.id]
    if (place?.option && typeof answer === 'object' && 'amounts' in answer) return String(answer.amounts[place.option] ?? '')
    return readPlain(answer)
  }

  #evaluateEquation(question: SourceQuestion, filled: Filled): Value {
    const text = toPlain(this.#equations.get(question) ?? '')
    const whole = /^\{([^{}]*)\}$/s.exec(text)
    if (!whole?.[1]) throw new UnjudgedError(`equation: ${question.name}`)
    return evaluateFormula(this.#parse(whole[1]), this.#createReader(filled))
  }

  /** `self.sq_` begins the names of the question's own parts. */
  #parseCondition({ text, within = '' }: SourceCondition): Formula {
    return this.#parse(text.replace(/\bself\.sq_/g, `${within}_`))
  }

  #parse(text: string): Formula {
    const whole = /^\{(.*)\}$/s.exec(text.trim())?.[1] ?? text
    const parsed = this.#parsed.get(text) ?? parseFormula(whole)
    this.#parsed.set(text, parsed)
    return parsed
  }

  #findVariable(name: string): Variable {
    const plain = name.replace(/\.(?:NAOK|valueNAOK|value|code|relevanceStatus)$/, '')
    const variable = this.#variables.get(plain)
    if (!variable) throw new UnjudgedError(`outside: ${name}`, !/^(?:self|this|that)\b|\.\w+$/.test(plain))
    return variable
  }

  #expand(name: string): readonly string[] {
    const [, base = '', attribute = ''] = /^that\.([A-Za-z]\w*)((?:\.\w+)?)$/.exec(name) ?? []
    return base && this.#parts.has(base) ? (this.#parts.get(base) ?? []).map((part) => `${part}${attribute}`) : [name]
  }

  #createReader(filled: Filled): NameReader {
    const isShown = (name: string): boolean => {
      const { question, item } = this.#findVariable(name)
      return filled.isShown(question, item)
    }
    return {
      expand: (name) => this.#expand(name),
      isShown,
      read: (name) => {
        if (name.endsWith('.relevanceStatus')) return isShown(name)
        const { question, read } = this.#findVariable(name)
        if (!question.isAsked && question.type !== '*') throw new UnjudgedError(`outside: ${name} is hidden`, true)
        return isShown(name) ? read(filled) : ''
      },
    }
  }

  listNeeded(condition: SourceCondition): SourceQuestion[] {
    const needed = new Set<SourceQuestion>()
    const add = (formula: Formula) => {
      for (const name of listNames(formula).flatMap((each) => this.#expand(each))) {
        const { question } = this.#findVariable(name)
        if (needed.has(question)) continue
        needed.add(question)
        const equation = this.#equations.get(question)
        if (equation !== undefined) add(this.#parse(toPlain(equation)))
        else if (!question.isAsked) throw new UnjudgedError(`outside: ${name} is hidden`, true)
      }
    }
    add(this.#parseCondition(condition))
    return [...needed]
  }

  listLiterals(condition: SourceCondition): string[] {
    return listConstants(this.#parseCondition(condition))
  }

  holds(condition: SourceCondition, filled: Filled): boolean {
    return isRelevant(this.#parseCondition(condition), this.#createReader(filled))
  }
}

const toPlain = (text: string): string =>
  text
    .replace(/<[^<>]*>/g, '')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replaceAll('&nbsp;', ' ')
    .trim()

const readPlain = (answer: Answer | undefined): Value => (typeof answer === 'object' || answer === undefined ? '' : String(answer))
