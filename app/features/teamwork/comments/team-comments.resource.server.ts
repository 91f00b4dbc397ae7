import { implementResource } from '#app/server/api/implement.ts'
import { teamCommentShape } from './team-comments.api.schema.ts'
import { canEditComment, createComment, listComments, loadComments, removeComment, updateComment } from './team-comments.server.ts'

export const teamCommentResource = implementResource(teamCommentShape, {
  load: loadComments,
  list: listComments,
  can: (ctx, row) => ({ update: canEditComment(ctx, row), resolve: row.deletedAt === null }),
  lockVersion: ({ lockVersion }) => lockVersion,
  attributes: ({ targetKind, targetId, body, mentions, author, createdAt, editedAt, deletedAt, former, resolvedAt, resolver }) => ({
    targetKind,
    targetId,
    body,
    mentionIds: mentions.map(({ id }) => id),
    mentions,
    authorName: author,
    createdAt,
    editedAt,
    deletedAt,
    former,
    isResolved: resolvedAt !== null,
    resolvedAt,
    resolvedBy: resolver,
  }),
  create: createComment,
  update: (ctx, row, input, lock) => updateComment(ctx, row, input, lock.version),
  remove: removeComment,
})
