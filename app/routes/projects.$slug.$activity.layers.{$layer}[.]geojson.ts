import { createFileRoute } from '@tanstack/react-router'
import { serveLayerFile } from '#app/features/contributions/pages/layer-table.server.ts'

/** A layer of an activity's map, to download. */
export const Route = createFileRoute('/projects/$slug/$activity/layers/{$layer}.geojson')({
  server: { handlers: { GET: serveLayerFile } },
})
