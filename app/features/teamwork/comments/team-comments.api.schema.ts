import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { TARGET_KINDS } from '#app/lib/vocabulary/teamwork.ts'
import { MAX_COMMENT, MAX_MENTIONS } from './team-comments.schema.ts'

const bodySchema = v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(MAX_COMMENT))
const mentionedSchema = v.pipe(v.array(idSchema), v.maxLength(MAX_MENTIONS))

export const teamCommentShape = resourceShape({
  type: 'team-comments',
  summary:
    'What colleagues say to each other about a project, an activity, a survey, a page, a project’s report (by the project’s id) or a contribution. Only those who work on it read it. `meta.open` of a list is the number not resolved',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update', 'resolve'],
  attributes: {
    targetKind: attribute(v.picklist(TARGET_KINDS), { create: 'required' }),
    targetId: attribute(idSchema, { create: 'required' }),
    /** Empty once its author deleted it. */
    body: attribute(bodySchema, { create: 'required', update: true }),
    /** Colleagues to be told, by id: they must work on the target. */
    mentionIds: attribute(mentionedSchema, { create: 'optional', update: true }),
    mentions: attribute(v.array(v.object({ id: v.string(), name: v.string() }))),
    /** Null: the account is gone. */
    authorName: attribute(v.nullable(v.string())),
    createdAt: attribute(timestampSchema),
    editedAt: attribute(v.nullable(timestampSchema)),
    deletedAt: attribute(v.nullable(timestampSchema)),
    /** What it said before, the oldest first. */
    former: attribute(v.array(v.object({ body: v.string(), writtenAt: timestampSchema }))),
    isResolved: attribute(v.boolean(), { update: true }),
    resolvedAt: attribute(v.nullable(timestampSchema)),
    resolvedBy: attribute(v.nullable(v.string())),
  },
  filters: { targetKind: filter.choice(TARGET_KINDS), targetId: filter.id(), project: filter.id(), open: filter.flag() },
  sorts: ['createdAt'],
  defaultSort: 'createdAt',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'team-comments': typeof teamCommentShape
  }
}
