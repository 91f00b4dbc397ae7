import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'

const DELETION_STATES = ['waiting', 'erasing', 'erased'] as const
const required = { create: 'required' } as const

export const siteDeletionShape = resourceShape({
  type: 'site-deletions',
  summary:
    'Sites that are to be deleted, and those that were. Creating one takes the site off the air, has an export of it made and begins the waiting period; removing it cancels. It has the id of its site',
  operations: ['list', 'get', 'create', 'remove'],
  can: ['cancel'],
  attributes: {
    /** The site's name, typed again to confirm. */
    name: attribute(v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(80)), required),
    reason: attribute(v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(500)), required),
    host: attribute(v.nullable(v.string())),
    /** The platform administrator who asked. */
    askedBy: attribute(v.string()),
    askedAt: attribute(timestampSchema),
    /** It can be cancelled until then. */
    dueAt: attribute(timestampSchema),
    state: attribute(v.picklist(DELETION_STATES)),
    erasedAt: attribute(v.nullable(timestampSchema)),
    /** Number of deleted rows by table, plus `files`. */
    erased: attribute(v.record(v.string(), v.number())),
    /** `failed` is retried. Nothing is deleted before it is `done`. */
    exportState: attribute(v.picklist(['waiting', 'running', 'done', 'failed', 'expired'])),
    exportMadeAt: attribute(v.nullable(timestampSchema)),
    exportBytes: attribute(v.nullable(v.number())),
    exportRows: attribute(v.nullable(v.number())),
    exportFiles: attribute(v.nullable(v.number())),
    /** Of the whole archive, in hexadecimal. */
    exportSha256: attribute(v.nullable(v.string())),
    exportExpiresAt: attribute(v.nullable(timestampSchema)),
    /** Where signed-in administrators download the archive; null while there is none. */
    exportAddress: attribute(v.nullable(v.string())),
  },
  relationships: { site: toOne('sites', { create: 'required' }) },
  filters: { state: filter.choices(DELETION_STATES) },
  sorts: ['askedAt'],
  defaultSort: '-askedAt',
  page: { size: 100, max: 100 },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'site-deletions': typeof siteDeletionShape
  }
}
