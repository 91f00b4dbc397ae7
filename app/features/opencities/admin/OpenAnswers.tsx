import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { PageButtons } from '#app/shell/admin/page-buttons.tsx'
import { api } from '#app/shell/api.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { type Column, DataTable } from '#app/ui/admin/data-table.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { ANSWERS_PER_PAGE, forgetOpenAnswers, openAnswersQuery } from '../open-answers.queries.ts'
import { OPEN_ANSWER_STATES, type OpenAnswerState } from '../open-answers.schema.ts'

type Row = Awaited<ReturnType<NonNullable<ReturnType<typeof openAnswersQuery>['queryFn']>>>['data'][number]

/** Free-text answers, to read and approve before they are published with the results. */
export function OpenAnswers({ survey }: { survey: string }) {
  const { t } = useTranslation('city-admin')
  const { t: common } = useTranslation()
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [state, setState] = useState<OpenAnswerState | ''>('waiting')
  const [page, setPage] = useState(1)
  const [selected, setSelected] = useState(new Set<string>())
  const { data, isError, isPending, isPlaceholderData } = useQuery(openAnswersQuery(survey, state || undefined, page))
  const decide = useMutation({
    mutationFn: (approved: boolean) =>
      api.create('open-answer-decisions', {
        attributes: { answers: [...selected], approved },
        relationships: { survey: { type: 'surveys', id: survey } },
      }),
    onSuccess: async () => {
      setSelected(new Set())
      setPage(1)
      await forgetOpenAnswers(queryClient, survey)
    },
  })
  const total = data?.meta.total ?? 0
  return (
    <div className="admin-stack">
      <p>{t('open-answers.text')}</p>
      <SelectInput
        name="state"
        label={t('open-answers.show')}
        value={state}
        options={[
          ...OPEN_ANSWER_STATES.map((value) => ({ value, label: t(`open-answers.states.${value}`) })),
          { value: '', label: t('open-answers.states.all') },
        ]}
        onChange={(next) => {
          setState(next)
          setPage(1)
          setSelected(new Set())
        }}
      />
      {decide.isError && <Notice kind="error" title={t('open-answers.failed')} />}
      <DataTable
        caption={t('open-answers.title')}
        columns={useColumns()}
        rows={data?.data ?? []}
        rowKey={(row) => row.id}
        state={isError ? 'error' : isPending || isPlaceholderData ? 'loading' : 'ready'}
        loadingLabel={common('loading')}
        selection={{
          selected,
          onChange: setSelected,
          allLabel: t('open-answers.select-all'),
          rowLabel: (row) => t('open-answers.select', { text: row.text.slice(0, 60) }),
          summary: (count) => t('open-answers.selected', { count, number: format.number(count) }),
          clearLabel: t('open-answers.clear'),
          actions: (
            <>
              <Button size="small" disabled={decide.isPending} onClick={() => decide.mutate(true)}>
                {t('open-answers.approve')}
              </Button>
              <Button size="small" kind="secondary" disabled={decide.isPending} onClick={() => decide.mutate(false)}>
                {t('open-answers.refuse')}
              </Button>
            </>
          ),
        }}
        empty={<EmptyState title={t('open-answers.none')} />}
        error={<Notice kind="error" title={admin('load-failed')} />}
        foot={<PageButtons page={page} size={ANSWERS_PER_PAGE} total={total} onPage={setPage} />}
      />
    </div>
  )
}

function useColumns(): readonly Column<Row>[] {
  const { t } = useTranslation('city-admin')
  return [
    {
      id: 'text',
      head: t('open-answers.written'),
      names: true,
      cell: (row) => (
        <span lang={row.language} dir={getDirection(row.language)}>
          {row.text}
        </span>
      ),
    },
    { id: 'question', head: t('open-answers.question'), secondary: true, cell: (row) => row.questionText },
    {
      id: 'state',
      head: t('datasets.state'),
      cell: (row) =>
        row.approved ? (
          <Badge tone="ok">{t('open-answers.states.approved')}</Badge>
        ) : (
          <Badge hollow>{t('open-answers.states.waiting')}</Badge>
        ),
    },
  ]
}
