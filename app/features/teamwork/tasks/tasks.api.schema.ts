import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { TARGET_KINDS } from '#app/lib/vocabulary/teamwork.ts'
import { MAX_TASK_TITLE, TASK_STATES } from './tasks.schema.ts'

const titleSchema = v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(MAX_TASK_TITLE))
/** `2026-03-27` */
const daySchema = v.pipe(v.string(), v.isoDate('not-a-date'))

export const taskShape = resourceShape({
  type: 'tasks',
  summary:
    'What the team has to do in a project, or about an activity, a survey, a page, a project’s report (by the project’s id) or a contribution. `meta.overdue` of a list is the number that should have been done',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update'],
  attributes: {
    targetKind: attribute(v.picklist(TARGET_KINDS), { create: 'required' }),
    targetId: attribute(idSchema, { create: 'required' }),
    /** In the language of the request. */
    targetTitle: attribute(v.string()),
    /** Where people work on it, in the administration. */
    targetPath: attribute(v.string()),
    title: attribute(titleSchema, { create: 'required', update: true }),
    /** A colleague who works on the target; null: nobody yet. */
    ownerId: attribute(v.nullable(idSchema), { create: 'optional', update: true }),
    ownerName: attribute(v.nullable(v.string())),
    /** In the site's calendar. */
    dueOn: attribute(v.nullable(daySchema), { create: 'optional', update: true }),
    isDone: attribute(v.boolean(), { update: true }),
    doneAt: attribute(v.nullable(timestampSchema)),
    doneBy: attribute(v.nullable(v.string())),
    isOverdue: attribute(v.boolean()),
    createdAt: attribute(timestampSchema),
    createdBy: attribute(v.nullable(v.string())),
  },
  filters: {
    targetKind: filter.choice(TARGET_KINDS),
    targetId: filter.id(),
    project: filter.id(),
    /** The viewer's own. */
    mine: filter.flag(),
    state: filter.choice(TASK_STATES),
  },
  /** By `dueOn`, tasks without a day come last. */
  sorts: ['dueOn', 'createdAt'],
  defaultSort: 'dueOn',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    tasks: typeof taskShape
  }
}
