import { useTranslation } from 'react-i18next'
import { MAX_LIST_NAME, MAX_POPULATION, MIN_SAMPLE } from '#app/features/invitations/invitations.schema.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { CheckInput, NumberInput, TextInput } from '#app/ui/admin/inputs.tsx'
import type { SampleDraft } from './sample-draft.ts'

interface SampleFieldsProps {
  /** Keeps ids apart: a dialog and the form behind it have the same fields. */
  idPrefix: string
  value: SampleDraft
  onChange: (next: SampleDraft) => void
  /** Codes of the batch: no more letters were sent. */
  codes: number | undefined
  /** What the server says about a field, such as `sample.sent`. */
  messageOf: (field: string) => string | undefined
}

/** Whether letters went to a random sample, and what a statement of the method needs then. */
export function SampleFields({ idPrefix, value, onChange, codes, messageOf }: SampleFieldsProps) {
  const { t } = useTranslation('survey-access')
  const { languages } = useSite()
  return (
    <>
      <CheckInput
        id={`${idPrefix}-is-sample`}
        name="isSample"
        label={t('sample.is')}
        hint={t('sample.is-hint')}
        value={value.isSample}
        onChange={(isSample) => onChange({ ...value, isSample, sent: value.sent ?? codes })}
      />
      {value.isSample && (
        <>
          <NumberInput
            id={`${idPrefix}-sent`}
            name="sent"
            label={t('sample.sent')}
            value={value.sent}
            onChange={(sent) => onChange({ ...value, sent })}
            min={MIN_SAMPLE}
            {...(codes !== undefined && { max: codes })}
            error={messageOf('sample.sent')}
          />
          <NumberInput
            id={`${idPrefix}-population`}
            name="population"
            label={t('sample.population')}
            value={value.population}
            onChange={(population) => onChange({ ...value, population })}
            min={MIN_SAMPLE}
            max={MAX_POPULATION}
            digits={10}
            error={messageOf('sample.population')}
          />
          {languages.map((language, at) => (
            <TextInput
              key={language}
              id={`${idPrefix}-list-${language}`}
              name={`list-${language}`}
              label={languages.length === 1 ? t('sample.list') : t('sample.list-in', { language: getLanguageName(language) })}
              hint={at === 0 ? t('sample.list-hint') : undefined}
              value={value.list[language] ?? ''}
              onChange={(text) => onChange({ ...value, list: { ...value.list, [language]: text } })}
              maxLength={MAX_LIST_NAME}
              error={at === 0 ? messageOf('sample.list') : undefined}
            />
          ))}
          <p className="meta">{t('sample.rules')}</p>
        </>
      )}
    </>
  )
}
