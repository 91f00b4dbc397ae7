import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { Menu } from '#app/ui/admin/menu.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { invalidatePeople, groupsQuery } from '#app/features/accounts/people.queries.ts'

/** Adds people to a group, or tags them, by hand. */
export function AddToGroup({ people }: { people: readonly string[] }) {
  const { t } = useTranslation('people')
  const queryClient = useQueryClient()
  const groups = useSuspenseQuery(groupsQuery).data.data.filter((group) => group.rule === null && group.meta.can.update)
  const add = useMutation({
    mutationFn: (id: string) =>
      api.addLinks(
        'groups',
        id,
        'people',
        people.map((person) => ({ type: 'users', id: person })),
      ),
    onSuccess: async () => {
      showToast({ text: t('groups.added') })
      await invalidatePeople(queryClient)
    },
  })
  if (groups.length === 0) return null
  return (
    <>
      <Menu
        label={t('groups.add-to')}
        look={{ kind: 'secondary', size: 'small' }}
        groups={[groups.map((group) => ({ id: group.id, label: group.name, onAction: () => add.mutate(group.id) }))]}
      />
      <Refusal error={add.error} />
    </>
  )
}
