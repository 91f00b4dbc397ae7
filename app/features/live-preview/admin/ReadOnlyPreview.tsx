import { useMemo } from 'react'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { PreviewContent } from '../preview-protocol.schema.ts'
import { PreviewPane } from './PreviewPane.tsx'

interface ReadOnlyPreviewProps {
  /** Path of the preview page: `/live-preview/home`. */
  path: string
  tokens: PreviewContent['tokens']
  language: ContentLanguage
  /** As in `PreviewPane`. */
  memberLabel?: string
  firstWidth?: '360' | '768' | '1280'
}

/** The page in a frame, for editors whose form stands beside it: nothing in it can be selected or written. */
export function ReadOnlyPreview({ path, tokens, language, ...more }: ReadOnlyPreviewProps) {
  const shown = useMemo(() => ({ blocks: null, tokens }), [tokens])
  return (
    <PreviewPane
      path={path}
      shown={shown}
      selected={undefined}
      selectedName={undefined}
      language={language}
      onSelect={doNothing}
      onEdit={doNothing}
      {...more}
    />
  )
}

const doNothing = () => {}
