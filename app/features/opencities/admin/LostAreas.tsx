import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { invalidateAreas, lostAreasQuery } from '#app/features/areas/areas.queries.ts'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetCityData } from '../connectors.queries.ts'

type LostArea = Awaited<ReturnType<NonNullable<(typeof lostAreasQuery)['queryFn']>>>[number]

/** Areas that are gone from the source but still have projects or residents: kept until somebody confirms their removal. */
export function LostAreas() {
  const { t } = useTranslation('city-admin')
  const { t: admin } = useTranslation('admin')
  const queryClient = useQueryClient()
  const format = useFormat()
  const lost = useQuery(lostAreasQuery).data ?? []
  const [removing, setRemoving] = useState<LostArea>()
  const remove = useMutation({
    mutationFn: (id: string) => api.remove('lost-areas', id),
    onSettled: async () => {
      setRemoving(undefined)
      await invalidateAreas(queryClient)
      await forgetCityData(queryClient)
    },
  })
  if (lost.length === 0) return null
  const describeUses = ({ projects, people, campaigns }: LostArea) =>
    [
      ...(projects.length ? [t('areas.lost-projects', { count: projects.length, names: format.list(projects) })] : []),
      ...(campaigns.length ? [t('areas.lost-campaigns', { count: campaigns.length, names: format.list(campaigns) })] : []),
      ...(people ? [t('areas.lost-people', { count: people, number: format.number(people) })] : []),
    ].join(' ')
  return (
    <Notice kind="warning" title={t('areas.lost-title')}>
      <p>{t('areas.lost-text')}</p>
      <ul className="admin-list">
        {lost.map((area) => (
          <li key={area.id}>
            <span>
              <strong>{area.name}</strong> {describeUses(area)}
            </span>
            <Button kind="secondary" size="small" type="button" onClick={() => setRemoving(area)}>
              {t('areas.lost-remove')}
              <span className="visually-hidden">: {area.name}</span>
            </Button>
            {remove.variables === area.id && <Refusal error={remove.error} />}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        title={t('areas.lost-ask', { name: removing?.name ?? '' })}
        isOpen={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        onConfirm={async () => {
          if (removing) await remove.mutateAsync(removing.id)
        }}
        confirmLabel={t('areas.lost-yes')}
        cancelLabel={admin('confirm.cancel')}
        danger
      >
        <p>{removing && describeUses(removing)}</p>
      </ConfirmDialog>
    </Notice>
  )
}
