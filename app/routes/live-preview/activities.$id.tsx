import { createFileRoute } from '@tanstack/react-router'
import { useRef } from 'react'
import { ActivityPage } from '#app/features/contributions/pages/ActivityPage.tsx'
import { readActivityPreview, readUnsavedActivity } from '#app/features/contributions/reading/activity-preview.functions.ts'
import type { ActivityPreviewRequest } from '#app/features/contributions/reading/activity-preview.server.ts'
import { readPreviewSearch } from '#app/features/live-preview/preview-search.schema.ts'
import { useFrame } from '#app/features/live-preview/use-preview-frame.ts'
import { useUnsavedPage } from '#app/features/live-preview/use-unsaved-page.ts'
import { SiteChrome } from '#app/features/sites/SiteChrome.tsx'
import { readSiteFrame } from '#app/features/sites/sites.functions.ts'
import { setPreviewViewer } from '#app/shell/preview-viewer.ts'

/** Live preview of an activity: the participants' own page with its draft of changes, framed by its editor. */
export const Route = createFileRoute('/live-preview/activities/$id')({
  staticData: { namespaces: ['contributions', 'errors'], hideIntercom: true },
  validateSearch: readPreviewSearch,
  beforeLoad: ({ context, search }) => setPreviewViewer(context.queryClient, search.as ?? 'visitor'),
  loaderDeps: ({ search: { as, at, published } }) => ({ as, at, published }),
  loader: async ({ deps, params: { id } }) => {
    const request = { id, ...deps }
    const [frame, saved] = await Promise.all([readSiteFrame(), readActivityPreview({ data: request })])
    return { frame, saved, request }
  },
  head: () => ({ meta: [{ name: 'robots', content: 'noindex, nofollow' }] }),
  component: Preview,
})

const NO_TEXTS = (): never[] => []
const readUnsaved = (data: ActivityPreviewRequest & { content: Record<string, unknown> }) => readUnsavedActivity({ data })

function Preview() {
  const { frame, saved, request } = Route.useLoaderData()
  const texts = useRef(NO_TEXTS)
  const { shown, say } = useFrame(texts)
  const { list, now } = useUnsavedPage(saved, request, shown?.tokens, readUnsaved, say)
  return (
    <SiteChrome frame={frame}>
      <ActivityPage list={list} now={now} form={null} />
    </SiteChrome>
  )
}
