import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { REPORT_ACTIVITIES, REPORT_STATES } from './report.search.ts'

const wholeNumber = v.pipe(v.number(), v.integer(), v.minValue(0))
/** A calendar day of the site. */
const dayFilter = filter.custom(v.pipe(v.string(), v.isoDate('not-a-date')))

export const projectFiguresShape = resourceShape({
  type: 'project-figures',
  summary:
    'Figures of each published or archived project in a period, as in the report on it: those with most people first. `meta` has the sums, the days, and how many matching projects are hidden from the viewer',
  operations: ['list'],
  attributes: {
    title: attribute(v.string()),
    aware: attribute(wholeNumber, { figure: 'aware' }),
    informed: attribute(wholeNumber, { figure: 'informed' }),
    engaged: attribute(wholeNumber, { figure: 'engaged' }),
    answers: attribute(wholeNumber, { figure: 'answers' }),
    contributions: attribute(wholeNumber, { figure: 'contributions' }),
    supports: attribute(wholeNumber, { figure: 'supports' }),
    replies: attribute(wholeNumber, { figure: 'replies' }),
    answeredContributions: attribute(wholeNumber, { figure: 'answeredContributions' }),
    /** Null if none was answered. */
    daysToAnswer: attribute(v.nullable(v.number()), { figure: 'daysToAnswer' }),
  },
  relationships: { project: toOne('projects') },
  /** `activity` and `area` choose projects that have such an activity, or are about the area. `from` and `until` are calendar days of the site, both inclusive; by default the last 30. */
  filters: {
    project: filter.ids(),
    hub: filter.ids(),
    topic: filter.ids(),
    state: filter.choices(REPORT_STATES),
    activity: filter.choices(REPORT_ACTIVITIES),
    area: filter.ids(),
    from: dayFilter,
    until: dayFilter,
  },
  page: { size: 100, max: 500 },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'project-figures': typeof projectFiguresShape
  }
}
