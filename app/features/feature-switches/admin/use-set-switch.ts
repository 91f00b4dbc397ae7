import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { showToast } from '#app/ui/admin/toast.tsx'
import { invalidateSwitches } from '../switches-admin.queries.ts'
import type { SwitchableFeature, SwitchSetting } from '../feature-switches.schema.ts'

interface SwitchChange {
  id: string
  feature: SwitchableFeature
  setting: SwitchSetting
}

/** Saves a switch at once and shows a confirmation. If saving fails, the refetch restores the old state. */
export function useSetSwitch() {
  const { t } = useTranslation('switches')
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, setting }: SwitchChange) => api.update('feature-switches', id, { attributes: { setting } }),
    onSuccess: (_, { feature }) => showToast({ text: t('saved', { name: t(`names.${feature}.name`) }) }),
    onError: () => showToast({ kind: 'error', text: t('failed') }),
    onSettled: () => invalidateSwitches(queryClient),
  })
}
