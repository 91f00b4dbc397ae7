import { createFileRoute } from '@tanstack/react-router'
import { downloadImportReport } from '#app/features/surveys/import/import.server.ts'

/** What became of the file that the survey was created from. */
export const Route = createFileRoute('/admin/surveys/$survey/import-report.csv')({ server: { handlers: { GET: downloadImportReport } } })
