import { useState } from 'react'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { useHydrated } from '#app/ui/use-hydrated.ts'
import { PageTitle } from '#app/ui/page.tsx'
import { SurveyBar } from './SurveyBar.tsx'
import { DRAFT_DAYS } from '../questionnaire/answer-limits.ts'
import { listQuestions } from '../questionnaire/answers.ts'
import type { Definition } from '../surveys.schema.ts'
import type { SurveyView } from '../surveys.views.ts'
import { buildStepHref } from './use-step-address.ts'
import { useStepTitle } from './use-step-title.ts'
import { useSurveyWords } from '../questionnaire/use-survey-words.ts'

interface FinishLaterProps {
  survey: SurveyView
  definition: Definition
  sending: { id: string; sendKey: string }
  address: string
}

/** The link to continue a draft, here or on another device. */
export function FinishLater({ survey, definition, sending, address }: FinishLaterProps) {
  const { t, format } = useSurveyWords()
  const here = useFormAction()
  const ready = useHydrated()
  const [copied, setCopied] = useState(false)
  useStepTitle(survey, t('later.title'))
  const link = `${address}?resume=${sending.id}.${sending.sendKey}`
  const copyAddress = async () => {
    await navigator.clipboard.writeText(link)
    setCopied(true)
  }
  return (
    <div className="stack">
      <SurveyBar project={survey.project} />
      <PageTitle title={t('later.title')} lead={t('later.text')} />
      <p className="survey-link">
        <a href={link}>{link}</a>
      </p>
      <p className="survey-note">{t('later.care')}</p>
      <p className="survey-note">{t('later.days', { count: DRAFT_DAYS })}</p>
      {listQuestions(definition).some(({ type }) => type === 'file') && <p className="survey-note">{t('later.files')}</p>}
      {survey.closesAt && <p className="survey-note">{t('later.until', { date: format.dateTime(survey.closesAt) })}</p>}
      <div className="form-actions">
        <a href={buildStepHref(here, '')} className={getButtonClass()}>
          {t('later.go-on')}
        </a>
        {ready && 'clipboard' in navigator && (
          <Button type="button" kind="secondary" onClick={() => void copyAddress()}>
            {copied ? t('later.copied') : t('later.copy')}
          </Button>
        )}
      </div>
    </div>
  )
}
