import { createFileRoute } from '@tanstack/react-router'
import { datasetFile } from '#app/features/opencities/download.server.ts'

/** A published dataset as a file. */
export const Route = createFileRoute('/data/{$slug}.csv')({ server: { handlers: { GET: datasetFile } } })
