import { useTranslation } from 'react-i18next'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { RecordChoice, useFirstRecord } from '#app/shell/admin/record-choice.tsx'
import { surveySource } from '#app/shell/admin/record-sources.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { CardChoice } from '#app/ui/admin/card-choice.tsx'
import { countQuestions, listQuestions } from '../../questionnaire/answers.ts'
import { SURVEY_TEMPLATES } from '../../templates/templates.ts'

export type StartingPoint = { with: 'nothing' } | { with: 'template' | 'survey'; id: string }

interface StartingPointFieldProps {
  beginning: StartingPoint
  onChange: (beginning: StartingPoint) => void
  language: ContentLanguage
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
      <CardChoice name="begin" legend={t('new.begin')} options={kinds} value={chosen} onChange={choose} />
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
