import { createFileRoute } from '@tanstack/react-router'
import { serveSiteArchive } from '#app/features/sites/deletion/deletions.server.ts'

/** The full archive of a site that is being or has been deleted. */
export const Route = createFileRoute('/admin/sites/$site/export')({ server: { handlers: { GET: serveSiteArchive } } })
