import { implementResource } from '#app/server/api/implement.ts'
import { wordListShape } from './word-lists.api.schema.ts'
import { listWordLists, loadWordLists, updateWordList } from './word-lists.server.ts'

export const wordListResource = implementResource(wordListShape, {
  load: loadWordLists,
  list: listWordLists,
  lockVersion: (row) => row.lockVersion,
  attributes: ({ language, held, flagged }) => ({ language, held, flagged }),
  update: (ctx, row, input, lock) => updateWordList(ctx, row, input, lock.version),
})
