import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { areaMapQuery } from '../area-map.queries.ts'
import { followedDatasetQuery, invalidateAreas, outlinesQuery } from '../areas.queries.ts'
import { keepDatasetAreas } from '../files/area-files.functions.ts'
import { AreaEditor } from './AreaEditor.tsx'
import { AreaUpload } from './AreaUpload.tsx'
import { OutlineMap } from './OutlineMap.tsx'

type AreaDocument = Resource<'area-outlines'>

/**
 * The site's areas: what they are, and how to upload, draw, change and remove them.
 * @param lost those set aside, with what uses them
 */
export function AreasPage({ lost }: { lost: ReactNode }) {
  const { t } = useTranslation('areas-admin')
  const dataset = useSuspenseQuery(followedDatasetQuery).data.title
  const { data: areas } = useSuspenseQuery(outlinesQuery)
  const { data: map } = useQuery(areaMapQuery)
  const [editing, setEditing] = useState<AreaDocument | 'new'>()
  const [isSaved, setSaved] = useState(false)
  const edit = (area: AreaDocument | 'new' | undefined, saved = false) => {
    setEditing(area)
    setSaved(saved)
  }
  return (
    <div className="admin-stack">
      <PageHeader title={t('title')} meta={t('about')} actions={<Link to="/admin/settings">{t('back')}</Link>} />
      {dataset !== null && <DatasetNotice name={dataset} />}
      {lost}
      {isSaved && <Notice kind="success" title={t('draw.saved')} />}
      <section className="admin-panel" aria-labelledby="areas-list">
        <h2 id="areas-list">{t('list')}</h2>
        {areas.length === 0 ? (
          <EmptyState title={t('none')}>{t('none-text')}</EmptyState>
        ) : (
          <>
            {map && <OutlineMap map={map} label={t('map')} />}
            <ul className="admin-list">
              {areas.map((area) => (
                <AreaRow key={area.id} area={area} isChangeable={dataset === null} onChange={() => edit(area)} />
              ))}
            </ul>
          </>
        )}
        {dataset === null && editing === undefined && (
          <span className="row">
            <Button kind="secondary" onClick={() => edit('new')}>
              {t('draw.start')}
            </Button>
          </span>
        )}
      </section>
      {editing !== undefined && (
        <AreaEditor
          key={editing === 'new' ? 'new' : editing.id}
          area={editing === 'new' ? undefined : editing}
          onDone={(saved) => edit(undefined, saved)}
        />
      )}
      <AreaUpload />
    </div>
  )
}

/** Areas of a dataset are changed by its next copy. */
function DatasetNotice({ name }: { name: string }) {
  const { t } = useTranslation('areas-admin')
  const queryClient = useQueryClient()
  const keep = useMutation({ mutationFn: () => keepDatasetAreas(), onSuccess: () => invalidateAreas(queryClient) })
  return (
    <Notice kind="info" title={t('dataset-title', { name })}>
      <p>{t('dataset-text')}</p>
      <Refusal error={keep.error} />
      <Button kind="secondary" size="small" pending={keep.isPending} onClick={() => keep.mutate()}>
        {t('dataset-keep')}
      </Button>
    </Notice>
  )
}

interface AreaRowProps {
  area: AreaDocument
  isChangeable: boolean
  onChange: () => void
}

function AreaRow({ area, isChangeable, onChange }: AreaRowProps) {
  const { t } = useTranslation('areas-admin')
  const { t: admin } = useTranslation('admin')
  const { describeError } = useFaultTexts()
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => api.remove('area-outlines', area.id),
    onSuccess: () => invalidateAreas(queryClient),
    onSettled: () => setAsking(false),
  })
  const setAside = useMutation({
    mutationFn: () => api.update('area-outlines', area.id, { attributes: { setAside: true } }, { lockVersion: area.meta.lockVersion }),
    onSuccess: () => invalidateAreas(queryClient),
  })
  const isUsed = isAppError(remove.error) && remove.error.faults.some(({ code }) => code === 'area-in-use')
  return (
    <li>
      <span>
        <strong>{area.name}</strong> {area.key}
      </span>
      {isChangeable && (
        <span className="row">
          <Button kind="plain" size="small" onClick={onChange}>
            {t('change')}
            <span className="visually-hidden"> {area.name}</span>
          </Button>
          <Button kind="plain" size="small" onClick={() => setAsking(true)}>
            {t('remove')}
            <span className="visually-hidden"> {area.name}</span>
          </Button>
        </span>
      )}
      {remove.error && !isUsed && <Refusal error={remove.error} />}
      {isUsed && (
        <Notice kind="warning" title={describeError(remove.error)}>
          <p>{t('set-aside-hint')}</p>
          <Refusal error={setAside.error} />
          <Button kind="secondary" size="small" pending={setAside.isPending} onClick={() => setAside.mutate()}>
            {t('set-aside')}
          </Button>
        </Notice>
      )}
      <ConfirmDialog
        title={t('remove-ask', { name: area.name })}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutateAsync().catch(() => undefined)}
        confirmLabel={t('remove-yes')}
        cancelLabel={admin('confirm.cancel')}
        danger
      />
    </li>
  )
}
