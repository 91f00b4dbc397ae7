import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { Button } from '#app/ui/button.tsx'
import { invalidatePeople } from '#app/features/accounts/people.queries.ts'
import { AddToGroup } from './AddToGroup.tsx'

interface PersonGroupsProps {
  person: { id: string }
  groups: readonly { id: string; name: string; meta: { can: { update: boolean } } }[]
}

/** Groups and tags that the person was added to by hand. */
export function PersonGroups({ person, groups }: PersonGroupsProps) {
  const { t } = useTranslation('people')
  const queryClient = useQueryClient()
  const remove = useMutation({
    mutationFn: (id: string) => api.removeLinks('groups', id, 'people', [{ type: 'users', id: person.id }]),
    onSuccess: () => invalidatePeople(queryClient),
  })
  return (
    <section className="admin-panel">
      <h2>{t('groups.title')}</h2>
      {groups.length === 0 && <p>{t('groups.in-none')}</p>}
      <ul className="admin-list">
        {groups.map((group) => (
          <li key={group.id}>
            <span>{group.name}</span>
            {group.meta.can.update && (
              <Button kind="plain" size="small" onClick={() => remove.mutate(group.id)}>
                {t('groups.take-out')}
              </Button>
            )}
            {remove.variables === group.id && <Refusal error={remove.error} />}
          </li>
        ))}
      </ul>
      <div>
        <AddToGroup people={[person.id]} />
      </div>
    </section>
  )
}
