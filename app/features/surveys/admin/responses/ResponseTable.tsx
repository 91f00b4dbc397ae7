import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { ListFind } from '#app/shell/admin/list-filters.tsx'
import { ListScreen } from '#app/shell/admin/list-screen.tsx'
import { useList } from '#app/shell/admin/use-list.tsx'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import type { Column } from '#app/ui/admin/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { formatAnswer } from '../../questionnaire/format-answer.ts'
import type { ResponseTableSearch } from '../../responses/response-table-search.ts'
import { RESPONSES_PER_TABLE, responseTableQuery, surveyQuery, surveyVersionsQuery } from '../../surveys.queries.ts'
import { useSurveyWords } from '../../questionnaire/use-survey-words.ts'
import { findQuestion } from '../editor/definition-edits.ts'
import { SurveyHeader } from '../SurveyHeader.tsx'
import { AddResponses } from './AddResponses.tsx'
import { DownloadMenu } from './DownloadMenu.tsx'
import { ExportList } from './ExportList.tsx'
import { ResponseFilters } from './ResponseFilters.tsx'
import { formatDuration } from './format-duration.ts'

type Row = Awaited<ReturnType<NonNullable<ReturnType<typeof responseTableQuery>['queryFn']>>>['data'][number]

const ANSWERS_PREVIEWED = 2

interface ResponseTableProps {
  id: string
  search: ResponseTableSearch
  /** The table's `SavedViews`. */
  views: ReactNode
}

/** A survey's responses one by one. */
export function ResponseTable({ id, search, views }: ResponseTableProps) {
  const { t } = useTranslation('survey-admin')
  const speak = useSurveyWords()
  const site = useSite()
  const language = useLanguage()
  const format = useFormat()
  const document = useSuspenseQuery(surveyQuery(id)).data
  const versions = useSuspenseQuery(surveyVersionsQuery(id)).data
  const list = useList(search, (next: ResponseTableSearch) =>
    linkOptions({ to: '/admin/surveys/$survey/responses', params: { survey: id }, search: next }),
  )
  const definitionOf = (number: number) => versions.find((version) => version.number === number)?.definition
  const tellsWho = document.data.meta.can.exportPersonalData
  const columns: readonly Column<Row>[] = [
    {
      id: 'submittedAt',
      head: t('responses.sent'),
      names: true,
      sortable: true,
      cell: (row) => (
        <Link to="/admin/surveys/$survey/responses/$response" params={{ survey: id, response: row.id }}>
          {format.dateTime(row.submittedAt)}
        </Link>
      ),
    },
    {
      id: 'answers',
      head: t('responses.said'),
      cell: (row) => {
        const definition = definitionOf(row.version)
        const words = (definition?.pages ?? [])
          .flatMap((page) => page.questions)
          .filter((question) => Object.hasOwn(row.answers, question.id))
          .slice(0, ANSWERS_PREVIEWED)
          .map((question) => formatAnswer(speak, question, row.answers[question.id]).join(', '))
        return <span className="glimpse">{words.join(' · ')}</span>
      },
    },
    ...(tellsWho ? [{ id: 'who', head: t('responses.who'), secondary: true, cell: (row: Row) => row.participant?.login ?? '–' }] : []),
    { id: 'language', head: t('responses.language'), secondary: true, cell: (row) => getLanguageName(row.language) },
    { id: 'version', head: t('responses.version'), align: 'end', secondary: true, cell: (row) => format.number(row.version) },
    {
      id: 'seconds',
      head: t('responses.took'),
      align: 'end',
      sortable: true,
      secondary: true,
      cell: (row) => (row.seconds === null ? '–' : formatDuration(row.seconds)),
    },
  ]
  return (
    <>
      <SurveyHeader
        document={document}
        actions={
          <>
            <AddResponses survey={document.data} />
            <DownloadMenu survey={document.data} />
          </>
        }
      />
      <ExportList survey={id} />
      <ListScreen
        list={list}
        caption={t('responses.caption')}
        columns={columns}
        query={useQuery(responseTableQuery(id, search))}
        pageSize={RESPONSES_PER_TABLE}
        sort="-submittedAt"
        hides
        filters={
          <>
            <ResponseFilters id={id} list={list} questions={[]}>
              <ListFind list={list} name="q" label={t('responses.search')} button={t('list.find')} placeholder={t('responses.search')} />
            </ResponseFilters>
            {search.answer && (
              <p className="row filter-note">
                {describeAnswer(search.answer)}
                <button type="button" className="link-button" onClick={() => list.change({ answer: undefined })}>
                  {t('responses.clear-answer')}
                </button>
              </p>
            )}
          </>
        }
        views={views}
        noMatch={{
          title: t('responses.none-match'),
          all: t('responses.all'),
          filters: ['q', 'language', 'version', 'from', 'to', 'source', 'answers', 'area', 'profile', 'answer'],
        }}
        none={<EmptyState title={t('responses.none')}>{t('responses.none-text')}</EmptyState>}
      />
    </>
  )

  /** "How do you travel? By bus", from the newest version that has both. */
  function describeAnswer(answer: string): string {
    const [question = '', value = ''] = answer.split(':')
    const found = versions.map(({ definition }) => findQuestion(definition, question)?.question).find(Boolean)
    const option = found && 'options' in found ? found.options.find((each) => each.id === value) : undefined
    const chosen = option ? getTranslation(option.label, language, site.locale) : value
    return t('responses.answered', { question: getTranslation(found?.title, language, site.locale), answer: chosen })
  }
}
