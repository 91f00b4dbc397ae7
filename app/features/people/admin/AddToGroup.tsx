import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { RecordChoice, useFirstRecord } from '#app/shell/admin/record-choice.tsx'
import { groupSource } from '#app/shell/admin/record-sources.ts'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { showToast } from '#app/ui/admin/toast.tsx'
import { invalidatePeople } from '#app/features/accounts/people.queries.ts'

const GROUPS = groupSource({ byHand: true })

/** Adds people to a group, or tags them, by hand. */
export function AddToGroup({ people }: { people: readonly string[] }) {
  const { t } = useTranslation('people')
  const queryClient = useQueryClient()
  const { total } = useFirstRecord(GROUPS)
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
  if (!total) return null
  return (
    <>
      <RecordChoice
        name="add-to-group"
        label={t('groups.add-to')}
        source={GROUPS}
        value={null}
        onChange={(group) => group !== null && add.mutate(group)}
      />
      <Refusal error={add.error} />
    </>
  )
}
