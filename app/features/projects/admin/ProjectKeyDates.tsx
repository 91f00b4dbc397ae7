import { useTranslation } from 'react-i18next'
import { DATE_PRECISIONS, getFormatter } from '#app/lib/format.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useMomentTexts } from '#app/shell/use-moment-texts.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import type { ProjectContent } from '../project-content.schema.ts'
import { RepeatedItems } from './RepeatedItems.tsx'

type Dates = ProjectContent['dates']

interface ProjectKeyDatesProps {
  dates: Dates
  onChange: (dates: Dates) => void
  messageOf: (field: string) => string | undefined
}

/** The project's timeline: what happens when, as precisely as is known. */
export function ProjectKeyDates({ dates, onChange, messageOf }: ProjectKeyDatesProps) {
  const { t } = useTranslation('admin')
  const site = useSite()
  const reading = useLanguage()
  const { opening } = useMomentTexts()
  const format = getFormatter({ language: reading, timeZone: site.timeZone, region: site.region })
  return (
    <div className="admin-form">
      <RepeatedItems
        items={dates}
        onChange={onChange}
        nameOf={(date, at) => getTranslation(date.title, reading, site.locale) || t('dates.one', { number: at + 1 })}
        blank={() => ({ title: {}, happensAt: new Date().toISOString(), precision: 'day' as const })}
        words={{ none: t('dates.none'), noneText: t('dates.none-text'), add: t('dates.add'), remove: t('dates.remove') }}
      >
        {(date, set, at, language) => (
          <>
            <TextInput
              name={`date-${at}-title`}
              label={t('dates.what')}
              language={language}
              value={date.title[language] ?? ''}
              onChange={(text) => set({ title: { ...date.title, [language]: text } })}
            />
            <DateTimeField
              name={`date-${at}-at`}
              label={t('dates.when')}
              value={date.happensAt}
              // A key date needs a day: clearing it makes it missing, not null.
              onChange={(moment) => set({ happensAt: moment ?? 'T' })}
              error={messageOf(`dates.${at}.happensAt`)}
              {...opening}
              describe={(moment) => format.precisely(moment, date.precision)}
            />
            <SelectInput
              name={`date-${at}-precision`}
              label={t('dates.precision')}
              value={date.precision}
              onChange={(precision) => set({ precision })}
              options={DATE_PRECISIONS.map((value) => ({ value, label: t(`precision.${value}`) }))}
            />
          </>
        )}
      </RepeatedItems>
    </div>
  )
}
