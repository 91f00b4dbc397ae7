import type { ConditionLoss } from './explain-loss.ts'
import { joinAll } from './build-condition.ts'
import { buildXPathCondition } from './build-xpath-condition.ts'
import { KEPT_TEXT } from './xpath-values.ts'
import type { Condition } from '../questionnaire/conditions.schema.ts'
import type { ImportedElement } from './import.schema.ts'
import { type ImportedSurvey, SurveyDraftBuilder, type TextRules } from './survey-draft-builder.ts'
import { TrackedRecord } from './tracked-record.ts'
import { readSheets } from './workbook.server.ts'
import { type Expression, mapNames, parseExpression } from './parse-expression.ts'
import { buildTree, readLineType, resolvePath, type XlsFormNode } from './xlsform-lines.ts'
import { countCopies, eachCopy, nameMore, numberCopy, type Repeat } from './repeats.ts'
import { nameCopy, RepeatCopies } from './xlsform-copies.ts'
import { isAsked, orderLines } from './xlsform-order.ts'
import { XlsFormQuestions } from './xlsform-questions.ts'

const PIPING = /\$\{([^{}]{1,200})\}/g
const DEEPEST_GROUP = 12

/**
 * Converts an XLSForm: a workbook with the sheets `survey`, `choices` and `settings`.
 * @throws {BeyondLimitsError}; anything else if it is not one
 */
export async function parseXlsForm(file: Uint8Array, rules: TextRules): Promise<ImportedSurvey> {
  const { sheets, others } = await readSheets(file, ['survey', 'choices', 'settings'])
  const lines = sheets.get('survey') ?? []
  if (!lines.some((line) => line['type'] && (line['name'] !== undefined || line['label'] !== undefined))) throw new Error('Not an XLSForm')
  const toRecords = (rows: readonly Record<string, string>[] = []) => rows.map((row) => new TrackedRecord(row))
  const [settings = new TrackedRecord({})] = toRecords(sheets.get('settings'))
  return new XlsFormImport(toRecords(sheets.get('choices')), settings, rules).run(toRecords(lines), others)
}

/** Where a line is: inside groups with conditions of theirs, and inside the copies of a repeat. */
interface Place {
  showIf: Condition | undefined
  depth: number
  isHidden: boolean
  /** Which copy of a repeat, from 1; later ones share the report's entry of the first. */
  copy: number
  /** How many copies there are of it. */
  copies: number
  /** How many groups deep the repeat is whose copy this is; undefined outside of repeats that have several. */
  repeatDepth: number | undefined
  /** Names of the groups around it. */
  path: readonly string[]
  /** What must hold for the groups around it; undefined if one of their conditions was not understood. */
  relevant: Expression[] | undefined
}

class XlsFormImport {
  readonly #drafting: SurveyDraftBuilder
  readonly #questions: XlsFormQuestions
  readonly #settings: TrackedRecord
  readonly #choices: readonly TrackedRecord[]
  readonly #elements = new Map<TrackedRecord, ImportedElement>()
  /** Lines by name and by path. */
  readonly #lines = new Map<string, TrackedRecord>()
  readonly #copies: RepeatCopies
  /** Lines that are asked earlier than in the file. */
  readonly #moved = new Set<TrackedRecord>()

