import { useCallback, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { DEFAULT_LANGUAGE, matchLanguage } from '#app/lib/languages.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import type { PageParts } from './block-parts.tsx'
import { DraftPage, type DrawDraft } from './DraftPage.tsx'
import { readDraftBlock, type TextInPlace, collectTexts } from './draft-blocks.ts'
import type { PreviewView } from './homepage.preview.server.ts'
import { type LoadDraftData, useDraftViews } from './use-draft-views.ts'

interface PreviewedPageProps extends Omit<PageParts, 'overlap' | 'level' | 'site'> {
  page: PreviewView
  load: LoadDraftData
  /** Draws another page than a homepage. */
  draw?: DrawDraft | undefined
  /** Blocks being edited, raw: from the server, or unsaved from the editor. */
  blocks: readonly object[]
  /** Changes to force a full redraw. */
  drawing: number
  /** Tells the editor what could not be shown. */
  say: (message: { kind: 'error'; reason: 'not-shown' | 'data-failed'; block?: string; detail: string }) => void
  /** Called with a lookup of the texts in a block that can be edited in place. */
  offerTexts: (textsOf: GetBlockTexts) => void
}

export type GetBlockTexts = (block: string) => TextInPlace[]

/** Shows the saved draft first, then whatever the editor holds. */
export function PreviewedPage({ page, load, draw, blocks, drawing, say, offerTexts, ...parts }: PreviewedPageProps) {
  const { i18n } = useTranslation()
  const { locale } = useSite()
  const language = matchLanguage(i18n.language) ?? DEFAULT_LANGUAGE
  useEffect(() => {
    offerTexts((id) => {
      const found = blocks.find((block) => 'id' in block && block.id === id)
      const read = found && readDraftBlock(found)
      return read && 'block' in read ? collectTexts(read.block, (text) => text[language] ?? '') : []
    })
  })
  const failed = useCallback(
    (reason: 'not-shown' | 'data-failed', block: string | undefined, detail: string) =>
      say({ kind: 'error', reason, detail, ...(block ? { block } : {}) }),
    [say],
  )
  const views = useDraftViews({ blocks, initial: page, load, language, locale, failed })
  return (
    <>
      {page.sharedUntil && <SharedDraft until={page.sharedUntil} />}
      <DraftPage key={drawing} views={views} draw={draw} site={page.site} {...parts} />
    </>
  )
}

/** Tells people who follow a shared link that this is not the published page. */
function SharedDraft({ until }: { until: string }) {
  const { t } = useTranslation('editor')
  const format = useFormat()
  return (
    <p className="shared-draft" role="note">
      <strong>{t('share.draft')}</strong> {t('share.until', { when: format.dateTime(until) })}
    </p>
  )
}
