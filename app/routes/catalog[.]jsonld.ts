import { createFileRoute } from '@tanstack/react-router'
import { serveDcatAp } from '#app/features/opencities/open-data.files.server.ts'

/** The site's open data catalogue in DCAT-AP. */
export const Route = createFileRoute('/catalog.jsonld')({ server: { handlers: { GET: serveDcatAp } } })
