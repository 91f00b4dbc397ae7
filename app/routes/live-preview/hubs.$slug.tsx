import { createFileRoute } from '@tanstack/react-router'
import { useCallback } from 'react'
import { prepareBlocks } from '#app/features/homepage/block-views.tsx'
import { readPreview, readPreviewData } from '#app/features/homepage/homepage.preview.functions.ts'
import type { LoadDraftData } from '#app/features/homepage/use-draft-views.ts'
import { readPreviewSearch } from '#app/features/live-preview/preview-search.schema.ts'
import { readSiteFrame } from '#app/features/sites/sites.functions.ts'
import { setPreviewViewer } from '#app/shell/preview-viewer.ts'
import { DraftedPage } from './-DraftedPage.tsx'

/** Live preview of a hub's homepage: the participants' own components, framed by its editor. */
export const Route = createFileRoute('/live-preview/hubs/$slug')({
  staticData: { namespaces: ['participant', 'editor'], hideIntercom: true },
  validateSearch: readPreviewSearch,
  beforeLoad: ({ context, search }) => setPreviewViewer(context.queryClient, search.as ?? 'visitor'),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps, params }) => {
    const request = { hub: params.slug, ...deps }
    const [frame, page] = await Promise.all([readSiteFrame(), readPreview({ data: request })])
    await prepareBlocks(page.blocks)
    return { frame, page, request }
  },
  head: () => ({ meta: [{ name: 'robots', content: 'noindex, nofollow' }] }),
  component: Preview,
})

function Preview() {
  const { frame, page, request } = Route.useLoaderData()
  const load: LoadDraftData = useCallback((input) => readPreviewData({ data: { ...request, ...input } }), [request])
  return <DraftedPage frame={frame} page={page} isPublished={request.published !== undefined} load={load} />
}
