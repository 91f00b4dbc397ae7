import { createFileRoute } from '@tanstack/react-router'
import { serveDcatUs } from '#app/features/opencities/open-data.files.server.ts'

/** The site's open data catalogue in DCAT-US 3, for portals to harvest. */
export const Route = createFileRoute('/data.json')({ server: { handlers: { GET: serveDcatUs } } })
