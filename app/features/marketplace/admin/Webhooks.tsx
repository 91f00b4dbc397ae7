import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { WEBHOOK_STATUSES, type WebhookStatus } from '#app/lib/vocabulary/webhooks.ts'
import { PageButtons } from '#app/shell/admin/page-buttons.tsx'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { type Column, DataTable } from '#app/ui/admin/data-table.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Segmented } from '#app/ui/admin/toolbar.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { DELIVERIES_PER_PAGE, deliveriesQuery, invalidateDeliveries } from '../marketplace.queries.ts'

/** Webhook-specific parts: the signing secret and the delivery log. */
export function Webhooks({ installation }: { installation: string }) {
  return (
    <>
      <SigningSecret installation={installation} />
      <Deliveries />
    </>
  )
}

function SigningSecret({ installation }: { installation: string }) {
  const { t } = useTranslation('marketplace')
  const [copied, setCopied] = useState('')
  const renew = useMutation({
    mutationFn: () => api.create('webhook-secrets', { relationships: { installation: { type: 'installations', id: installation } } }),
  })
  const secret = renew.data?.data.secret
  return (
    <section className="admin-panel">
      <h2>{t('webhooks.secret.title')}</h2>
      <p>{t('webhooks.secret.text')}</p>
      {secret && (
        <Notice kind="success" title={t('webhooks.secret.made')}>
          <p>
            <code className="hook-address">{secret}</code>
          </p>
          <p>{t('webhooks.secret.once')}</p>
        </Notice>
      )}
      <div className="row">
        {secret && (
          <Button kind="secondary" onClick={() => void navigator.clipboard.writeText(secret).then(() => setCopied(secret))}>
            {t('webhooks.secret.copy')}
          </Button>
        )}
        <Button kind="secondary" pending={renew.isPending} onClick={() => renew.mutate()}>
          {t('webhooks.secret.make')}
        </Button>
        <output>{secret !== undefined && copied === secret && t('webhooks.secret.copied')}</output>
      </div>
      <Refusal error={renew.error} />
    </section>
  )
}

const ALL_STATUSES = 'all'
const REFRESH_MS = 5000

type Delivery = NonNullable<ReturnType<typeof useDeliveries>['data']>['data'][number]
const useDeliveries = (status: WebhookStatus | undefined, page: number) =>
  useQuery({ ...deliveriesQuery(status, page), refetchInterval: REFRESH_MS })

function Deliveries() {
  const { t } = useTranslation('marketplace')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const queryClient = useQueryClient()
  const [status, setStatus] = useState<WebhookStatus>()
  const [page, setPage] = useState(1)
  const { data, isError, isPending } = useDeliveries(status, page)
  const replay = useMutation({
    mutationFn: async (delivery: string | undefined) =>
      api.create('webhook-replays', delivery ? { relationships: { delivery: { type: 'webhook-deliveries', id: delivery } } } : {}),
    onSuccess: async ({ data: { count } }) => {
      await invalidateDeliveries(queryClient)
      showToast({ kind: 'success', text: t('webhooks.told-again', { count }) })
    },
  })
  const columns = useDeliveryColumns(
    (delivery) => replay.mutate(delivery.id),
    (delivery) => replay.variables === delivery.id && replay.error,
  )
  const total = typeof data?.meta['total'] === 'number' ? data.meta['total'] : 0
  return (
    <section className="admin-stack">
      <h2>{t('webhooks.title')}</h2>
      <p>{t('webhooks.text')}</p>
      <div className="row">
        <Segmented
          label={t('webhooks.filter')}
          value={status ?? ALL_STATUSES}
          onChange={(chosen) => {
            setStatus(chosen === ALL_STATUSES ? undefined : chosen)
            setPage(1)
          }}
          options={[
            { value: ALL_STATUSES, label: t('webhooks.all') },
            ...WEBHOOK_STATUSES.map((value) => ({ value, label: t(`webhooks.statuses.${value}`) })),
          ]}
        />
        {status === 'failed' && total > 0 && (
          <Button kind="secondary" size="small" pending={replay.isPending} onClick={() => replay.mutate(undefined)}>
            {t('webhooks.again-failed')}
          </Button>
        )}
      </div>
      {replay.variables === undefined && <Refusal error={replay.error} />}
      <DataTable
        caption={t('webhooks.title')}
        rows={data?.data ?? []}
        rowKey={(delivery) => delivery.id}
        state={isError ? 'error' : isPending ? 'loading' : 'ready'}
        loadingLabel={common('loading')}
        empty={
          <EmptyState level={3} title={t('webhooks.none')}>
            {t('webhooks.none-text')}
          </EmptyState>
        }
        error={<Notice kind="error" title={admin('load-failed')} />}
        columns={columns}
        foot={<PageButtons page={page} size={DELIVERIES_PER_PAGE} total={total} onPage={setPage} />}
      />
    </section>
  )
}

const TONES = { waiting: 'info', delivered: 'ok', failed: 'bad' } as const

function useDeliveryColumns(onReplay: (delivery: Delivery) => void, findRefusal: (delivery: Delivery) => unknown): Column<Delivery>[] {
  const { t } = useTranslation('marketplace')
  const { t: errors } = useTranslation('errors')
  const format = useFormat()
  return [
    { id: 'at', head: t('webhooks.at'), names: true, cell: ({ occurredAt }) => format.dateTime(occurredAt) },
    {
      id: 'event',
      head: t('webhooks.event'),
      cell: ({ event, body }) => (
        <div className="webhook-cell">
          {t(`webhooks.events.${event}`)}
          <details>
            <summary>{t('webhooks.body')}</summary>
            <code className="hook-address">{body}</code>
          </details>
        </div>
      ),
    },
    {
      id: 'status',
      head: t('webhooks.status'),
      cell: ({ status, attempts, answered, fault, nextAttemptAt }) => (
        <div className="webhook-cell">
          <Badge tone={TONES[status]}>{t(`webhooks.statuses.${status}`)}</Badge>{' '}
          {attempts > 0 && status !== 'delivered' && (
            <span className="meta">
              {t('webhooks.attempts', { count: attempts })}
              {nextAttemptAt && `, ${t('webhooks.next', { when: format.dateTime(nextAttemptAt) })}`}
            </span>
          )}
          {fault && (
            <p>
              {errors(`codes.${fault}`)} {answered && <code>{answered}</code>}
            </p>
          )}
        </div>
      ),
    },
    {
      id: 'again',
      head: <span className="visually-hidden">{t('webhooks.again')}</span>,
      align: 'end',
      cell: (delivery) =>
        delivery.status !== 'waiting' && (
          <>
            <Button kind="secondary" size="small" onClick={() => onReplay(delivery)}>
              {t('webhooks.again')}
            </Button>
            <Refusal error={findRefusal(delivery)} />
          </>
        ),
    },
  ]
}
