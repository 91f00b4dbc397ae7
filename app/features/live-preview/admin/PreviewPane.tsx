import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LANGUAGE_NAMES, type Language } from '#app/lib/languages.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { Segmented, Toolbar } from '#app/ui/admin/toolbar.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import type { Shown } from '../protocol.schema.ts'
import { FramedPage } from './FramedPage.tsx'
import { useEditor } from './use-editor.ts'

const READERS = ['visitor', 'participant', 'member'] as const
const WIDTHS = ['360', '768', '1280'] as const

interface PreviewPaneProps {
  /** Address of the page in preview: `/live-preview/home`. */
  path: string
  shown: Shown
  selected: string | undefined
  /** What the selected block is called, beside its outline. */
  selectedName: string | undefined
  language: Language
  onSelect: (block: string) => void
  onEdit: (block: string, path: string[], text: string) => void
}

/** The page as its readers will see it, in a frame of its own: who they are, in what language, on what screen, by day or night, and when. */
export function PreviewPane({ path, shown, selected, selectedName, language, onSelect, onEdit }: PreviewPaneProps) {
  const { t } = useTranslation('editor')
  const { languages, timeZone } = useSite()
  const format = useFormat()
  const [reader, setReader] = useState<(typeof READERS)[number]>('visitor')
  const [width, setWidth] = useState<(typeof WIDTHS)[number]>('1280')
  const [scheme, setScheme] = useState<'light' | 'dark'>('light')
  const [beside, setBeside] = useState<'draft' | 'both'>('draft')
  const [at, setAt] = useState<string>()
  const [ownLanguage, setLanguage] = useState<Language>()
  const spoken = ownLanguage ?? language
  const frame = useRef<HTMLIFrameElement>(null)
  const editor = useEditor(frame, { shown, selected, scheme, onSelect, onEdit })
  const address = (published: boolean) =>
    `${path}?${new URLSearchParams({ lng: spoken, as: reader, ...(at ? { at } : {}), ...(published ? { published: 'true' } : {}) })}`
  return (
    <section className="preview" aria-label={t('preview.label')}>
      <div className="preview-tools">
        <SelectInput
          name="preview-reader"
          label={t('preview.reader')}
          value={reader}
          onChange={setReader}
          options={READERS.map((value) => ({ value, label: t(`preview.${value}`) }))}
        />
        <SelectInput
          name="preview-language"
          label={t('preview.language')}
          value={spoken}
          onChange={setLanguage}
          options={languages.map((code) => ({ value: code, label: LANGUAGE_NAMES[code] }))}
        />
        <Toolbar label={t('preview.tools')}>
          <Segmented
            label={t('preview.width')}
            value={width}
            onChange={setWidth}
            options={WIDTHS.map((value) => ({ value, label: value }))}
          />
          <Segmented
            label={t('preview.scheme')}
            value={scheme}
            onChange={setScheme}
            options={[
              { value: 'light', label: t('preview.light') },
              { value: 'dark', label: t('preview.dark') },
            ]}
          />
          <Segmented
            label={t('preview.beside')}
            value={beside}
            onChange={setBeside}
            options={[
              { value: 'draft', label: t('preview.draft') },
              { value: 'both', label: t('preview.both') },
            ]}
          />
        </Toolbar>
        <details className="preview-time">
          <summary>{at ? format.dateTime(at) : t('preview.now')}</summary>
          <div className="preview-then">
            <DateTimeField
              name="preview-at"
              label={t('preview.at')}
              value={at}
              onChange={setAt}
              zone={timeZone}
              dateLabel={t('publish.date')}
              timeLabel={t('publish.time')}
              describe={(moment) => t('publish.moment', { day: format.weekday(moment), time: format.time(moment), zone: timeZone })}
              clearLabel={t('publish.clear')}
            />
          </div>
        </details>
      </div>
      <output className="preview-says">
        {editor.problem ? t(`preview.errors.${editor.problem.reason}`) : editor.link ? t('preview.link', { href: editor.link }) : ''}
      </output>
      <div className="preview-frames">
        <FramedPage
          title={t('preview.frame')}
          address={address(false)}
          width={Number(width)}
          frame={frame}
          bounds={editor.bounds}
          name={selectedName && <b>{selectedName}</b>}
        />
        {beside === 'both' && <FramedPage title={t('preview.published-frame')} address={address(true)} width={Number(width)} />}
      </div>
    </section>
  )
}
