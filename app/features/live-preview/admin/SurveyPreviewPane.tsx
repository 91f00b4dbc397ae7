import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { CheckInput, SelectInput } from '#app/ui/admin/inputs.tsx'
import { Segmented } from '#app/ui/admin/toolbar.tsx'
import type { PreviewContent } from '../preview-protocol.schema.ts'
import { FramedPage } from './FramedPage.tsx'
import { useEditor } from './use-preview-editor.ts'

const FRAME_WIDTHS = ['360', '768', '1280'] as const
const VARIANTS = ['site', 'classic', 'revised'] as const

interface SurveyPreviewPaneProps {
  surveyId: string
  shown: PreviewContent
  selected: string | undefined
  selectedName: string | undefined
  language: ContentLanguage
  /** Layout of the survey. */
  variant: (typeof VARIANTS)[number]
  onSelect: (id: string) => void
}

const ignoreEdit = () => undefined

/** The survey in a frame, as participants will see it: choose language, width, layout, and whether its rules apply. */
export function SurveyPreviewPane({ surveyId, shown, selected, selectedName, language, variant, onSelect }: SurveyPreviewPaneProps) {
  const { t } = useTranslation('survey-admin')
  const { t: said } = useTranslation('editor')
  const { contentLanguages: languages } = useSite()
  const [width, setWidth] = useState<(typeof FRAME_WIDTHS)[number]>('360')
  const [rules, setRules] = useState(false)
  const [own, setOwn] = useState<{ language?: ContentLanguage; variant?: (typeof VARIANTS)[number] }>({})
  const [spoken, laidOut] = [own.language ?? language, own.variant ?? variant]
  const frame = useRef<HTMLIFrameElement>(null)
  const editor = useEditor(frame, { shown, selected, scheme: 'light', onSelect, onEdit: ignoreEdit })
  const address = `/live-preview/surveys/${surveyId}?${new URLSearchParams({ lng: spoken, variant: laidOut, ...(rules ? { rules: 'true' } : {}) })}`
  return (
    <section className="preview survey-preview" aria-label={said('preview.label')}>
      <div className="preview-tools">
        <Segmented
          label={said('preview.width')}
          value={width}
          onChange={setWidth}
          options={FRAME_WIDTHS.map((value) => ({ value, label: value }))}
        />
        <SelectInput
          name="preview-language"
          label={said('preview.language')}
          value={spoken}
          onChange={(next) => setOwn((now) => ({ ...now, language: next }))}
          options={languages.map((code) => ({ value: code, label: getLanguageName(code) }))}
        />
        <SelectInput
          name="preview-variant"
          label={t('fields.variant')}
          value={laidOut}
          onChange={(next) => setOwn((now) => ({ ...now, variant: next }))}
          options={VARIANTS.map((value) => ({ value, label: t(`variant.${value}`) }))}
        />
        <CheckInput name="preview-rules" label={t('preview.rules')} value={rules} onChange={setRules} />
      </div>
      <output className="preview-says">
        {editor.problem
          ? said(`preview.errors.${editor.problem.reason}`)
          : editor.link
            ? said('preview.link', { href: editor.link })
            : t('preview.text')}
      </output>
      <div className="preview-frames">
        <FramedPage
          title={said('preview.frame')}
          address={address}
          width={Number(width)}
          frame={frame}
          bounds={editor.bounds}
          name={selectedName && <b className="visually-hidden">{selectedName}</b>}
        />
      </div>
    </section>
  )
}
