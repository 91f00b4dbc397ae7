import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { linkOptions } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { OutcomeList } from '#app/features/outcomes/OutcomeList.tsx'
import { profileChoicesQuery } from '#app/features/profile-answers/profile-answers.queries.ts'
import { areasQuery } from '#app/features/areas/areas.queries.ts'
import { FigureCard } from '#app/shell/admin/figure-card.tsx'
import { useList } from '#app/shell/admin/use-list.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { QuestionChart } from '../../results/QuestionChart.tsx'
import { formatValueLabel } from '../../results/value-labels.ts'
import type { ResponseTableSearch } from '../../responses/response-table-search.ts'
import type { QuestionFigures } from '../../results/figures.ts'
import { SUPPRESSION_THRESHOLD } from '#app/lib/suppressed-cells.ts'
import { surveyQuery, surveyResultsQuery } from '../../surveys.queries.ts'
import { useChartWords } from '../../results/use-chart-words.ts'
import { saveText } from '#app/shell/admin/save-text.ts'
import { SurveyHeader } from '../SurveyHeader.tsx'
import { formatDuration } from './format-duration.ts'
import { AnsweredAgain } from './AnsweredAgain.tsx'
import { CompareGroups } from './CompareGroups.tsx'
import { Completion } from './Completion.tsx'
import { CrossTable } from './CrossTable.tsx'
import { DownloadMenu } from './DownloadMenu.tsx'
import { ExportList } from './ExportList.tsx'
import { formatFiguresCsv, isSmallCount } from './figures-csv.ts'
import { ResponseFilters } from './ResponseFilters.tsx'
import { SentFiles } from './SentFiles.tsx'
import { WeightedEstimate } from './WeightedEstimate.tsx'
import { WrittenAnswers } from './written/WrittenAnswers.tsx'

/** The results question by question: figures, and written answers where there are any. Updates as people answer. */
export function SurveyResults({ id, search }: { id: string; search: ResponseTableSearch }) {
  const { t } = useTranslation('survey-admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const words = useChartWords()
  const document = useSuspenseQuery(surveyQuery(id)).data
  const { data: results, isError, isPlaceholderData, refetch } = useQuery(surveyResultsQuery(id, search))
  const list = useList(search, (next: ResponseTableSearch) =>
    linkOptions({ to: '/admin/surveys/$survey/results', params: { survey: id }, search: next, resetScroll: false }),
  )
  const areas = useQuery(areasQuery).data ?? []
  const choices = useQuery(profileChoicesQuery).data ?? []
  // Small numbers are not shown then, and neither are single answers.
  const isPart = search.area !== undefined || search.profile !== undefined
  const questions = (results?.questions ?? []) as unknown as QuestionFigures[]
  const choosable = questions.filter((figures) => ['bars', 'list', 'scale'].includes(figures.shape))
  const filterable = questions.filter((figures) => choosable.includes(figures) || figures.shape === 'grid')
  const weighedBy = questions.filter(({ question }) => question.profile !== undefined)
  return (
    <>
      <SurveyHeader document={document} actions={<DownloadMenu survey={document.data} />} />
      <ExportList survey={id} />
      <ResponseFilters id={id} list={list} areas={areas} choices={choices} questions={filterable} />
      {isError && (
        <Notice kind="error" title={t('load-failed')}>
          <Button kind="secondary" size="small" onClick={() => void refetch()}>
            {common('try-again')}
          </Button>
        </Notice>
      )}
      {!results && !isError && <Skeleton label={common('loading')} lines={10} />}
      {results && results.responses === 0 && (
        <EmptyState
          title={t(
            search.area
              ? 'responses.area-few'
              : search.profile
                ? 'responses.about-few'
                : Object.keys(search).length > 0
                  ? 'responses.none-match'
                  : 'responses.none',
          )}
        >
          {Object.keys(search).length > 0 ? undefined : t('responses.none-text')}
        </EmptyState>
      )}
      {results && results.responses > 0 && (
        <div className="admin-stack" aria-busy={isPlaceholderData}>
          {!document.data.meta.can.exportPersonalData && <p className="meta">{t('results.in-fives', { count: SUPPRESSION_THRESHOLD })}</p>}
          {hasSmallGroups(questions) && (
            <Notice kind="warning" title={t('results.small-groups', { count: SUPPRESSION_THRESHOLD })}>
              {t('results.small-groups-text')}
            </Notice>
          )}
          <div className="stat-cards">
            <FigureCard figure="surveyAnswers" value={format.number(results.responses)} />
            <FigureCard
              figure="medianTime"
              value={results.medianSeconds === null ? '–' : formatDuration(Math.round(results.medianSeconds))}
            />
            {results.languages.length > 1 && (
              <FigureCard
                figure="answerLanguages"
                value={results.languages
                  .map(
                    ({ value, count }) =>
                      `${value.slice(0, 2)} ${count === null ? words.notShown : format.percent(count / results.responses)}`,
                  )
                  .join(' · ')}
              />
            )}
          </div>
          <div>
            <Button
              kind="secondary"
              size="small"
              onClick={() => saveText(`${document.data.slug}-results.csv`, 'text/csv;charset=utf-8', formatFiguresCsv(words, questions))}
            >
              {t('results.figures-csv')}
            </Button>
          </div>
          <AnsweredAgain survey={id} />
          <Completion survey={id} />
          <CrossTable
            survey={id}
            search={search}
            questions={choosable}
            label={(question, value) => formatValueLabel(words, question, value)}
          />
          <CompareGroups survey={id} search={search} questions={questions} choices={choices} hasAreas={areas.length > 0} />
          <div className="panel-grid survey-results">
            {questions.map((figures) => (
              <div className="panel" key={figures.question.id}>
                <QuestionChart figures={figures} written />
                <OutcomeList title={words.t('results.outcomes')} outcomes={figures.outcomes} />
                {!isPart &&
                  document.data.meta.can.exportPersonalData &&
                  weighedBy.some(({ question }) => question.id !== figures.question.id) &&
                  HAS_ONE_ANSWER.has(figures.question.type) && (
                    <WeightedEstimate survey={id} question={figures.question} title={words.say(figures.question.title).text} />
                  )}
                {!isPart && <WrittenAnswers survey={id} search={search} figures={figures} />}
                {!isPart && figures.question.type === 'file' && figures.answered !== 0 && (
                  <SentFiles survey={id} question={figures.question.id} />
                )}
              </div>
            ))}
          </div>
        </div>
      )}
    </>
  )
}

const HAS_ONE_ANSWER: ReadonlySet<string> = new Set(['one_choice', 'dropdown', 'demographic'])

const hasSmallGroups = (questions: readonly QuestionFigures[]): boolean =>
  questions.some(
    ({ answered, cells, rows }) =>
      isSmallCount(answered) ||
      cells.some(({ count }) => isSmallCount(count)) ||
      rows.some((row) => isSmallCount(row.answered) || row.cells.some(({ count }) => isSmallCount(count))),
  )
