import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { dropEmbedDomain } from '../embeds.functions.ts'
import { embedSettingsQuery } from '../embeds.queries.ts'
import type { EmbedDomain } from '../embeds.schema.ts'

/** The listed domains with their rights. */
export function DomainList({ domains }: { domains: readonly EmbedDomain[] }) {
  const { t } = useTranslation('embeds')
  const queryClient = useQueryClient()
  const [removing, setRemoving] = useState<string>()
  const remove = useMutation({
    mutationFn: (host: string) => dropEmbedDomain({ data: { host } }),
    onSuccess: async (_, host) => {
      setRemoving(undefined)
      await queryClient.invalidateQueries(embedSettingsQuery)
      showToast({ text: t('removed', { host }) })
    },
  })
  const formatAllowed = (allowed: boolean) => (allowed ? t('yes') : t('no'))
  return (
    <>
      <DataTable
        caption={t('domains')}
        columns={[
          { id: 'host', head: t('domain'), names: true, cell: (row) => row.host },
          { id: 'frame', head: t('frame'), underName: (row) => row.mayFrame && t('frame'), cell: (row) => formatAllowed(row.mayFrame) },
          { id: 'shows', head: t('shows'), underName: (row) => row.showsHere && t('shows'), cell: (row) => formatAllowed(row.showsHere) },
          {
            id: 'actions',
            head: <span className="visually-hidden">{t('actions')}</span>,
            align: 'end',
            cell: (row) => (
              <Button kind="plain" size="small" onClick={() => setRemoving(row.host)} aria-label={`${t('remove')} ${row.host}`}>
                {t('remove')}
              </Button>
            ),
          },
        ]}
        rows={domains}
        rowKey={(row) => row.host}
        loadingLabel={t('loading')}
        empty={<EmptyState title={t('none')}>{t('none-text')}</EmptyState>}
      />
      {removing && (
        <ConfirmDialog
          title={t('remove-title', { host: removing })}
          isOpen
          danger
          onClose={() => setRemoving(undefined)}
          onConfirm={() => remove.mutateAsync(removing).then(undefined, () => undefined)}
          confirmLabel={t('remove')}
          cancelLabel={t('cancel')}
        >
          <p>{t('remove-text')}</p>
          {remove.isError && <Notice kind="error" title={t('failed')} />}
        </ConfirmDialog>
      )}
    </>
  )
}
