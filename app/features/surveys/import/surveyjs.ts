import type { Condition } from '../questionnaire/conditions.schema.ts'
import { joinAll } from './build-condition.ts'
import type { ImportedElement } from './import.schema.ts'
import { type Expression, findOperator, mapNames, parseExpression } from './parse-expression.ts'
import { SURVEYJS_LOOKS } from './surveyjs-looks.ts'
import { type ElementContext, SurveyJsQuestions } from './surveyjs-questions.ts'
import { countCopies, eachCopy, numberCopy } from './repeats.ts'
import { readRepeat, readType, type Triggers } from './surveyjs-source.ts'
import { type ImportedSurvey, SurveyDraftBuilder, type TextRules } from './survey-draft-builder.ts'
import { TrackedRecord } from './tracked-record.ts'

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

export const isSurveyJs = (json: unknown): json is Record<string, unknown> =>
  isRecord(json) && ['pages', 'elements', 'questions'].some((name) => Array.isArray(json[name]))

const PIPING = /\{([^{}\s][^{}]{0,300})\}/g
const DEEPEST_PANEL = 8

/** Converts a SurveyJS survey. */
export function parseSurveyJs(json: Record<string, unknown>, rules: TextRules): ImportedSurvey {
  return new SurveyJsImport(new TrackedRecord(json), rules).run()
}

class SurveyJsImport {
  readonly #survey: TrackedRecord
  readonly #drafting: SurveyDraftBuilder
  readonly #questions: SurveyJsQuestions

  constructor(survey: TrackedRecord, rules: TextRules) {
    this.#survey = survey
    this.#drafting = new SurveyDraftBuilder(rules, PIPING)
    this.#drafting.isCaseSensitive = false
    this.#drafting.parseCondition = parseSurveyJsCondition
    this.#questions = new SurveyJsQuestions(this.#drafting, survey.text('locale') || rules.fallback, readTriggers(survey, this.#drafting))
  }

