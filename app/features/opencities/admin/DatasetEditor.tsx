import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { api } from '#app/shell/api.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { FaultSummary } from '#app/ui/admin/fault-summary.tsx'
import { Badge } from '#app/ui/admin/badge.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { SaveBar, type SaveState } from '#app/ui/admin/save-bar.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { datasetQuery, forgetCityData } from '../connectors.queries.ts'
import { DatasetColumns } from './DatasetColumns.tsx'
import { DatasetTexts } from './DatasetTexts.tsx'
import { type DatasetDraft, toDatasetDraft } from './dataset-draft.ts'
import { DatasetUse } from './DatasetUse.tsx'
import { LostAreas } from './LostAreas.tsx'
import { SynchronisationBadge } from './SynchronisationBadge.tsx'
import { UseList } from './UseList.tsx'

const AREA_USES: ReadonlySet<string> = new Set(['project-area', 'newsletter', 'sms-campaign'])

/** How a dataset is shown: names, columns, where it appears, and the state of its copy. */
export function DatasetEditor({ id }: { id: string }) {
  const { t } = useTranslation('city-admin')
  const { t: admin } = useTranslation('admin')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const format = useFormat()
  const { listFaults, describeCode } = useFaultTexts()
  const document = useSuspenseQuery(datasetQuery(id)).data
  const dataset = document.data
  const running = findLinked(document, dataset.relationships.synchronisation)
  const [base, setBase] = useState(() => ({ draft: toDatasetDraft(document), lockVersion: dataset.meta.lockVersion }))
  const [draft, setDraft] = useState(base.draft)
  const [removing, setRemoving] = useState(false)
  const [confirming, setConfirming] = useState(false)
  const changed = (Object.keys(draft) as (keyof DatasetDraft)[]).filter(
    (name) => JSON.stringify(draft[name]) !== JSON.stringify(base.draft[name]),
  )
  const changeDraft = (next: Partial<DatasetDraft>) => setDraft((now) => ({ ...now, ...next }))

  const save = useMutation({
    mutationFn: () => {
      const { project, ...attributes } = draft
      const given = Object.fromEntries(Object.entries(attributes).filter(([name]) => changed.some((one) => one === name)))
      return api.update(
        'city-datasets',
        id,
        {
          attributes: given,
          ...(changed.includes('project') ? { relationships: { project: project ? { type: 'projects', id: project } : null } } : {}),
        },
        { lockVersion: base.lockVersion, include: ['connector', 'project', 'synchronisation'] },
      )
    },
    onSuccess: async (saved) => {
      const fresh = { draft: toDatasetDraft(saved), lockVersion: saved.data.meta.lockVersion }
      setBase(fresh)
      setDraft(fresh.draft)
      await forgetCityData(queryClient)
    },
    onError: async (error) => {
      if (!isAppError(error, 'stale')) return
      // Take over what somebody else saved in the meantime for every field this page did not change.
      const current = await queryClient.fetchQuery({ ...datasetQuery(id), staleTime: 0 })
      const theirs = toDatasetDraft(current)
      setDraft((now) => ({ ...theirs, ...Object.fromEntries(changed.map((name) => [name, now[name]])) }))
      setBase({ draft: theirs, lockVersion: current.data.meta.lockVersion })
    },
  })
  const act = useMutation({
    mutationFn: async (what: 'synchronise' | 'cancel' | 'remove') => {
      if (what === 'synchronise') {
        const dataset = { type: 'city-datasets' as const, id }
        await api.create('city-synchronisations', { relationships: { dataset } })
      } else if (what === 'cancel') await api.remove('city-synchronisations', id)
      else await api.remove('city-datasets', id)
    },
    onSuccess: async (_, what) => {
      if (what === 'remove') await navigate({ to: '/admin/city-data' })
      await forgetCityData(queryClient)
    },
  })
  const { areas, projects: placed, people, campaigns } = dataset.areaUse
  const isUsed = placed + people + campaigns > 0
  const losesAreas = isUsed && draft.boundaries?.name !== base.draft.boundaries?.name
  const losing = [
    placed > 0 && t('areas.lose-projects', { count: placed, number: format.number(placed) }),
    people > 0 && t('areas.lose-people', { count: people, number: format.number(people) }),
  ]
    .filter(Boolean)
    .join(' ')
  const state: SaveState = save.isPending ? 'saving' : save.isError && changed.length ? 'failed' : changed.length ? 'unsaved' : 'saved'

  return (
    <form
      noValidate
      className="admin-stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (losesAreas) setConfirming(true)
        else if (changed.length) save.mutate()
      }}
    >
      <PageHeader
        title={dataset.title}
        status={dataset.published ? <Badge tone="ok">{t('datasets.published')}</Badge> : <Badge hollow>{t('datasets.hidden')}</Badge>}
        meta={<Link to="/admin/city-data">{t('connectors.all')}</Link>}
        actions={
          <>
            <Button kind="secondary" onClick={() => setRemoving(true)} type="button">
              {t('datasets.remove')}
            </Button>
            {running ? (
              <Button kind="secondary" type="button" pending={act.isPending} onClick={() => act.mutate('cancel')}>
                {t('state.cancel')}
              </Button>
            ) : (
              <Button kind="secondary" type="button" pending={act.isPending} onClick={() => act.mutate('synchronise')}>
                {t('state.now')}
              </Button>
            )}
          </>
        }
      />
      <FaultSummary title={admin('editor.problem')} errors={listFaults(save.error ?? act.error)} />
      {dataset.lastFault && (
        <Notice kind="warning" title={t('state.failed-title', { when: format.dateTime(dataset.lastFault.at) })}>
          <p>{describeCode(dataset.lastFault.code)}</p>
          <p>{dataset.synchronisedAt ? t('state.old-copy', { date: format.dateTime(dataset.synchronisedAt) }) : t('state.no-copy')}</p>
          {dataset.dueAt && !running && <p>{t('state.next', { when: format.dateTime(dataset.dueAt) })}</p>}
        </Notice>
      )}
      {dataset.boundaries && <LostAreas />}
      <p className="row">
        <SynchronisationBadge dataset={dataset} running={running} />
        <span>{t('rows', { count: dataset.rows, number: format.number(dataset.rows) })}</span>
        {dataset.checkedAt && <span>{t('state.checked', { when: format.dateTime(dataset.checkedAt) })}</span>}
      </p>
      <DatasetTexts draft={draft} change={changeDraft} />
      <DatasetUse draft={draft} change={changeDraft} />
      <DatasetColumns columns={draft.columns} onChange={(columns) => changeDraft({ columns })} />
      <SaveBar
        state={state}
        text={admin(`save.${state}`, { count: changed.length })}
        actions={
          <>
            {dataset.published && dataset.synchronisedAt && <a href={`/data/${dataset.slug}`}>{admin('editor.see')}</a>}
            <Button type="submit" pending={save.isPending} disabled={!changed.length}>
              {admin('save.save')}
            </Button>
          </>
        }
      />
      <ConfirmDialog
        title={t('datasets.remove-title')}
        isOpen={removing}
        onClose={() => setRemoving(false)}
        onConfirm={() => act.mutateAsync('remove')}
        confirmLabel={t('datasets.remove-yes')}
        cancelLabel={admin('confirm.cancel')}
        danger
      >
        <p>{t('datasets.remove-text', { name: dataset.title })}</p>
        <UseList title={t('uses.title')} uses={dataset.uses ?? []} />
        {dataset.boundaries && isUsed && (
          <p>
            {t('areas.lose', { count: areas, number: format.number(areas) })} {losing}
          </p>
        )}
      </ConfirmDialog>
      <ConfirmDialog
        title={t(draft.boundaries ? 'areas.replace-title' : 'areas.off-title')}
        isOpen={confirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false)
          save.mutate()
        }}
        confirmLabel={t(draft.boundaries ? 'areas.replace-yes' : 'areas.off-yes')}
        cancelLabel={admin('confirm.cancel')}
        danger
      >
        <p>{draft.boundaries ? t('areas.replace-text') : t('areas.lose', { count: areas, number: format.number(areas) })}</p>
        <p>{losing}</p>
        <UseList title={t('uses.title')} uses={(dataset.uses ?? []).filter(({ kind }) => AREA_USES.has(kind))} />
      </ConfirmDialog>
    </form>
  )
}
