import { Link } from '@tanstack/react-router'
import { OutcomeList } from '#app/features/outcomes/OutcomeList.tsx'
import { getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Text } from '#app/ui/text.tsx'
import { QuestionChart } from './QuestionChart.tsx'
import { SurveyBar } from '../answering/SurveyBar.tsx'
import type { SurveyFigures } from './figures.ts'
import { SUPPRESSION_THRESHOLD } from '#app/lib/suppressed-cells.ts'
import type { SurveyView } from '../surveys.views.ts'
import { useSurveyWords } from '../questionnaire/use-survey-words.ts'

interface ResultsPageProps {
  survey: SurveyView
  figures: SurveyFigures | null
  countedAt: Date | null
  nextAt: Date | null
}

/** The public results: bar charts that are tables and need no script. */
export function ResultsPage({ survey, figures, countedAt, nextAt }: ResultsPageProps) {
  const { t, format } = useSurveyWords()
  const address = { params: { slug: survey.project.slug, survey: survey.slug } }
  const answer = survey.state === 'open' && (
    <Link to="/projects/$slug/surveys/$survey" {...address} className={getButtonClass()}>
      {t('results.answer')}
    </Link>
  )
  return (
    <div className="page wrap-narrow">
      <SurveyBar project={survey.project} />
      <PageTitle
        eyebrow={t('results.title')}
        title={<Text words={survey.title} />}
        lead={figures ? t('results.lead', { count: figures.responses, number: format.number(figures.responses) }) : undefined}
      >
        {countedAt && (
          <p className="meta">
            {nextAt
              ? t('results.updated', { date: format.dateTime(countedAt), next: format.dateTime(nextAt) })
              : t('results.final', { date: format.dateTime(countedAt) })}
          </p>
        )}
      </PageTitle>
      {figures ? (
        <div className="stack results">
          {nextAt && <Notice>{t('results.steps', { count: SUPPRESSION_THRESHOLD })}</Notice>}
          {figures.questions.map((each) => (
            <div key={each.question.id}>
              <QuestionChart figures={each} />
              <OutcomeList title={t('results.outcomes')} outcomes={each.outcomes} />
            </div>
          ))}
          {answer && <p>{answer}</p>}
        </div>
      ) : (
        <EmptyState title={survey.responses === 0 ? t('results.none') : t('results.too-few')} action={answer}>
          {survey.responses === 0 ? t('results.none-text') : t('results.too-few-text', { count: SUPPRESSION_THRESHOLD })}
        </EmptyState>
      )}
    </div>
  )
}
