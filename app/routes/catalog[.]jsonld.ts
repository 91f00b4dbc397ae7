import { createFileRoute } from '@tanstack/react-router'
import { serveDcatAp } from '#app/features/opencities/open-data.files.server.ts'

/** What the site publishes, by DCAT-AP. */
export const Route = createFileRoute('/catalog.jsonld')({ server: { handlers: { GET: serveDcatAp } } })
