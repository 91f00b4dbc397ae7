import { createFileRoute } from '@tanstack/react-router'
import { responsesFile } from '#app/features/surveys/export/export-responses.server.ts'

/** All responses of a survey as a table. */
export const Route = createFileRoute('/admin/surveys/$survey/responses.csv')({
  server: {
    handlers: { GET: ({ params, ...input }) => responsesFile({ ...input, params: { ...params, format: 'csv' } }) },
  },
})
