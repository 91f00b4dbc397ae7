import { createFileRoute } from '@tanstack/react-router'
import { serveSiteArchive } from '#app/features/sites/deletion/deletions.server.ts'

/** Everything of a site that is to be deleted, or was, in one file. */
export const Route = createFileRoute('/admin/sites/$site/export')({ server: { handlers: { GET: serveSiteArchive } } })
