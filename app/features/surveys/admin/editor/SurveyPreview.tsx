import { type ReactNode, useMemo } from 'react'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { SurveyVariant } from '#app/lib/vocabulary/surveys.ts'
import { toHeadBlock, toPartBlocks } from '../../preview/preview-blocks.ts'
import { findQuestion } from './definition-edits.ts'
import { useConditionWords } from './logic/use-condition-words.ts'
import type { SurveyDraft } from './survey-draft.ts'

/** Props of a preview. The page decides what renders it: this feature knows nothing of frames. */
export interface SurveyPreviewInput {
  shown: { blocks: { id: string; type: string }[]; tokens: null }
  selected: string | undefined
  selectedName: string | undefined
  language: ContentLanguage
  variant: SurveyVariant
  onSelect: (id: string) => void
}

interface SurveyPreviewProps extends Pick<SurveyPreviewInput, 'selected' | 'language' | 'onSelect'> {
  draft: SurveyDraft
  preview: (input: SurveyPreviewInput) => ReactNode
}

/** Live preview of the draft beside its forms. */
export function SurveyPreview({ draft, selected, language, onSelect, preview }: SurveyPreviewProps) {
  const words = useConditionWords()
  const { titleTranslations: title, introTranslations: intro, variant, anonymous, minutes, definition } = draft
  const head = useMemo(
    () => toHeadBlock({ title, intro, variant, anonymous, minutes, definition: { schema: 1, pages: [] } }),
    [title, intro, variant, anonymous, minutes],
  )
  const shown = useMemo(() => ({ blocks: [head, ...toPartBlocks(definition)], tokens: null }), [head, definition])
  const question = selected === undefined ? undefined : findQuestion(definition, selected)?.question
  const selectedName = question
    ? words.nameOf(question)
    : definition.pages.some((page) => page.id === selected)
      ? words.pageName(definition, selected ?? '')
      : undefined
  return preview({ shown, selected, selectedName, language, variant, onSelect })
}
