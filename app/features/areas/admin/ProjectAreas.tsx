import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useOptimisticSave } from '#app/shell/admin/use-optimistic-save.ts'
import { api } from '#app/shell/api.ts'
import { CheckInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { areasQuery, invalidatePlacement, placementQuery } from '../areas.queries.ts'

/** The areas that a project lies in; each checkbox saves at once. */
export function ProjectAreas({ project }: { project: string }) {
  const { t } = useTranslation('city-admin')
  const { t: common } = useTranslation()
  const { t: admin } = useTranslation('admin')
  const queryClient = useQueryClient()
  const all = useQuery(areasQuery)
  const placed = useQuery(placementQuery(project))
  const save = useMutation({
    mutationFn: (areas: string[]) => api.update('project-placements', project, { attributes: { areas } }),
    onSettled: () => invalidatePlacement(queryClient, project),
    // One after the other, so that the last choice is the one that stays.
    scope: { id: `areas of ${project}` },
  })
  const [chosen, choose] = useOptimisticSave(placed.data?.areas ?? [], save.mutateAsync)
  if (all.isError || placed.isError) return <Notice kind="error" title={admin('load-failed')} />
  if (!all.data || !placed.data) return <Skeleton label={common('loading')} lines={4} />
  if (all.data.length + placed.data.lost.length === 0) return <EmptyState title={t('areas.none')}>{t('areas.none-text')}</EmptyState>
  const { suggested, lost } = placed.data
  const missing = suggested.filter((id) => !chosen.includes(id))
  return (
    <fieldset className="admin-form">
      <legend>{t('areas.legend')}</legend>
      {save.isError && <Notice kind="error" title={t('areas.failed')} />}
      {missing.length > 0 && (
        <p className="row">
          {t('areas.suggested', {
            names: all.data
              .filter(({ id }) => missing.includes(id))
              .map(({ name }) => name)
              .join(', '),
          })}
          <Button kind="secondary" size="small" disabled={save.isPending} onClick={() => choose([...chosen, ...missing])}>
            {t('areas.take')}
          </Button>
        </p>
      )}
      {all.data.map(({ id, name }) => (
        <CheckInput
          key={id}
          name={id}
          label={name}
          value={chosen.includes(id)}
          onChange={(on) => choose(on ? [...chosen, id] : chosen.filter((one) => one !== id))}
        />
      ))}
      {lost.map(({ id, name }) => (
        <CheckInput
          key={id}
          name={id}
          label={name}
          hint={t('areas.lost-hint')}
          value={chosen.includes(id)}
          onChange={(on) => choose(on ? [...chosen, id] : chosen.filter((one) => one !== id))}
        />
      ))}
    </fieldset>
  )
}
