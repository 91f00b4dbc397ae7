import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DATE_PRECISIONS, formatter } from '#app/lib/format.ts'
import { LANGUAGE_NAMES, type Language } from '#app/lib/languages.ts'
import { inLanguage } from '#app/lib/translated.ts'
import { newId } from '#app/lib/uuid.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { Segmented } from '#app/ui/admin/toolbar.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import type { ProjectDraft } from './project-draft.ts'

type Dates = ProjectDraft['dates']

/** The project's timeline: what happens when, as exactly as it is known. */
export function ProjectKeyDates({ dates, onChange }: { dates: Dates; onChange: (dates: Dates) => void }) {
  const { t } = useTranslation('admin')
  const site = useSite()
  const reading = useLanguage()
  const format = formatter({ language: reading, timeZone: site.timeZone, region: site.region })
  const [language, setLanguage] = useState<Language>(site.locale)
  const set = (index: number, next: Partial<Dates[number]>) =>
    onChange(dates.map((date, at) => (at === index ? { ...date, ...next } : date)))
  const add = () => onChange([...dates, { id: newId(), title: {}, happensAt: new Date().toISOString(), precision: 'day' }])
  return (
    <div className="admin-form">
      {site.languages.length > 1 && (
        <Segmented
          label={t('editor.languages')}
          value={language}
          onChange={setLanguage}
          options={site.languages.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
        />
      )}
      {dates.length === 0 && <EmptyState title={t('dates.none')}>{t('dates.none-text')}</EmptyState>}
      {dates.map((date, index) => (
        <fieldset className="admin-panel" key={date.id ?? index}>
          <legend>{inLanguage(date.title, reading, site.locale) || t('dates.one', { number: index + 1 })}</legend>
          <TextInput
            name={`date-${index}-title`}
            label={t('dates.what')}
            language={language}
            value={date.title[language] ?? ''}
            onChange={(text) => set(index, { title: { ...date.title, [language]: text } })}
          />
          <DateTimeField
            name={`date-${index}-at`}
            label={t('dates.when')}
            value={date.happensAt}
            onChange={(at) => at && set(index, { happensAt: at })}
            zone={site.timeZone}
            dateLabel={t('moment.date')}
            timeLabel={t('moment.time')}
            describe={(at) => format.precisely(at, date.precision)}
            clearLabel={t('moment.clear')}
          />
          <SelectInput
            name={`date-${index}-precision`}
            label={t('dates.precision')}
            value={date.precision}
            onChange={(precision) => set(index, { precision })}
            options={DATE_PRECISIONS.map((value) => ({ value, label: t(`precision.${value}`) }))}
          />
          <Button kind="plain" size="small" onClick={() => onChange(dates.filter((_, at) => at !== index))}>
            {t('dates.remove')}
          </Button>
        </fieldset>
      ))}
      <div>
        <Button kind="secondary" onClick={add}>
          {t('dates.add')}
        </Button>
      </div>
    </div>
  )
}
