import { createFileRoute } from '@tanstack/react-router'
import { useRef } from 'react'
import { siteLook } from '#app/features/appearance/look.schema.ts'
import { prepareBlocks } from '#app/features/homepage/block-views.tsx'
import { readPreview } from '#app/features/homepage/homepage.preview.functions.ts'
import { readPreviewSearch } from '#app/features/homepage/preview-search.ts'
import { PreviewedPage, type TextsOf } from '#app/features/homepage/PreviewedPage.tsx'
import { HubTile } from '#app/features/hubs/HubTile.tsx'
import { useFrame } from '#app/features/live-preview/use-frame.ts'
import { ProjectTile } from '#app/features/projects/ProjectTile.tsx'
import { SiteChrome } from '#app/features/sites/SiteChrome.tsx'
import { readSiteFrame } from '#app/features/sites/sites.functions.ts'
import { actAs } from '#app/shell/act-as.ts'

/** The site's homepage as it is being written: the participants' own components, framed by its editor. */
export const Route = createFileRoute('/live-preview/home')({
  staticData: { namespaces: ['participant', 'editor'], hideIntercom: true },
  validateSearch: readPreviewSearch,
  beforeLoad: ({ context, search }) => actAs(context.queryClient, search.as ?? 'visitor'),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => {
    const request = { hub: null, ...deps }
    const [frame, page] = await Promise.all([readSiteFrame(), readPreview({ data: request })])
    await prepareBlocks(page.blocks)
    return { frame, page, request }
  },
  head: () => ({ meta: [{ name: 'robots', content: 'noindex, nofollow' }] }),
  component: Preview,
})

function Preview() {
  const { frame, page, request } = Route.useLoaderData()
  const texts = useRef<TextsOf>(() => [])
  const joined = useFrame(texts)
  const tokens = request.published ? undefined : (joined.shown?.tokens ?? page.tokens)
  return (
    <SiteChrome frame={tokens ? { ...frame, look: siteLook(tokens, frame.language, frame.locale) } : frame}>
      <PreviewedPage
        page={page}
        request={request}
        frame={joined}
        offerTexts={(next) => {
          texts.current = next
        }}
        renderProject={(project, size) => <ProjectTile project={project} now={page.now} size={size} level={size === 'lead' ? 2 : 3} />}
        renderHub={(hub) => <HubTile hub={hub} />}
      />
    </SiteChrome>
  )
}
