import { implementResource } from '#app/server/api/implement.ts'
import { contributionNoteShape } from './contribution-notes.api.schema.ts'
import { createNote, isOwnNote, listNotes, loadNotes, removeNote, updateNote } from './contribution-notes.server.ts'

export const contributionNoteResource = implementResource(contributionNoteShape, {
  load: loadNotes,
  list: listNotes,
  can: (ctx, row) => ({ update: isOwnNote(ctx, row) }),
  lockVersion: ({ lockVersion }) => lockVersion,
  attributes: ({ body, author, createdAt, editedAt }) => ({ body, authorName: author, createdAt, editedAt }),
  relationships: { contribution: { id: ({ contributionId }) => contributionId, alwaysVisible: true } },
  create: createNote,
  update: (ctx, row, input, lock) => updateNote(ctx, row, input, lock.version),
  remove: removeNote,
})
