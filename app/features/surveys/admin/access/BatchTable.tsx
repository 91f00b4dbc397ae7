import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { type Column, DataTable } from '#app/ui/admin/data-table.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { invitationBatchesQuery } from '../../surveys.queries.ts'
import { DescribeLetters } from './DescribeLetters.tsx'
import { type InvitationSubject, removeBatch } from './invitation-subject.ts'

/** Batches made or sent so far, and how many invitations of each were used. */
export function BatchTable({ subject }: { subject: InvitationSubject }) {
  const { t } = useTranslation('survey-access')
  const { t: common } = useTranslation()
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const { data, isPending, isError } = useQuery(invitationBatchesQuery(subject))
  const [withdrawing, setWithdrawing] = useState<string>()
  const withdraw = useMutation({
    mutationFn: (batch: string) => removeBatch(subject, batch),
    onSuccess: async () => {
      showToast({ kind: 'success', text: t('batches.withdrawn') })
      await queryClient.invalidateQueries({ queryKey: invitationBatchesQuery(subject).queryKey })
    },
    onSettled: () => setWithdrawing(undefined),
  })
  const [describing, setDescribing] = useState<string>()
  const rows = data?.data ?? []
  const isSurvey = subject.type === 'surveys'
  type Row = (typeof rows)[number]
  const described = rows.find(({ id }) => id === describing)
  const columns: Column<Row>[] = [
    { id: 'kind', head: t('batches.kind'), cell: (row) => t(`batches.${row.kind}`), names: true },
    { id: 'made', head: t('batches.made'), cell: (row) => format.dateTime(row.createdAt), secondary: true },
    { id: 'total', head: t('batches.total'), cell: (row) => format.number(row.total), align: 'end' },
    ...(isSurvey
      ? [
          {
            id: 'used',
            head: t('batches.used'),
            cell: (row: Row) => (row.used === null ? t('batches.hidden') : format.number(row.used)),
            align: 'end' as const,
          },
          { id: 'sample', head: t('sample.column'), cell: (row: Row) => <SampleCell batch={row} onChange={() => setDescribing(row.id)} /> },
        ]
      : []),
    {
      id: 'act',
      head: <span className="visually-hidden">{t(isSurvey ? 'batches.withdraw' : 'batches.withdraw-all')}</span>,
      acts: true,
      cell: (row) =>
        row.used !== row.total && (
          <>
            <Button kind="plain" size="small" onClick={() => setWithdrawing(row.id)}>
              {t(isSurvey ? 'batches.withdraw' : 'batches.withdraw-all')}
            </Button>
            {withdraw.variables === row.id && <Refusal error={withdraw.error} />}
          </>
        ),
    },
  ]
  return (
    <>
      <DataTable
        caption={t('batches.caption')}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.id}
        state={isError ? 'error' : isPending ? 'loading' : 'ready'}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('batches.none')}>{t('batches.none-text')}</EmptyState>}
        error={<Notice kind="error" title={t('batches.failed')} />}
      />
      <ConfirmDialog
        title={t(isSurvey ? 'batches.withdraw-title' : 'batches.withdraw-all-title')}
        isOpen={withdrawing !== undefined}
        onClose={() => setWithdrawing(undefined)}
        onConfirm={async () => {
          if (withdrawing) await withdraw.mutateAsync(withdrawing).catch(() => undefined)
        }}
        confirmLabel={t(isSurvey ? 'batches.withdraw' : 'batches.withdraw-all')}
        cancelLabel={admin('confirm.cancel')}
        danger
      >
        <p>{t(isSurvey ? 'batches.withdraw-text' : 'batches.withdraw-all-text')}</p>
        {findSample(rows.find(({ id }) => id === withdrawing)) && <p>{t('sample.withdrawn')}</p>}
      </ConfirmDialog>
      {described && 'sample' in described && (
        <DescribeLetters subject={subject} batch={described} onClose={() => setDescribing(undefined)} />
      )}
    </>
  )
}

type Batch = Resource<'survey-invitation-batches'> | Resource<'activity-invitation-batches'>

const findSample = (batch: Batch | undefined) => (batch && 'sample' in batch ? batch.sample : null)

/** What is recorded about the people that letters went to, and a button to correct it. */
function SampleCell({ batch, onChange }: { batch: Batch; onChange: () => void }) {
  const { t } = useTranslation('survey-access')
  const format = useFormat()
  const sample = findSample(batch)
  if (batch.kind !== 'codes') return '–'
  return (
    <span className="row">
      {sample ? t('sample.of', { sent: format.number(sample.sent), population: format.number(sample.population) }) : t('sample.none')}
      <Button kind="plain" size="small" onClick={onChange}>
        {t('sample.edit')}
        <span className="visually-hidden"> {t('sample.title')}</span>
      </Button>
    </span>
  )
}
