import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { v7 } from 'uuid'
import { isAppError } from '#app/lib/app-error.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { savePaperResponse } from '../../entry/entry.functions.ts'
import { describeFaults, type SentFault } from '../../answering/describe-faults.ts'
import { QuestionField } from '../../answering/QuestionField.tsx'
import { SurveySection } from '../../answering/SurveySection.tsx'
import { listQuestions, readAnswers } from '../../questionnaire/answers.ts'
import { buildFieldName, type FormValues } from '../../questionnaire/field-names.ts'
import { invalidateResponses, surveyQuery, surveyVersionsQuery } from '../../surveys.queries.ts'
import type { Answers, Definition } from '../../surveys.schema.ts'
import { useSurveyWords } from '../../questionnaire/use-survey-words.ts'

const createSheet = () => ({ id: v7(), sendKey: crypto.randomUUID() })

/** All of the survey's questions, to enter responses given on paper one after the other. */
export function PaperEntry({ id }: { id: string }) {
  const { t } = useTranslation('survey-data')
  const { t: admin } = useTranslation('survey-admin')
  const survey = useSuspenseQuery(surveyQuery(id)).data.data
  const newest = useSuspenseQuery(surveyVersionsQuery(id)).data[0]
  return (
    <>
      <PageHeader
        title={t('paper.title')}
        meta={
          <>
            <Link to="/admin/surveys/$survey/responses" params={{ survey: id }}>
              {admin('response.back')}
            </Link>
            {` · ${survey.title}`}
          </>
        }
      />
      {newest ? (
        <SheetForm survey={id} definition={newest.definition} />
      ) : (
        <EmptyState title={t('paper.not-published')}>{t('paper.not-published-text')}</EmptyState>
      )}
    </>
  )
}

function SheetForm({ survey, definition }: { survey: string; definition: Definition }) {
  const { t } = useTranslation('survey-data')
  const { t: admin } = useTranslation('survey-admin')
  const words = useSurveyWords()
  const format = useFormat()
  const site = useSite()
  const queryClient = useQueryClient()
  const [sheet, setSheet] = useState(createSheet)
  const [stored, setStored] = useState(0)
  const [language, setLanguage] = useState<ContentLanguage>(site.locale)
  const questions = listQuestions(definition)
  const save = useMutation({
    mutationFn: (answers: Answers) => savePaperResponse({ data: { survey, ...sheet, language, answers } }),
    onSuccess: () => {
      setStored((before) => before + 1)
      setSheet(createSheet())
      window.scrollTo({ top: 0 })
      return invalidateResponses(queryClient, survey)
    },
  })
  const { byField, summary } = describeFaults(words, questions, listAnswerFaults(save.error))
  const problem = !save.error || summary.length > 0 ? undefined : t(getProblemKey(save.error))
  return (
    <form
      noValidate
      className="survey-form paper-entry"
      // A new key resets the form for each response.
      key={sheet.id}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(readAnswers(questions, readFormValues(event.currentTarget)))
      }}
    >
      {stored > 0 && save.isSuccess && (
        <Notice kind="success" title={t('paper.stored', { count: stored, number: format.number(stored) })} />
      )}
      <ErrorSummary key={save.submittedAt} title={admin('problem')} errors={problem ? [{ message: problem }] : summary} />
      <p className="meta">{t('paper.text')}</p>
      {site.contentLanguages.length > 1 && (
        <SelectInput
          name="paper-language"
          label={t('paper.language')}
          value={language}
          onChange={setLanguage}
          options={site.contentLanguages.map((code) => ({ value: code, label: getLanguageName(code) }))}
        />
      )}
      {definition.pages.map((page, index) => (
        <SurveySection key={page.id} page={page} number={index + 1} total={definition.pages.length}>
          {page.questions
            .filter((question) => !question.removed && question.type !== 'file')
            .map((question) => (
              <QuestionField key={question.id} question={question} values={{}} errors={byField} />
            ))}
        </SurveySection>
      ))}
      <div className="form-actions">
        <Button type="submit" pending={save.isPending}>
          {t('paper.store')}
        </Button>
      </div>
    </form>
  )
}

function readFormValues(form: HTMLFormElement): FormValues {
  const data = new FormData(form)
  return Object.fromEntries([...new Set(data.keys())].map((name) => [name, data.getAll(name).filter((value) => typeof value === 'string')]))
}

/** Faults by form field. */
function listAnswerFaults(error: Error | null): SentFault[] {
  if (!isAppError(error)) return []
  return error.faults.flatMap(({ code, pointer = '', values }) => {
    const [, , question, part = ''] = pointer.split('/')
    return question ? [{ code, field: buildFieldName(question, part), ...(values && { values }) }] : []
  })
}

function getProblemKey(error: Error): 'paper.empty' | 'paper.full' | 'paper.failed' {
  if (isAppError(error, 'quota-full')) return 'paper.full'
  return isAppError(error, 'invalid') ? 'paper.empty' : 'paper.failed'
}
