import type { Condition } from '../questionnaire/conditions.schema.ts'
import { joinAll } from './build-condition.ts'
import { SURVEYJS_LOOKS } from './surveyjs-looks.ts'
import { type ElementContext, SurveyJsQuestions } from './surveyjs-questions.ts'
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
    this.#questions = new SurveyJsQuestions(this.#drafting, survey.text('locale') || rules.fallback)
  }

  run(): ImportedSurvey {
    const drafting = this.#drafting
    const survey = this.#survey
    const [entry] = drafting.elements
    const title = drafting.text(this.#questions.texts(survey, 'title'), 200)
    const intro = drafting.text(this.#questions.texts(survey, 'description'), 5000)
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

  #addPage(page: TrackedRecord): void {
    const drafting = this.#drafting
    const name = page.text('name') || 'page'
    const entry = drafting.open('page', name, 'page')
    const added = drafting.page(name, drafting.text(this.#questions.texts(page, 'title'), 300))
    const intro = drafting.text(this.#questions.texts(page, 'description'), 5000)
    if (Object.keys(intro).length > 0) added.intro = intro
    if ((page.text('questionsOrder') || page.text('questionOrder')).startsWith('random')) added.shuffle = true
    const showIf = drafting.condition(page.text('visibleIf'))
    const isHidden = showIf === false || page.get('visible') === false
    if (isHidden) drafting.note('hidden', name)
    if (showIf) added.showIf = showIf
    const elements = [...page.items('elements'), ...page.items('questions')]
    drafting.noteUnread(entry, listOwnUnread(page), SURVEYJS_LOOKS)
    this.#addElements(elements, { showIf: undefined, depth: 0, isHidden })
  }

  #addElements(elements: readonly unknown[], context: ElementContext): void {
    for (const element of elements) {
      if (!(element instanceof TrackedRecord)) {
        this.#drafting.open('question', '', typeof element)
        this.#drafting.note('left-out', JSON.stringify(element) ?? '')
      } else if (element.text('type') === 'panel' || element.text('type') === 'paneldynamic') this.#addPanel(element, context)
      else this.#questions.addElement(element, context)
    }
  }

  /** A panel's title becomes a text above its questions, and its condition theirs. One that repeats is asked once. */
  #addPanel(panel: TrackedRecord, { showIf: outer, depth, isHidden = false }: ElementContext): void {
    const drafting = this.#drafting
    const [type, name] = [panel.text('type'), panel.text('name')]
    const repeats = type === 'paneldynamic'
    const entry = drafting.open('page', name, type)
    const own = drafting.condition(panel.text('visibleIf'))
    const hidden = isHidden || own === false || panel.get('visible') === false
    if (hidden && !isHidden) drafting.note('hidden', name)
    const showIf: Condition | undefined = joinAll([outer, own || undefined])
    if (!hidden) this.#addHeading(panel, showIf)
    if (repeats) drafting.note('repeated', name)
    const elements = panel.items(repeats ? 'templateElements' : 'elements')
    drafting.noteUnread(entry, listOwnUnread(panel), SURVEYJS_LOOKS)
    if (depth >= DEEPEST_PANEL) return drafting.note('left-out', name)
    this.#addElements(elements, { showIf, depth: depth + 1, isHidden: hidden })
  }

  #addHeading(panel: TrackedRecord, showIf: Condition | undefined): void {
    const { title, help } = this.#drafting.titleAndHelp(
      this.#questions.texts(panel, 'title'),
      this.#questions.texts(panel, 'description'),
      5000,
    )
    if (Object.keys(title).length === 0) return
    const id = this.#drafting.id(`${panel.text('name') || 'panel'}_title`)
    this.#drafting.add([], { id, type: 'info', title, ...(help && { text: help }), ...(showIf && { showIf }) })
  }
}

/** Unread properties of a part, without those of the questions inside, which report their own. */
const listOwnUnread = (part: TrackedRecord) =>
  part.listUnread().filter(({ name }) => !/^(pages|elements|questions|templateElements)\[/.test(name))
