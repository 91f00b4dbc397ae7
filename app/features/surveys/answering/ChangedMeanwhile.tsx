import { Notice } from '#app/ui/notice.tsx'
import { useSurveyWords } from '../questionnaire/use-survey-words.ts'
import type { Answers, Definition } from '../surveys.schema.ts'
import type { SavedMeanwhile } from '../surveys.views.ts'
import { AnswerList } from './AnswerList.tsx'

interface ChangedMeanwhileProps {
  definition: Definition
  meanwhile: SavedMeanwhile
  /** What is on this page. */
  answers: Answers
}

/** What another device sent since this change began, beside what is typed here: only the participant can say which of them counts. */
export function ChangedMeanwhile({ definition, meanwhile, answers }: ChangedMeanwhileProps) {
  const { t, format } = useSurveyWords()
  return (
    <section className="stack survey-meanwhile">
      <Notice kind="warning" title={t('meanwhile.title')}>
        {t('meanwhile.text', { date: format.dateTime(meanwhile.editedAt) })}
      </Notice>
      <div className="survey-versions">
        <section className="stack" aria-labelledby="meanwhile-saved">
          <h2 id="meanwhile-saved">{t('meanwhile.saved')}</h2>
          <AnswerList definition={definition} answers={meanwhile.answers} />
        </section>
        <section className="stack" aria-labelledby="meanwhile-typed">
          <h2 id="meanwhile-typed">{t('meanwhile.typed')}</h2>
          <AnswerList definition={definition} answers={answers} />
        </section>
      </div>
    </section>
  )
}
