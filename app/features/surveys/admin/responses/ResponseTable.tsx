import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LANGUAGE_NAMES } from '#app/lib/languages.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { TableFoot } from '#app/shell/table-foot.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { ColumnMenu, listVisibleColumns } from '#app/ui/admin/column-menu.tsx'
import { type Column, DataTable, type SortDirection } from '#app/ui/admin/data-table.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { SearchField } from '#app/ui/text-field.tsx'
import { formatAnswer } from '../../questionnaire/format-answer.ts'
import { omitUnset, RESPONSE_TABLE_SORTS, type ResponseTableSearch } from '../../responses/response-table-search.ts'
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

/** A survey's responses one by one: filtering, sorting and paging run on the server, with the state in the URL. */
export function ResponseTable({ id, search, views }: ResponseTableProps) {
  const { t: admin } = useTranslation('admin')
  const { t } = useTranslation('survey-admin')
  const { t: common } = useTranslation()
  const speak = useSurveyWords()
  const site = useSite()
  const language = useLanguage()
  const format = useFormat()
  const navigate = useNavigate()
  const document = useSuspenseQuery(surveyQuery(id)).data
  const versions = useSuspenseQuery(surveyVersionsQuery(id)).data
  const { data, isError, isPlaceholderData, isPending, refetch } = useQuery(responseTableQuery(id, search))
  const change = (next: { [K in keyof ResponseTableSearch]?: ResponseTableSearch[K] | undefined }) =>
    void navigate({
      to: '/admin/surveys/$survey/responses',
      params: { survey: id },
      search: omitUnset({ ...search, page: undefined, ...next }),
    })
  const sort = search.sort ?? '-submittedAt'
  const sortLink = (column: string, direction: SortDirection, children: ReactNode) => {
    const by = RESPONSE_TABLE_SORTS.find((name) => name === column)
    const next = by ? { sort: direction === 'descending' ? (`-${by}` as const) : by } : {}
    return (
      <Link to="/admin/surveys/$survey/responses" params={{ survey: id }} search={omitUnset({ ...search, page: undefined, ...next })}>
        {children}
      </Link>
    )
  }
  const filtered = Boolean(search.q || search.language || search.version || search.from || search.to || search.answer || search.source)
  const definitionOf = (number: number) => versions.find((version) => version.number === number)?.definition
  const tellsWho = document.data.meta.can.exportPersonalData
  const hidden = search.hide?.split(',') ?? []
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
    { id: 'language', head: t('responses.language'), secondary: true, cell: (row) => LANGUAGE_NAMES[row.language] },
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
      <ResponseFilters
        id={id}
        search={search}
        questions={[]}
        onChange={(next) => void navigate({ to: '/admin/surveys/$survey/responses', params: { survey: id }, search: next })}
      >
        <search>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              const q = new FormData(event.currentTarget).get('q')
              change({ q: typeof q === 'string' ? q.trim() : '' })
            }}
          >
            <SearchField
              key={search.q ?? ''}
              name="q"
              label={t('responses.search')}
              button={t('list.find')}
              defaultValue={search.q ?? ''}
              placeholder={t('responses.search')}
            />
          </form>
        </search>
      </ResponseFilters>
      {search.answer && (
        <p className="row filter-note">
          {answerNote(search.answer)}
          <button type="button" className="link-button" onClick={() => change({ answer: undefined })}>
            {t('responses.clear-answer')}
          </button>
        </p>
      )}
      <div className="table-tools">
        {views}
        <ColumnMenu
          label={admin('columns')}
          columns={columns}
          hidden={hidden}
          onChange={(next) => change({ hide: next.join(','), page: search.page })}
        />
      </div>
      <DataTable
        caption={t('responses.caption')}
        columns={listVisibleColumns(columns, hidden)}
        rows={data?.data ?? []}
        rowKey={(row) => row.id}
        sort={{ column: sort.replace(/^-/, ''), direction: sort.startsWith('-') ? 'descending' : 'ascending' }}
        sortLink={sortLink}
        state={isError ? 'error' : isPending || isPlaceholderData ? 'loading' : 'ready'}
        loadingLabel={common('loading')}
        empty={
          filtered ? (
            <EmptyState
              title={t('responses.none-match')}
              action={
                <Link to="/admin/surveys/$survey/responses" params={{ survey: id }}>
                  {t('responses.all')}
                </Link>
              }
            />
          ) : (
            <EmptyState title={t('responses.none')}>{t('responses.none-text')}</EmptyState>
          )
        }
        error={
          <Notice kind="error" title={t('load-failed')}>
            <Button kind="secondary" size="small" onClick={() => void refetch()}>
              {common('try-again')}
            </Button>
          </Notice>
        }
        foot={
          <TableFoot
            total={data?.meta.total ?? 0}
            page={search.page ?? 1}
            size={RESPONSES_PER_TABLE}
            link={(page, children, attributes) => (
              <Link to="/admin/surveys/$survey/responses" params={{ survey: id }} search={omitUnset({ ...search, page })} {...attributes}>
                {children}
              </Link>
            )}
          />
        }
      />
    </>
  )

  /** "How do you travel? By bus", from the newest version that has both. */
  function answerNote(answer: string): string {
    const [question = '', value = ''] = answer.split(':')
    const found = versions.map(({ definition }) => findQuestion(definition, question)?.question).find(Boolean)
    const option = found && 'options' in found ? found.options.find((each) => each.id === value) : undefined
    const chosen = option ? getTranslation(option.label, language, site.locale) : value
    return t('responses.answered', { question: getTranslation(found?.title, language, site.locale), answer: chosen })
  }
}
