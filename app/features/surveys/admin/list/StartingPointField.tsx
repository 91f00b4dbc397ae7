import { useTranslation } from 'react-i18next'
import type { Language } from '#app/lib/languages.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { RecordChoice, useFirstRecord } from '#app/shell/admin/record-choice.tsx'
import { surveySource } from '#app/shell/admin/record-sources.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { countQuestions, listQuestions } from '../../questionnaire/answers.ts'
import { SURVEY_TEMPLATES } from '../../templates/templates.ts'

export type StartingPoint = { with: 'nothing' } | { with: 'template' | 'survey'; id: string }

interface StartingPointFieldProps {
  beginning: StartingPoint
  onChange: (beginning: StartingPoint) => void
  language: Language
}

/** Surveys that can be copied: those that the viewer may change. */
const COPIED = surveySource({ managed: true })

/** Starting point: an empty survey, a template, or a copy of one of the site's surveys. */
export function StartingPointField({ beginning, onChange, language }: StartingPointFieldProps) {
  const { t } = useTranslation('survey-admin')
  const { locale } = useSite()
  const { first } = useFirstRecord(COPIED)
  const kinds = [
    { value: 'nothing', title: t('new.nothing'), text: t('new.nothing-text') },
    ...SURVEY_TEMPLATES.map((template) => ({
      value: template.id,
      title: getTranslation(template.title, language, locale),
      text: `${getTranslation(template.text, language, locale)} ${t('new.questions', { count: countQuestions(listQuestions(template.definition)) })}`,
    })),
    ...(first ? [{ value: 'survey', title: t('new.copy'), text: t('new.copy-text') }] : []),
  ]
  const chosen = beginning.with === 'template' ? beginning.id : beginning.with
  const choose = (value: string) => {
    if (value === 'nothing') onChange({ with: 'nothing' })
    else if (value === 'survey') onChange(first ? { with: 'survey', id: first.id } : { with: 'nothing' })
    else onChange({ with: 'template', id: value })
  }
  return (
    <>
      <fieldset className="field begin-with">
        <legend className="field-label">{t('new.begin')}</legend>
        {kinds.map(({ value, title, text }) => (
          <div key={value} className="begin-choice">
            <input
              type="radio"
              name="begin"
              id={`begin-${value}`}
              value={value}
              checked={chosen === value}
              aria-describedby={`begin-${value}-text`}
              onChange={() => choose(value)}
            />
            <label htmlFor={`begin-${value}`}>{title}</label>
            <small id={`begin-${value}-text`}>{text}</small>
          </div>
        ))}
      </fieldset>
      {beginning.with === 'survey' && (
        <RecordChoice
          name="copied"
          label={t('new.copied')}
          source={COPIED}
          value={beginning.id}
          onChange={(id) => id !== null && onChange({ with: 'survey', id })}
        />
      )}
    </>
  )
}
