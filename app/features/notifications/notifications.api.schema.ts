import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { NOTIFICATION_KINDS } from './notifications.schema.ts'

/**
 * Everything that waits for an administrator, or has finished, in the last 30 days; only what they may see now. And, for everybody, what was
 * decided about their own contributions.
 */
export const notificationShape = resourceShape({
  type: 'notifications',
  summary:
    'Notifications: for an administrator, review requests, finished exports and what is held up; for everybody, what was decided about what they sent',
  operations: ['list', 'get', 'update'],
  attributes: {
    kind: attribute(v.picklist(NOTIFICATION_KINDS)),
    /** The title of the project, survey or dataset, or the campaign's name; for an integration, its identifier. */
    title: attribute(v.string()),
    /**
     * What it is about: the id of a project, survey, dataset or campaign, an integration's identifier; of a support grant, the site's id; for the viewer's own contributions,
     * mentions and tasks, the address of a page.
     */
    subject: attribute(v.string()),
    at: attribute(timestampSchema),
    read: attribute(v.boolean(), { update: true }),
  },
  filters: {
    read: filter.flag(),
    /** About what the viewer sent to activities, or about their tasks. */
    own: filter.flag(),
  },
  sorts: ['at'],
  defaultSort: '-at',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    notifications: typeof notificationShape
  }
}
