import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { FIGURE_SORTS, JOB_NAMES, JOB_STATES } from './platform.schema.ts'

const wholeNumber = v.pipe(v.number(), v.integer(), v.minValue(0))

export const jobTurnShape = resourceShape({
  type: 'job-turns',
  summary: 'Latest runs of background jobs, those with problems first. For platform administrators',
  operations: ['list'],
  id: v.picklist(JOB_NAMES),
  attributes: {
    name: attribute(v.picklist(JOB_NAMES)),
    state: attribute(v.picklist(JOB_STATES)),
    /** Null before the first run. */
    everySeconds: attribute(v.nullable(wholeNumber)),
    /** When a run last succeeded. */
    doneAt: attribute(v.nullable(timestampSchema)),
    /** Duration of the last run in milliseconds. */
    tookMs: attribute(v.nullable(wholeNumber)),
    failedAt: attribute(v.nullable(timestampSchema)),
    /** Consecutive failed runs. */
    failures: attribute(wholeNumber),
  },
  page: { size: 100, max: 100 },
})

export const siteFiguresShape = resourceShape({
  type: 'site-figures',
  summary: 'Figures of each active site, a few minutes old, with totals in `meta.totals`. For platform administrators',
  operations: ['list'],
  attributes: {
    name: attribute(v.string()),
    openProjects: attribute(wholeNumber, { figure: 'openProjects' }),
    participants: attribute(wholeNumber, { figure: 'participants' }),
    responses: attribute(wholeNumber, { figure: 'answers' }),
    /** People in the last 30 days, as in the site's reports. */
    aware: attribute(wholeNumber, { figure: 'aware' }),
    informed: attribute(wholeNumber, { figure: 'informed' }),
    engaged: attribute(wholeNumber, { figure: 'engaged' }),
    /** Number of services and city portals that the site is connected to. */
    connections: attribute(wholeNumber),
    /** Services and city portals that fail, and `mails` if emails are waiting without a mail service. */
    failing: attribute(
      v.array(
        v.object({ kind: v.picklist(['integration', 'city-connector', 'mails']), name: v.string(), since: v.nullable(timestampSchema) }),
      ),
    ),
    countedAt: attribute(timestampSchema),
  },
  relationships: { site: toOne('sites') },
  filters: { q: filter.text(200), failing: filter.flag() },
  sorts: FIGURE_SORTS,
  defaultSort: 'name',
  page: { size: 25, max: 100 },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'job-turns': typeof jobTurnShape
    'site-figures': typeof siteFiguresShape
  }
}
