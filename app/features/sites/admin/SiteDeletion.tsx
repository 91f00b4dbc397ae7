import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog, Dialog } from '#app/ui/admin/dialog.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetSites, siteDeletionQuery } from '../sites.queries.ts'

type Deletion = Awaited<ReturnType<NonNullable<ReturnType<typeof siteDeletionQuery>['queryFn']>>>

interface SiteDeletionProps {
  site: { id: string; name: string }
  onClose: () => void
}

/** The state of a site's deletion: until when it can be cancelled, and its export. */
export function SiteDeletion({ site, onClose }: SiteDeletionProps) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const { data: deletion, isError } = useQuery(siteDeletionQuery(site.id))
  if (deletion) return <KnownDeletion deletion={deletion} onClose={onClose} />
  return (
    <Dialog title={t('sites.deletion-of', { name: site.name })} isOpen onClose={onClose} closeLabel={admin('nav.close-dialog')}>
      {isError ? <Notice kind="error" title={admin('load-failed')} /> : <Skeleton label={common('loading')} lines={6} />}
    </Dialog>
  )
}

function KnownDeletion({ deletion, onClose }: { deletion: Deletion; onClose: () => void }) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [keeping, setKeeping] = useState(false)
  const { id, name, exportState } = deletion
  const day = format.date(deletion.dueAt)
  const keep = useMutation({
    mutationFn: () => api.remove('site-deletions', id),
    onSuccess: () => {
      showToast({ text: t('sites.kept', { name }) })
      onClose()
      queryClient.removeQueries({ queryKey: siteDeletionQuery(id).queryKey })
    },
    onSettled: () => forgetSites(queryClient),
  })
  const { faults } = useEditorTexts(keep.error)
  const made =
    exportState === 'done' && deletion.exportExpiresAt
      ? [
          { term: t('sites.rows'), value: format.number(deletion.exportRows ?? 0) },
          { term: t('sites.files'), value: format.number(deletion.exportFiles ?? 0) },
          { term: t('sites.export-until'), value: format.date(deletion.exportExpiresAt) },
          { term: t('sites.export-sum'), value: <code className="hook-address">{deletion.exportSha256}</code> },
        ]
      : []
  return (
    <Dialog
      title={t('sites.deletion-of', { name })}
      isOpen
      onClose={onClose}
      closeLabel={admin('nav.close-dialog')}
      actions={
        <>
          {deletion.exportAddress && (
            <a className="button button-secondary" href={deletion.exportAddress}>
              {t('sites.export-take')}
            </a>
          )}
          {deletion.meta.can.cancel && <Button onClick={() => setKeeping(true)}>{t('sites.keep')}</Button>}
        </>
      }
    >
      <div className="admin-form">
        {deletion.state === 'waiting' ? (
          <Notice kind="warning" title={t('sites.due', { day })}>
            {t('sites.due-text', { day })}
          </Notice>
        ) : (
          <Notice kind="warning" title={t('sites.erasing')}>
            {t('sites.erasing-text')}
          </Notice>
        )}
        <DefinitionList
          items={[
            {
              term: t('sites.asked-by'),
              value: t('sites.asked-at', { who: deletion.askedBy, when: format.dateTime(deletion.askedAt) }),
            },
            { term: t('sites.delete-reason'), value: deletion.reason },
            { term: t('sites.export'), value: <output>{exportWords(deletion, t, format)}</output> },
            ...made,
          ]}
        />
        {deletion.exportAddress && <p className="meta">{t('sites.export-take-note')}</p>}
      </div>
      {keeping && (
        <ConfirmDialog
          title={t('sites.keep-title', { name })}
          isOpen
          onClose={() => {
            setKeeping(false)
            keep.reset()
          }}
          onConfirm={() => keep.mutateAsync().then(undefined, () => undefined)}
          confirmLabel={t('sites.keep')}
          cancelLabel={admin('confirm.cancel')}
        >
          <p>{t('sites.keep-text')}</p>
          {faults[0] && <Notice kind="error" title={faults[0].message} />}
        </ConfirmDialog>
      )}
    </Dialog>
  )
}

type Words = ReturnType<typeof useTranslation<'platform'>>['t']

function exportWords({ exportState, exportBytes, exportMadeAt }: Deletion, t: Words, format: ReturnType<typeof useFormat>): string {
  if (exportState !== 'done' || !exportMadeAt) return t(`sites.export-${exportState === 'done' ? 'running' : exportState}`)
  return t('sites.export-done', { size: format.bytes(exportBytes ?? 0), when: format.dateTime(exportMadeAt) })
}
