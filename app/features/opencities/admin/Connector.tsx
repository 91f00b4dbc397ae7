import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageButtons } from '#app/shell/admin/page-buttons.tsx'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Spinner } from '#app/ui/loading.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { SearchField } from '#app/ui/text-field.tsx'
import { connectorQuery, forgetCityData, portalSearchQuery } from '../connectors.queries.ts'
import type { FoundDataset, FoundDatasets } from '../opencities.schema.ts'
import { ConnectorSettings } from './ConnectorSettings.tsx'
import { SourcePreview } from './SourcePreview.tsx'
import { UseList } from './UseList.tsx'

const PER_PAGE = 20

/** A portal's own catalogue, to choose a dataset from. */
export function Connector({ id }: { id: string }) {
  const { t } = useTranslation('city-admin')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const format = useFormat()
  const { listFaults } = useFaultTexts()
  const { data: connector } = useSuspenseQuery(connectorQuery(id)).data
  const [words, setWords] = useState('')
  const [page, setPage] = useState(1)
  const [chosen, setChosen] = useState<string>()
  const [removing, setRemoving] = useState(false)
  const [setting, setSetting] = useState(false)
  const found = useQuery(portalSearchQuery(id, words, page))
  const take = useMutation({
    mutationFn: (sourceId: string) =>
      api.create('city-datasets', { attributes: { sourceId }, relationships: { connector: { type: 'city-connectors', id } } }),
    onSuccess: async ({ data }) => {
      await forgetCityData(queryClient)
      await navigate({ to: '/admin/city-data/datasets/$id', params: { id: data.id } })
    },
  })
  const remove = useMutation({
    mutationFn: () => api.remove('city-connectors', id),
    onSuccess: async () => {
      await navigate({ to: '/admin/city-data' })
      await forgetCityData(queryClient)
    },
  })
  const total = found.data?.total ?? 0
  return (
    <div className="admin-stack">
      <PageHeader
        title={connector.name}
        status={<Badge>{t(`kinds.${connector.kind}`)}</Badge>}
        meta={connector.portalUrl}
        actions={
          <>
            <Link to="/admin/city-data">{t('connectors.all')}</Link>
            <Button kind="secondary" onClick={() => setSetting(true)}>
              {t('settings.open')}
            </Button>
            <Button kind="secondary" onClick={() => setRemoving(true)}>
              {t('connectors.remove')}
            </Button>
          </>
        }
      />
      {connector.pausedUntil && (
        <Notice kind="warning" title={t('connectors.paused')}>
          {t('connectors.paused-text', { when: format.dateTime(connector.pausedUntil) })}
        </Notice>
      )}
      <search>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const q = new FormData(event.currentTarget).get('q')
            setWords(typeof q === 'string' ? q.trim() : '')
            setPage(1)
          }}
        >
          <SearchField
            name="q"
            labelClass="search-field-label"
            label={t('find.label')}
            button={t('find.button')}
            defaultValue={words}
            key={words}
          />
        </form>
      </search>
      {words && (
        <p className="filters-active">
          {admin('filters.active')}{' '}
          <Button kind="plain" size="small" onClick={() => setWords('')}>
            {admin('filters.clear')}
          </Button>
        </p>
      )}
      <ErrorSummary title={admin('editor.problem')} errors={listFaults(found.error)} />
      {found.isPending && <Spinner label={common('loading')} />}
      {found.data && found.data.datasets.length === 0 && <EmptyState title={t('find.none')} />}
      <ul className="admin-stack" aria-busy={found.isFetching}>
        {found.data?.datasets.map((one) => (
          <li key={one.id} className="admin-panel">
            <Found one={one} />
            {take.variables === one.id && <Refusal error={take.error} />}
            {chosen === one.id ? (
              <SourcePreview connector={id} source={one.id} taking={take.isPending} onTake={() => take.mutate(one.id)} />
            ) : (
              <div>
                <Button kind="secondary" size="small" onClick={() => setChosen(one.id)}>
                  {t('find.look')}
                  <span className="visually-hidden">: {one.title}</span>
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      <PageButtons page={page} size={PER_PAGE} total={total} onPage={setPage} />
      {found.data?.leftOut && <LeftOut leftOut={found.data.leftOut} />}
      {setting && <ConnectorSettings id={id} connector={connector} onClose={() => setSetting(false)} />}
      <ConfirmDialog
        title={t('connectors.remove-title')}
        isOpen={removing}
        onClose={() => setRemoving(false)}
        onConfirm={() => remove.mutateAsync()}
        confirmLabel={t('connectors.remove-yes')}
        cancelLabel={admin('confirm.cancel')}
        danger
      >
        <p>{t('connectors.remove-text', { name: connector.name })}</p>
        <UseList title={t('uses.title')} uses={connector.uses ?? []} />
      </ConfirmDialog>
    </div>
  )
}

function Found({ one }: { one: FoundDataset }) {
  const { t } = useTranslation('city-admin')
  const format = useFormat()
  const facts = [
    ...(one.rows === null ? [] : [t('rows', { count: one.rows, number: format.number(one.rows) })]),
    one.licence || t('find.no-licence'),
    ...(one.updatedAt ? [t('find.updated', { date: format.date(one.updatedAt) })] : []),
  ]
  return (
    <>
      <h2>{one.title}</h2>
      {one.description && <p>{one.description.length > 400 ? `${one.description.slice(0, 400)}…` : one.description}</p>}
      <p className="meta">{facts.join(' · ')}</p>
    </>
  )
}

/** How many datasets cannot be found here, and why. */
function LeftOut({ leftOut: { of, withoutTable, beyond, refused = 0 } }: { leftOut: NonNullable<FoundDatasets['leftOut']> }) {
  const { t } = useTranslation('city-admin')
  const format = useFormat()
  const say = (key: 'without-table' | 'without-table-here' | 'beyond' | 'refused', count: number) =>
    count > 0 && <p className="meta">{t(`find.${key}`, { count, number: format.number(count) })}</p>
  return (
    <>
      {say(of === 'page' ? 'without-table-here' : 'without-table', withoutTable)}
      {say('refused', refused)}
      {beyond === null ? <p className="meta">{t('find.beyond-unknown')}</p> : say('beyond', beyond)}
    </>
  )
}