  run(): ImportedSurvey {
    const drafting = this.#drafting
    const survey = this.#survey
    const [entry] = drafting.elements
    const title = drafting.text(this.#questions.texts(survey, 'title'), 200)
    const intro = drafting.text(this.#questions.texts(survey, 'description'), 5000)
    this.#readCalculations()
    const pages = survey.records('pages')
    if (pages.length > 0) for (const page of pages) this.#addPage(page)
    else {
      drafting.page('page1')
      this.#addElements([...survey.items('elements'), ...survey.items('questions')], { showIf: undefined, depth: 0 })
    }
    if (entry) {
      drafting.reopen(entry)
      survey.skip(['pages', 'elements', 'questions'])
    }
    const thanks = drafting.text(this.#questions.texts(survey, 'completedHtml'), 5000)
    if (entry) drafting.noteUnread(entry, listOwnUnread(survey), SURVEYJS_LOOKS)
    return drafting.finish({ title, intro, thanks })
  }

  /** Conditions may name a calculated value; it is not stored with the answers. */
  #readCalculations(): void {
    for (const each of this.#survey.records('calculatedValues')) {
      const [name, said] = [each.text('name'), each.text('expression')]
      const parsed = parseExpression(said)
      if (parsed) this.#drafting.calculation([name], parsed)
      this.#drafting.note('setting-left-out', `calculatedValues: ${name} = ${said}`)
    }
  }

  #addPage(page: TrackedRecord): void {
    const drafting = this.#drafting
    const name = page.text('name') || 'page'
    const entry = drafting.open('page', name, 'page')
    const hasOwnPage = drafting.hasRoomForPage
    const added = drafting.page(name, drafting.text(this.#questions.texts(page, 'title'), 300))
    const intro = drafting.text(this.#questions.texts(page, 'description'), 5000)
    if (Object.keys(intro).length > 0) added.intro = intro
    if ((page.text('questionsOrder') || page.text('questionOrder')).startsWith('random')) added.shuffle = true
    const showIf = this.#questions.readVisibility(page, name)
    const isHidden = showIf === false
    if (isHidden) drafting.note('hidden', name)
    if (showIf && hasOwnPage) added.showIf = showIf
    const elements = [...page.items('elements'), ...page.items('questions')]
    drafting.noteUnread(entry, listOwnUnread(page), SURVEYJS_LOOKS)
    this.#addElements(elements, { showIf: hasOwnPage ? undefined : showIf || undefined, depth: 0, isHidden })
  }

  #addElements(elements: readonly unknown[], context: ElementContext): void {
    for (const element of elements) {
      if (!(element instanceof TrackedRecord)) {
        this.#drafting.open('question', '', typeof element)
        this.#drafting.note('left-out', JSON.stringify(element) ?? '')
      } else if (PANELS.has(readType(element))) this.#addPanel(element, context)
      else this.#questions.addElement(element, context)
    }
  }

  /** A panel's title becomes a text above its questions, and its condition theirs. */
  #addPanel(panel: TrackedRecord, { showIf: outer, depth, isHidden = false, copies: outerCopies = 1 }: ElementContext): void {
    const drafting = this.#drafting
    const [type, name] = [readType(panel), panel.text('name')]
    const entry = this.#questions.open(panel, 'page', name, type)
    const own = this.#questions.readVisibility(panel, name)
    const hidden = isHidden || own === false
    if (hidden && !isHidden) drafting.note('hidden', name)
    const context = { showIf: joinAll([outer, own || undefined]), depth: depth + 1, isHidden: hidden, copies: outerCopies }
    if (depth >= DEEPEST_PANEL) return drafting.note('left-out', name)
    if (type === 'paneldynamic') return this.#addCopies(panel, entry, name, context)
    if (!hidden) this.#addHeading(panel, context.showIf, 1)
    const elements = panel.items('elements')
    drafting.noteUnread(entry, listOwnUnread(panel), SURVEYJS_LOOKS)
    this.#addElements(elements, context)
  }

  /** A panel that repeats becomes copies. Inside, names that begin with "panel" mean the same copy. */
  #addCopies(panel: TrackedRecord, entry: ImportedElement, name: string, context: ElementContext): void {
    const drafting = this.#drafting
    const elements = panel.items('templateElements')
    const repeat = readRepeat(panel, 'Panel')
    const outerCopies = context.copies ?? 1
    const copies = context.isHidden ? 1 : countCopies(repeat, countQuestions(elements) * outerCopies)
    const said = ['panelAddText', 'addPanelText'].map((text) => this.#questions.texts(panel, text)).find(hasTexts)
    if (repeat.most !== 1 || repeat.always !== 1) drafting.note('repeated', `${name}: ${copies}`)
    const reopen = () => drafting.reopen(entry)
    const [resolveOutside, placeOutside] = [drafting.resolveName, drafting.placeName]
    const all = context.isHidden
      ? [{ number: 1, showIf: context.showIf }]
      : eachCopy(drafting, { name, repeat, copies, showIf: context.showIf, reopen, ...(said && { said }) })
    for (const { number, showIf } of all) {
      reopen()
      if (!context.isHidden) this.#addHeading(panel, showIf, number)
      const nameInside = (of: string) => placeOutside(`${name}[${number - 1}].${of}`)
      drafting.resolveName = (each) => {
        if (/^parentPanel\./i.test(each)) return resolveOutside(each.replace(/^parentPanel\./i, 'panel.'))
        return /^panel\./i.test(each) ? nameInside(each.slice('panel.'.length)) : each
      }
      drafting.placeName = nameInside
      if (number === 1) drafting.noteUnread(entry, listOwnUnread(panel), SURVEYJS_LOOKS)
      this.#addElements(elements, { ...context, showIf, copies: outerCopies * copies })
      drafting.resolveName = resolveOutside
      drafting.placeName = placeOutside
    }
  }

  #addHeading(panel: TrackedRecord, showIf: Condition | undefined, copy: number): void {
    const { title, help } = this.#drafting.titleAndHelp(
      numberCopy(this.#questions.texts(panel, 'title'), copy),
      this.#questions.texts(panel, 'description'),
      5000,
    )
    if (Object.keys(title).length === 0) return
    const id = this.#drafting.id(`${panel.text('name') || 'panel'}_title`)
    this.#drafting.add([], { id, type: 'info', title, ...(help && { text: help }), ...(showIf && { showIf }) })
  }
}

/** Only names in braces are questions; any other word is a text. */
function parseSurveyJsCondition(text: string): Expression | undefined {
  const parsed = parseExpression(text)
  return parsed && mapNames(parsed, (each) => (each.braced ? each : { kind: 'value', value: each.name }))
}

/** What shows questions and pages when an answer is given, by the names of what it shows. */
function readTriggers(survey: TrackedRecord, drafting: SurveyDraftBuilder): Triggers {
  const triggers = new Map<string, Expression[]>()
  for (const trigger of survey.records('triggers')) {
    if (!/^visible(trigger)?$/.test(trigger.text('type'))) continue
    const expression = readTrigger(trigger)
    const shown = [...trigger.items('pages'), ...trigger.items('questions')].filter((name) => typeof name === 'string')
    if (!expression)
      drafting.note('condition-left-out', `triggers: ${trigger.text('expression') || trigger.text('name')} (${shown.join(', ')})`)
    else for (const name of shown) triggers.set(name, [...(triggers.get(name) ?? []), expression])
  }
  return triggers
}

function readTrigger(trigger: TrackedRecord): Expression | undefined {
  const said = trigger.text('expression')
  if (said) return parseExpression(said)
  const operator = findOperator(trigger.text('operator') || 'equal')
  const left: Expression = { kind: 'name', name: trigger.text('name'), braced: true }
  return operator && { kind: 'compare', operator, left, right: { kind: 'value', value: trigger.text('value') } }
}

/** How many questions a part asks, each column of a table as one. */
function countQuestions(elements: readonly unknown[]): number {
  return elements.reduce<number>((count, element) => {
    if (!(element instanceof TrackedRecord)) return count
    const inside = ['elements', 'templateElements', 'columns'].map((list) => countQuestions(element.records(list)))
    return count + Math.max(1, ...inside)
  }, 0)
}

const hasTexts = (texts: object): boolean => Object.keys(texts).length > 0

const PANELS: ReadonlySet<string> = new Set(['panel', 'paneldynamic'])

/** Unread properties of a part, without those of the questions inside, which report their own. */
const listOwnUnread = (part: TrackedRecord) =>
  part.listUnread().filter(({ name }) => !/^(pages|elements|questions|templateElements)\[/.test(name))
