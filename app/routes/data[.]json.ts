import { createFileRoute } from '@tanstack/react-router'
import { serveDcatUs } from '#app/features/opencities/open-data.files.server.ts'

/** What the site publishes, by DCAT-US 3, for portals to harvest. */
export const Route = createFileRoute('/data.json')({ server: { handlers: { GET: serveDcatUs } } })
