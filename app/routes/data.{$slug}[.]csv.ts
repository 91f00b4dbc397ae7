import { createFileRoute } from '@tanstack/react-router'
import { serveDatasetFile } from '#app/features/opencities/dataset-download.server.ts'

export const Route = createFileRoute('/data/{$slug}.csv')({ server: { handlers: { GET: serveDatasetFile } } })
