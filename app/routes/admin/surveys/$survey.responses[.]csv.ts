import { createFileRoute } from '@tanstack/react-router'
import { downloadResponses } from '#app/features/surveys/export/export-responses.server.ts'

export const Route = createFileRoute('/admin/surveys/$survey/responses.csv')({
  server: {
    handlers: { GET: ({ params, ...input }) => downloadResponses({ ...input, params: { ...params, format: 'csv' } }) },
  },
})
