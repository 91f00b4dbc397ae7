import { implementResource } from '#app/server/api/implement.ts'
import { personNoteShape } from './person-notes.api.schema.ts'
import { createNote, isOwnNote, listNotes, loadNotes, removeNote, updateNote } from './person-notes.server.ts'

export const personNoteResource = implementResource(personNoteShape, {
  load: loadNotes,
  list: listNotes,
  can: (ctx, row) => ({ update: isOwnNote(ctx, row) }),
  lockVersion: ({ lockVersion }) => lockVersion,
  attributes: ({ body, readBy, author, createdAt, editedAt }) => ({ body, readBy, authorName: author, createdAt, editedAt }),
  relationships: { user: { id: ({ userId }) => userId, alwaysVisible: true } },
  create: createNote,
  update: (ctx, row, input, lock) => updateNote(ctx, row, input, lock.version),
  remove: removeNote,
})
