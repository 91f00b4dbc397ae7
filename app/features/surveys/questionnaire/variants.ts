import type { SurveyVariant } from '#app/lib/vocabulary/surveys.ts'
import { isAnswerDependent, ITEM_LISTS } from './walk-survey.ts'
import type { Definition, Option } from '../surveys.schema.ts'
import type { StepKind } from './steps.ts'

/** How a survey is presented, for code that decides it: participants' pages only get the result and do not load this. */

/** One question at a time if the site or the survey says so; sections if questions depend on answers. */
export function chooseStepKind(variant: SurveyVariant, revised: boolean, definition: Definition): StepKind | null {
  if (variant === 'revised' || (variant === 'site' && revised)) return 'questions'
  return isAnswerDependent(definition) ? 'sections' : null
}

/** The definition with everything visible to everyone, page by page, for reviewing each part of it. */
export const withoutRules = (definition: Definition): Definition => ({
  ...definition,
  pages: definition.pages.map(({ showIf: _showIf, next: _next, ...page }) => ({
    ...page,
    questions: page.questions.map((question) => {
      const { showIf: _own, ...shown } = question
      for (const list of ITEM_LISTS) {
        if (!(list in shown)) continue
        const items = (shown as unknown as Record<typeof list, Option[]>)[list]
        Object.assign(shown, { [list]: items.map(({ showIf: _rule, ...item }) => item) })
      }
      return shown
    }),
  })),
})
