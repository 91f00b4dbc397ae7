import { useRouter } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import { toSiteLook, type SiteLook } from '#app/features/appearance/site-look.schema.ts'
import type { DrawDraft } from '#app/features/homepage/DraftPage.tsx'
import type { PreviewView } from '#app/features/homepage/homepage.preview.server.ts'
import { PreviewedPage, type GetBlockTexts } from '#app/features/homepage/PreviewedPage.tsx'
import type { LoadDraftData } from '#app/features/homepage/use-draft-views.ts'
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
  /** It shows what is published, which the editor does not change. */
  isPublished: boolean
  load: LoadDraftData
  draw?: DrawDraft
}

/** A draft page of blocks, rendered with the participants' own components. If only colours change, only the style is updated. */
export function DraftedPage({ frame, page, isPublished, load, draw }: DraftedPageProps) {
  const nonce = useRouter().options.ssr?.nonce
  const texts = useRef<GetBlockTexts>(() => [])
  const { shown, drawing, say } = useFrame(texts)
  const draft = isPublished ? undefined : shown
  const tokens = isPublished ? undefined : (draft?.tokens ?? page.tokens)
  const blocks = draft?.blocks ?? page.blocks
  const look = tokens ? JSON.stringify(toSiteLook(tokens, frame.language, frame.locale)) : undefined
  const drawn = useMemo(
    () => (
      <SiteChrome frame={look ? { ...frame, look: JSON.parse(look) as SiteLook } : frame}>
        <PreviewedPage
          page={page}
          load={load}
          draw={draw}
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
    [frame, page, load, draw, blocks, drawing, say, look],
  )
  return (
    <>
      {tokens && <style nonce={nonce}>{buildThemeStyle(tokens) + STILL}</style>}
      {drawn}
    </>
  )
}
