import { useRouter } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import { toSiteLook, type SiteLook } from '#app/features/appearance/site-look.schema.ts'
import type { PreviewRequest, PreviewView } from '#app/features/homepage/homepage.preview.server.ts'
import { PreviewedPage, type GetBlockTexts } from '#app/features/homepage/PreviewedPage.tsx'
import { HubTile } from '#app/features/hubs/HubTile.tsx'
import { useFrame } from '#app/features/live-preview/use-preview-frame.ts'
import { ProjectTile } from '#app/features/projects/ProjectTile.tsx'
import { SiteChrome } from '#app/features/sites/SiteChrome.tsx'
import type { SiteFrame } from '#app/features/sites/sites.schema.ts'
import { buildThemeStyle } from '#app/ui/theme.ts'

/** A colour being chosen appears at once, without a transition. */
const STILL = '*,::before,::after{transition:none!important}'

interface DraftedPageProps {
  frame: SiteFrame
  page: PreviewView
  request: PreviewRequest
}

/** A draft page of blocks, rendered with the participants' own components. If only colours change, only the style is updated. */
export function DraftedPage({ frame, page, request }: DraftedPageProps) {
  const nonce = useRouter().options.ssr?.nonce
  const texts = useRef<GetBlockTexts>(() => [])
  const { shown, drawing, say } = useFrame(texts)
  // A published version is never changed by what the editor sends.
  const draft = request.published ? undefined : shown
  const tokens = request.published ? undefined : (draft?.tokens ?? page.tokens)
  const blocks = draft?.blocks ?? page.blocks
  const look = tokens ? JSON.stringify(toSiteLook(tokens, frame.language, frame.locale)) : undefined
  const drawn = useMemo(
    () => (
      <SiteChrome frame={look ? { ...frame, look: JSON.parse(look) as SiteLook } : frame}>
        <PreviewedPage
          page={page}
          request={request}
          blocks={blocks}
          drawing={drawing}
          say={say}
          offerTexts={(next) => {
            texts.current = next
          }}
          renderProject={(project, size) => <ProjectTile project={project} now={page.now} size={size} level={size === 'lead' ? 2 : 3} />}
          renderHub={(hub) => <HubTile hub={hub} />}
        />
      </SiteChrome>
    ),
    [frame, page, request, blocks, drawing, say, look],
  )
  return (
    <>
      {tokens && <style nonce={nonce}>{buildThemeStyle(tokens) + STILL}</style>}
      {drawn}
    </>
  )
}
