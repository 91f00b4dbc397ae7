import { type QueryClient, useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { showToast } from '#app/ui/admin/toast.tsx'
import { forgetContributions } from '../contributions.queries.ts'
import { sendAnswers } from '../desk/desk.functions.ts'

/** Sends an answer to many that was agreed to, part by part. What is left when the page is closed can be sent from the list. */
export function useSendAnswers(queryClient: QueryClient, onPart: (remaining: number) => void = () => undefined) {
  const { t } = useTranslation('contributions-admin')
  const { t: moderation } = useTranslation('moderation-admin')
  const { describeError } = useFaultTexts()
  const format = useFormat()
  return useMutation({
    mutationFn: async ({ id, count }: { id: string; count: number }) => {
      let left = 0
      for (let remaining = count; remaining > 0;) {
        const part = await sendAnswers({ data: { id } })
        remaining = part.remaining
        left += part.left
        onPart(remaining)
      }
      const sent = count - left
      showToast({ text: t('desk.answer.done', { what: moderation('cases.texts', { count: sent, number: format.number(sent) }) }) })
      if (left > 0) showToast({ text: t('desk.answer.left', { count: left, number: format.number(left) }) })
    },
    onError: (error) => showToast({ kind: 'error', text: describeError(error) }),
    onSettled: () => forgetContributions(queryClient),
  })
}
