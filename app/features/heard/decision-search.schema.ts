import { omitUndefined, readChoiceParam, readTextParam } from '#app/lib/search-params.ts'
import { DELIVERIES, type Delivery, OUTCOMES, type Outcome } from '#app/lib/vocabulary/heard.ts'

export interface DecisionSearch {
  /** Its id, if it is one. */
  theme?: string
  outcome?: Outcome
  delivery?: Delivery | 'late'
}

/** Parses the filters of the public page; what is unknown is dropped. Every page loads this, so it is apart from the rest of the feature. */
export const readDecisionSearch = ({ theme, outcome, delivery }: Record<string, unknown>): DecisionSearch =>
  omitUndefined({
    theme: readTextParam(theme, 36),
    outcome: readChoiceParam(outcome, OUTCOMES),
    delivery: readChoiceParam(delivery, [...DELIVERIES, 'late']),
  })
