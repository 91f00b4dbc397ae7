import { createFileRoute } from '@tanstack/react-router'
import { useCallback } from 'react'
import { readReportPreview, readReportPreviewData } from '#app/features/heard-reports/heard-reports.functions.ts'
import { findReportKind } from '#app/features/heard-reports/heard-reports.schema.ts'
import { ReportPage } from '#app/features/heard-reports/ReportPage.tsx'
import { prepareBlocks } from '#app/features/homepage/block-views.tsx'
import type { DrawDraft } from '#app/features/homepage/DraftPage.tsx'
import type { LoadDraftData } from '#app/features/homepage/use-draft-views.ts'
import { readPreviewSearch } from '#app/features/live-preview/preview-search.schema.ts'
import { readSiteFrame } from '#app/features/sites/sites.functions.ts'
import { setPreviewViewer } from '#app/shell/preview-viewer.ts'
import { renderReportBlock } from '../-report-blocks.tsx'
import { DraftedPage } from './-DraftedPage.tsx'

/** Live preview of a project's report with today's figures: the participants' own components, framed by its editor. */
export const Route = createFileRoute('/live-preview/reports/$id')({
  staticData: { namespaces: ['participant', 'editor', 'heard', 'heard-report'], hideIntercom: true },
  validateSearch: readPreviewSearch,
  beforeLoad: ({ context, search }) => setPreviewViewer(context.queryClient, search.as ?? 'visitor'),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps: { link: _link, ...search }, params }) => {
    const request = { project: params.id, ...search }
    const [frame, page] = await Promise.all([readSiteFrame(), readReportPreview({ data: request })])
    await prepareBlocks(page.blocks)
    return { frame, page, request }
  },
  head: () => ({ meta: [{ name: 'robots', content: 'noindex, nofollow' }] }),
  component: Preview,
})

function Preview() {
  const { frame, page, request } = Route.useLoaderData()
  const { project } = page
  const load: LoadDraftData = useCallback(({ blocks }) => readReportPreviewData({ data: { ...request, blocks } }), [request])
  const draw: DrawDraft = useCallback(
    (views, around) => (
      <ReportPage project={project} kind={findReportKind(views)} blocks={views} render={renderReportBlock} around={around} />
    ),
    [project],
  )
  return <DraftedPage frame={frame} page={page} isPublished={request.published !== undefined} load={load} draw={draw} />
}
