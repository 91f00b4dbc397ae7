import { implementResource } from '#app/server/api/implement.ts'
import { buildFileAddress } from '#app/features/surveys/questionnaire/question-types/files/files.ts'
import { responseFileShape } from './response-files.api.schema.ts'
import { listFiles, loadFiles } from './sent-files.server.ts'

export const responseFileResource = implementResource(responseFileShape, {
  load: loadFiles,
  list: listFiles,
  attributes: ({ id, question, name, mediaType, bytes, submittedAt }) => ({
    question,
    name,
    mediaType,
    bytes,
    submittedAt,
    address: buildFileAddress(id),
  }),
  relationships: { survey: { id: (row) => row.surveyId }, response: { id: (row) => row.heldBy } },
})