  constructor(choices: readonly TrackedRecord[], settings: TrackedRecord, rules: TextRules) {
    const drafting = new SurveyDraftBuilder(rules, PIPING)
    this.#drafting = drafting
    this.#copies = new RepeatCopies(
      (name) => drafting.resolveName(name),
      (name) => drafting.find(name) !== undefined,
    )
    this.#drafting.parseCondition = (text) => this.#parse(text)
    this.#drafting.convertCondition = buildXPathCondition
    this.#settings = settings
    this.#choices = choices
    const own = settings.text('default_language')
    this.#questions = new XlsFormQuestions(this.#drafting, choices, own && own !== 'default' ? own : rules.fallback)
  }

  run(lines: readonly TrackedRecord[], otherSheets: readonly string[]): ImportedSurvey {
    const drafting = this.#drafting
    const [survey] = drafting.elements
    const title = drafting.text(this.#questions.ownText(this.#settings.text('form_title')), 200)
    const tree = orderLines(buildTree(lines), this.#moved)
    this.#listAsked(tree, [])
    drafting.explainUnknownName = (name) => this.#explainUnknownName(name)
    this.#addAll(tree, { showIf: undefined, depth: 0, isHidden: false, copy: 1, copies: 1, repeatDepth: undefined, path: [], relevant: [] })
    if (survey) {
      drafting.reopen(survey)
      for (const sheet of otherSheets) drafting.note('setting-left-out', `sheet: ${sheet}`)
      this.#settings.skip(['form_id', 'id_string', 'version', 'title'])
      drafting.noteUnread(survey, this.#settings.listUnread(), LOOKS)
      this.#reportUnreadChoices(survey)
    }
    for (const [line, element] of this.#elements) drafting.noteUnread(element, line.listUnread(), LOOKS)
    return drafting.finish({ title, intro: {}, thanks: {} })
  }

  #listAsked(nodes: readonly XlsFormNode[], path: readonly string[]): void {
    for (const { line, children } of nodes) {
      const own = [...path, line.text('name')]
      if (children) this.#listAsked(children, own)
      else for (const name of [line.text('name'), toAbsoluteName(own)]) this.#lines.set(name, line)
    }
  }

  /** Names of values that the other tool fills in, or that no line has, are data from outside. */
  #explainUnknownName(name: string): ConditionLoss {
    const line = this.#lines.get(name)
    if (!line) return name === '.' ? 'condition-left-out' : 'condition-outside'
    if (!isAsked(line)) {
      const isOwnValue = readLineType(line.text('type')).type === 'calculate' && !OUTSIDE_DATA.test(line.text('calculation'))
      return isOwnValue ? 'condition-left-out' : 'condition-outside'
    }
    return this.#elements.has(line) ? 'condition-outside' : 'condition-later'
  }

  #reportUnreadChoices(survey: ImportedElement): void {
    const said = new Set<string>()
    for (const choice of this.#choices) {
      choice.skip(['list_name'])
      const list = choice.text('list_name')
      const unread = choice.listUnread().map(({ name, value }) => ({ name: `choices.${list}.${name}`, value }))
      this.#drafting.noteUnread(
        survey,
        unread.filter(({ name }) => !said.has(name)),
        LOOKS,
      )
      for (const { name } of unread) said.add(name)
    }
  }

  #open(line: TrackedRecord, kind: ImportedElement['kind']): ImportedElement {
    const known = this.#elements.get(line)
    if (known) {
      this.#drafting.reopen(known)
      return known
    }
    const element = this.#drafting.open(kind, line.text('name'), line.text('type'))
    this.#elements.set(line, element)
    return element
  }

  #addAll(nodes: readonly XlsFormNode[], place: Place): void {
    for (const { line, children } of nodes) {
      if (children) this.#addGroup(line, children, place)
      else this.#addQuestion(line, place)
    }
  }

  #addQuestion(line: TrackedRecord, place: Place): void {
    const { showIf, isHidden, depth } = place
    const drafting = this.#drafting
    this.#open(line, 'question')
    if (this.#moved.has(line)) drafting.note('asked-earlier', line.text('name'))
    const path = this.#enter(line, place)
    if (depth === 0 && this.#wasInGroup) drafting.page('page')
    this.#wasInGroup = false
    const own = this.#readCondition(line)
    if (isHidden || own === false) {
      // What is never asked is never answered.
      drafting.calculation([line.text('name'), toAbsoluteName(path)], NOTHING)
      return drafting.note('hidden', line.text('name'))
    }
    if (readLineType(line.text('type')).type === 'calculate') this.#addCalculation(line, place, path)
    const names = [line.text('name'), toAbsoluteName(path)]
    if (place.repeatDepth === undefined) this.#copies.forget(names)
    const ofCopy = place.repeatDepth === undefined ? [] : names.map((name) => nameCopy(name, place.copy))
    this.#questions.add(line, joinAll([showIf, own]), [...names, ...ofCopy])
  }
  #wasInGroup = false

  /** What must hold for a line; forms also say "yes" and "no". */
  #readCondition(line: TrackedRecord): Condition | false | undefined {
    const text = line.text('relevant').trim()
    if (/^(?:yes|true|true\(\))$/i.test(text)) return undefined
    return !/^(?:no|false|false\(\))$/i.test(text) && this.#drafting.condition(text)
  }

  /** From here on, paths and positions are relative to this line. */
  #enter(line: TrackedRecord, { path, copy, repeatDepth }: Place): readonly string[] {
    const own = [...path, line.text('name')]
    this.#drafting.resolveName = (name) => resolvePath(name, own)
    this.#findPosition = (levels) => (own.length - levels === repeatDepth ? copy : undefined)
    return own
  }
  /** Which copy this is of the repeat so many levels up, if it is one. */
  #findPosition: (levels: number) => number | undefined = () => undefined

  /** What a condition or calculation says here, where copies of repeats are questions of their own. */
  #parse(text: string): Expression | undefined {
    const placed = text.replace(POSITION, (whole, up: string) => String(this.#findPosition(up.split('/').length) ?? whole))
    const parsed = parseXPath(placed)
    return parsed && this.#copies.place(parsed)
  }

  /** Nothing is asked, but conditions may name the value. It is empty while its groups are not shown. */
  #addCalculation(line: TrackedRecord, { relevant }: Place, path: readonly string[]): void {
    const value = this.#parse(line.text('calculation'))
    const conditions = this.#readRelevant(line, relevant)
    if (!value || !conditions) return
    const kept: Expression = { kind: 'call', name: KEPT_TEXT, args: [value] }
    const shown: Expression = { kind: 'call', name: 'if', args: [{ kind: 'all', parts: conditions }, kept, NOTHING] }
    this.#drafting.calculation([line.text('name'), toAbsoluteName(path)], conditions.length > 0 ? shown : kept)
  }

  /** The conditions of the groups around a line, and its own. */
  #readRelevant(line: TrackedRecord, around: Expression[] | undefined): Expression[] | undefined {
    const text = line.text('relevant').trim()
    if (text === '') return around
    const own = this.#parse(text)
    return own && around && [...around, mapNames(own, (each) => ({ ...each, name: this.#drafting.resolveName(each.name) }))]
  }

  #addGroup(line: TrackedRecord, children: readonly XlsFormNode[], place: Place): void {
    const drafting = this.#drafting
    this.#open(line, 'page')
    const path = this.#enter(line, place)
    const { list: kind } = readLineType(line.text('type'))
    const own = this.#readCondition(line)
    const isHidden = place.isHidden || own === false
    if (own === false) drafting.note('hidden', line.text('name'))
    if (place.depth >= DEEPEST_GROUP) return drafting.note('left-out', line.text('name'))
    const relevant = this.#readRelevant(line, place.relevant)
    if (kind === 'group' || isHidden) this.#addCopy(line, children, { ...place, isHidden, relevant }, { own: own || undefined, path })
    else this.#addRepeat(line, children, { ...place, relevant }, { own: own || undefined, path })
    if (place.depth === 0) this.#wasInGroup = true
  }

  #addRepeat(line: TrackedRecord, children: readonly XlsFormNode[], place: Place, { own, path }: Group): void {
    const drafting = this.#drafting
    const name = line.text('name')
    const said = line.text('repeat_count') || line.text('count')
    const { repeat, count } = this.#readRepeat(line)
    const copies = countCopies(repeat, countLines(children) * place.copies)
    drafting.note('repeated', `${said || name}: ${copies}`)
    const counted = count && this.#buildCountConditions(count, copies)
    if (count && !counted) drafting.note('condition-left-out', said)
    if (copies === 1 && !counted) return this.#addCopy(line, children, place, { own, path })
    const inside = listNames(children, path)
    const exist = counted ?? Array.from({ length: copies }, (_, index) => (index < repeat.always ? undefined : isOneMore(name, index + 1)))
    this.#copies.begin([name, toAbsoluteName(path)], inside, exist)
    const of = { ...place, copies: place.copies * copies, repeatDepth: path.length }
    const reopen = () => this.#open(line, 'page')
    // If the form gives the count, there is no need to ask for one more.
    const asked = counted ? { always: copies, most: copies } : repeat
    for (const { number, showIf } of eachCopy(drafting, { name, repeat: asked, copies, showIf: joinAll([place.showIf, own]), reopen })) {
      this.#enter(line, place)
      const reached = counted?.[number - 1]
      const isReached = reached && drafting.condition(reached, said)
      const isHidden = isReached === false
      if (isHidden && number > 1) break
      if (isHidden) drafting.note('hidden', name)
      this.#addCopy(
        line,
        children,
        { ...of, isHidden, showIf: undefined, copy: number },
        { own: joinAll([showIf, isReached || undefined]), path },
      )
    }
    this.#copies.end(inside, exist)
  }

  /** For each copy, the condition that the count reaches it; undefined if conditions cannot say so. */
  #buildCountConditions(count: Expression, copies: number): Expression[] | undefined {
    const reached = Array.from({ length: copies }, (_, index): Expression => {
      const right: Expression = { kind: 'value', value: String(index + 1), isNumber: true }
      return { kind: 'compare', operator: 'at-least', left: count, right }
    })
    return reached.every((each) => this.#drafting.canConvert(each)) ? reached : undefined
  }

  #addCopy(line: TrackedRecord, children: readonly XlsFormNode[], place: Place, { own, path }: Group): void {
    const showIf = this.#addHeading(line, place, own)
    if (!place.isHidden && this.#questions.isTable(line, children)) this.#addTable(line, children, showIf, path)
    else this.#addAll(children, { ...place, showIf, depth: place.depth + 1, path })
  }

  #addTable(line: TrackedRecord, children: readonly XlsFormNode[], showIf: Condition | undefined, path: readonly string[]): void {
    const elements = children.map(({ line: row }) => this.#open(row, 'question'))
    this.#questions.addTable(line, children, showIf, toAbsoluteName(path))
    for (const element of elements) element.became.push('matrix_one')
  }

  /** The group's condition for its questions; the outermost groups are pages, which have it themselves. */
  #addHeading(line: TrackedRecord, place: Place, own: Condition | undefined): Condition | undefined {
    const drafting = this.#drafting
    const said = this.#questions.texts(line, 'label')
    const numbered = numberCopy(said, place.copy)
    if (place.depth === 0 && drafting.hasRoomForPage) {
      const page = drafting.page(line.text('name'), drafting.text(numbered, 300))
      if (own) page.showIf = own
      return undefined
    }
    if (place.depth === 0) drafting.page('page')
    const showIf = joinAll([place.showIf, own])
    const { title, help } = drafting.titleAndHelp(numbered, this.#questions.texts(line, 'hint'), 5000)
    if (Object.keys(title).length > 0 && !place.isHidden)
      drafting.add([], {
        id: drafting.id(`${line.text('name')}_title`),
        type: 'info',
        title,
        ...(help && { text: help }),
        ...(showIf && { showIf }),
      })
    return showIf
  }

  /** A fixed count; or one that depends on answers; or as many as there are, and one at least. */
  #readRepeat(line: TrackedRecord): { repeat: Repeat; count?: Expression } {
    const fixed = line.number('repeat_count') ?? line.number('count')
    if (fixed !== undefined && fixed >= 1) return { repeat: { always: Math.round(fixed), most: Math.round(fixed) } }
    const said = line.text('repeat_count') || line.text('count')
    const count = said === '' ? undefined : this.#parse(said)
    const placed = count && mapNames(count, (each) => ({ ...each, name: this.#drafting.resolveName(each.name) }))
    return { repeat: { always: 1, most: undefined }, ...(placed && { count: placed }) }
  }
}

/** The condition that a participant said that there is one more. */
const isOneMore = (repeat: string, copy: number): Expression => ({
  kind: 'compare',
  operator: 'equal',
  left: { kind: 'name', name: nameMore(repeat, copy), braced: true },
  right: { kind: 'value', value: 'yes' },
})

/** What a group or a copy of it is added with. */
interface Group {
  own: Condition | undefined
  path: readonly string[]
}

const countLines = (nodes: readonly XlsFormNode[]): number =>
  nodes.reduce((count, { children }) => count + (children ? countLines(children) : 1), 0)

/** Functions that look something up in another table or another program. */
const OUTSIDE_DATA = /\b(?:instance|pulldata)\s*\(/

/** Typographic quotes are quotes, as in other readers of such forms. */
const parseXPath = (text: string) => parseExpression(text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"'))
const NOTHING: Expression = { kind: 'value', value: '' }

/** The names of all questions in a group, each also with its path of outer groups. */
const listNames = (nodes: readonly XlsFormNode[], path: readonly string[]): string[] =>
  nodes.flatMap(({ line, children }) => {
    const own = [...path, line.text('name')]
    return [line.text('name'), toAbsoluteName(own), ...(children ? listNames(children, own) : [])]
  })

/** The place among the copies of a repeat that is so many levels up. */
const POSITION = /\bposition\(\s*(\.\.(?:\/\.\.)*)\s*\)/g

const toAbsoluteName = (path: readonly string[]) => resolvePath('.', path)

/** Columns that only change how a form looks. */
const LOOKS: ReadonlySet<string> = new Set(['appearance', 'style', 'body::accuracyThreshold', 'namespaces', 'instance_name'])
