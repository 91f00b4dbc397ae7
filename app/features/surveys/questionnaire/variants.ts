import { isAnswerDependent } from './walk-survey.ts'
import type { Definition, Option, SurveyVariant } from '../surveys.schema.ts'
import type { StepKind } from './steps.ts'

/** How a survey is looked at, for whoever decides that: participants' pages are told, and carry none of it. */

/** One question after the other where the site or the survey says so; sections where what is asked depends on answers. */
export function chooseStepKind(variant: SurveyVariant, revised: boolean, definition: Definition): StepKind | null {
  if (variant === 'revised' || (variant === 'site' && revised)) return 'questions'
  return isAnswerDependent(definition) ? 'sections' : null
}

/** The same definition with everything shown to everyone, one page after the other: for looking at each part of it. */
export const withoutRules = (definition: Definition): Definition => ({
  ...definition,
  pages: definition.pages.map(({ showIf: _showIf, next: _next, ...page }) => ({
    ...page,
    questions: page.questions.map((question) => {
      const { showIf: _own, ...shown } = question
      for (const list of ['options', 'rows', 'columns'] as const) {
        if (!(list in shown)) continue
        const items = (shown as unknown as Record<typeof list, Option[]>)[list]
        Object.assign(shown, { [list]: items.map(({ showIf: _rule, ...item }) => item) })
      }
      return shown
    }),
  })),
})
