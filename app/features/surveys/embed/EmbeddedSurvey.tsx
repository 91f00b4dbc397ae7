import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { FormState } from '#app/server/request-context.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { RichText } from '#app/ui/RichText.tsx'
import { Text } from '#app/ui/text.tsx'
import { describeFaults } from '../answering/describe-faults.ts'
import { QuestionField } from '../answering/QuestionField.tsx'
import { ResendNotice } from '../answering/ResendNotice.tsx'
import { SurveyIntro, Honeypot } from '../answering/SurveyIntro.tsx'
import { SurveySection } from '../answering/SurveySection.tsx'
import { getFormEncoding } from '../questionnaire/answers.ts'
import { unpackLongLists } from '../questionnaire/packed-lists.ts'
import { listAskedQuestions, walkSurvey } from '../questionnaire/walk-survey.ts'
import { useSurveyWords } from '../questionnaire/use-survey-words.ts'
import type { EmbeddedSurveyView } from './embedded-survey.server.ts'

interface EmbeddedSurveyProps {
  page: EmbeddedSurveyView
  form: FormState | null
}

/** A survey framed by another site. Links out of it open a new tab; nothing is stored on the device. */
export function EmbeddedSurvey({ page, form }: EmbeddedSurveyProps) {
  if (page.receipt !== undefined) return <Thanks page={page} />
  return page.takesAnswers || form ? <FramedForm page={page} form={form} /> : <AnsweredElsewhere page={page} />
}

function FramedForm({ page, form }: EmbeddedSurveyProps) {
  const { survey, sending, version, now } = page
  const definition = useMemo(() => unpackLongLists(page.definition), [page.definition])
  const words = useSurveyWords()
  const action = useFormAction()
  const values = form?.values ?? {}
  const readField = (name: string, fallback: string) => (typeof values[name] === 'string' ? values[name] : fallback)
  const id = readField('id', sending.id)
  const { pages } = walkSurvey(definition, {}, id)
  const questions = listAskedQuestions({ pages, end: '', kept: {} })
  const { byField, summary } = describeFaults(words, questions, form?.faults ?? [])
  return (
    <>
      <SurveyIntro survey={survey} definition={definition} questions={questions} now={now} />
      {summary.length > 0 && <ErrorSummary key={sending.id} title={words.t('problem')} errors={summary} />}
      {form && summary.length === 0 && <ResendNotice survey={survey} form={form} />}
      <form className="survey-form" method="post" encType={getFormEncoding(questions)} action={action} noValidate>
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="sendKey" value={readField('sendKey', sending.sendKey)} />
        <input type="hidden" name="version" value={version} />
        <Honeypot />
        {pages.map(({ page: part, questions: own }, index) => (
          <SurveySection key={part.id} page={part} number={index + 1} total={pages.length}>
            {own.map((question) => (
              <QuestionField key={question.id} question={question} values={values} errors={byField} />
            ))}
          </SurveySection>
        ))}
        <div className="survey-send">
          <div className="form-actions">
            <Button type="submit">{words.t('send')}</Button>
          </div>
        </div>
      </form>
    </>
  )
}

function Thanks({ page: { survey, receipt, counted, receiptAddress } }: { page: EmbeddedSurveyView }) {
  const { t } = useTranslation('embeds')
  const site = useSite()
  return (
    <>
      <PageTitle eyebrow={<Text words={survey.title} />} title={t(survey.thanks.text ? 'received' : 'thanks')}>
        {survey.thanks.text && <RichText text={survey.thanks.text} lang={survey.thanks.lang} className="lead" />}
      </PageTitle>
      {receipt ? (
        <Notice kind="success" title={t('receipt')}>
          <p className="receipt-code">
            <code>{receipt}</code>
          </p>
          <p>{t('receipt-text')}</p>
          {!counted && <p>{t('checked')}</p>}
          <p>
            <a href={receiptAddress} target="_blank" rel="noopener">
              {t('see-receipt', { site: site.name })}
            </a>
          </p>
        </Notice>
      ) : (
        <p>{t('gone')}</p>
      )}
    </>
  )
}

function AnsweredElsewhere({ page: { survey, isOpen, address } }: { page: EmbeddedSurveyView }) {
  const { t } = useTranslation('embeds')
  const site = useSite()
  return (
    <>
      <PageTitle eyebrow={<Text words={survey.project.title} />} title={<Text words={survey.title} />}>
        <p className="lead">{isOpen ? t('elsewhere-text') : t('closed')}</p>
      </PageTitle>
      <p>
        <a className={getButtonClass()} href={address} target="_blank" rel="noopener">
          {isOpen ? t('elsewhere', { site: site.name }) : t('see-survey', { site: site.name })}
        </a>
      </p>
    </>
  )
}
