import { memo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isHalfMoment } from '#app/lib/half-moment.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { Segmented, Toolbar } from '#app/ui/admin/toolbar.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { useMomentTexts } from '#app/shell/use-moment-texts.ts'
import type { PreviewContent } from '../preview-protocol.schema.ts'
import { FramedPage } from './FramedPage.tsx'
import { useEditor } from './use-preview-editor.ts'

const PREVIEW_READERS = ['visitor', 'participant', 'member'] as const
const FRAME_WIDTHS = ['360', '768', '1280'] as const

interface PreviewPaneProps {
  /** Path of the preview page: `/live-preview/home`. */
  path: string
  shown: PreviewContent
  selected: string | undefined
  /** Label of the selected block, next to its outline. */
  selectedName: string | undefined
  language: ContentLanguage
  onSelect: (block: string) => void
  onEdit: (block: string, path: string[], text: string) => void
  /** What somebody is called who may do more than other participants; by default, a member of the project. */
  memberLabel?: string | undefined
  /** Width of the screen at first, in pixels. */
  firstWidth?: (typeof FRAME_WIDTHS)[number]
}

/** Simulated reader and screen. */
interface PreviewOptions {
  reader: (typeof PREVIEW_READERS)[number]
  width: (typeof FRAME_WIDTHS)[number]
  scheme: 'light' | 'dark'
  beside: 'draft' | 'both'
  /** Simulated time in ISO 8601; undefined for now. */
  at: string | undefined
  /** Preview language, if not the one being edited. */
  language: ContentLanguage | undefined
}

/** The page in a frame, as its readers will see it: choose the kind of reader, language, screen width, colour scheme and time. */
export function PreviewPane(props: PreviewPaneProps) {
  const { path, shown, selected, selectedName, language, onSelect, onEdit, memberLabel, firstWidth = '1280' } = props
  const { t } = useTranslation('editor')
  const [sight, setSight] = useState<PreviewOptions>({
    reader: 'visitor',
    width: firstWidth,
    scheme: 'light',
    beside: 'draft',
    at: undefined,
    language: undefined,
  })
  const { reader, scheme } = sight
  const at = isHalfMoment(sight.at) ? undefined : sight.at
  const [spoken, width] = [sight.language ?? language, Number(sight.width)]
  const frame = useRef<HTMLIFrameElement>(null)
  const editor = useEditor(frame, { shown, selected, scheme, onSelect, onEdit })
  const buildAddress = (published: boolean) =>
    `${path}?${new URLSearchParams({ lng: spoken, as: reader, ...(at ? { at } : {}), ...(published ? { published: 'true' } : {}) })}`
  return (
    <section className="preview" aria-label={t('preview.label')}>
      <PreviewTools sight={sight} spoken={spoken} memberLabel={memberLabel} onChange={setSight} />
      <output className="preview-says">
        {editor.problem ? t(`preview.errors.${editor.problem.reason}`) : editor.link ? t('preview.link', { href: editor.link }) : ''}
      </output>
      <div className="preview-frames">
        <FramedPage
          title={t('preview.frame')}
          address={buildAddress(false)}
          width={width}
          frame={frame}
          bounds={editor.bounds}
          name={selectedName && <b>{selectedName}</b>}
        />
        {sight.beside === 'both' && <FramedPage title={t('preview.published-frame')} address={buildAddress(true)} width={width} />}
      </div>
    </section>
  )
}

interface PreviewToolsProps {
  sight: PreviewOptions
  spoken: ContentLanguage
  memberLabel: string | undefined
  onChange: (change: (before: PreviewOptions) => PreviewOptions) => void
}

/** Memoised, because the preview must update first while somebody types. */
const PreviewTools = memo(function PreviewTools({ sight, spoken, memberLabel, onChange }: PreviewToolsProps) {
  const { t } = useTranslation('editor')
  const { contentLanguages: languages } = useSite()
  const { opening: moment } = useMomentTexts()
  const format = useFormat()
  const updateOptions = (next: Partial<PreviewOptions>) => onChange((before) => ({ ...before, ...next }))
  return (
    <div className="preview-tools">
      <SelectInput
        name="preview-reader"
        label={t('preview.reader')}
        value={sight.reader}
        onChange={(reader) => updateOptions({ reader })}
        options={PREVIEW_READERS.map((value) => ({ value, label: (value === 'member' && memberLabel) || t(`preview.${value}`) }))}
      />
      <SelectInput
        name="preview-language"
        label={t('preview.language')}
        value={spoken}
        onChange={(language) => updateOptions({ language })}
        options={languages.map((code) => ({ value: code, label: getLanguageName(code) }))}
      />
      <Toolbar label={t('preview.tools')}>
        <Segmented
          label={t('preview.width')}
          value={sight.width}
          onChange={(width) => updateOptions({ width })}
          options={FRAME_WIDTHS.map((value) => ({ value, label: value }))}
        />
        <Segmented
          label={t('preview.scheme')}
          value={sight.scheme}
          onChange={(scheme) => updateOptions({ scheme })}
          options={[
            { value: 'light', label: t('preview.light') },
            { value: 'dark', label: t('preview.dark') },
          ]}
        />
        <Segmented
          label={t('preview.beside')}
          value={sight.beside}
          onChange={(beside) => updateOptions({ beside })}
          options={[
            { value: 'draft', label: t('preview.draft') },
            { value: 'both', label: t('preview.both') },
          ]}
        />
      </Toolbar>
      <details className="preview-time">
        <summary>{sight.at && !isHalfMoment(sight.at) ? format.dateTime(sight.at) : t('preview.now')}</summary>
        <div className="preview-then">
          <DateTimeField name="preview-at" label={t('preview.at')} value={sight.at} onChange={(at) => updateOptions({ at })} {...moment} />
        </div>
      </details>
    </div>
  )
})
