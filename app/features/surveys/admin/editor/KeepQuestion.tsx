import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { bankQuery } from '../../surveys.queries.ts'
import type { Question } from '../../surveys.schema.ts'

/** Saves the selected question to the site's bank as it is now. */
export function KeepQuestion({ surveyId, question }: { surveyId: string; question: Question }) {
  const { t } = useTranslation('survey-admin')
  const queryClient = useQueryClient()
  const keep = useMutation({
    mutationFn: () =>
      api.create('bank-questions', { attributes: { question }, relationships: { survey: { type: 'surveys', id: surveyId } } }),
    onSuccess: async () => {
      showToast({ text: t('bank.kept') })
      await queryClient.invalidateQueries({ queryKey: bankQuery.queryKey })
    },
  })
  const isBlank = !Object.values(question.title).some((text) => text?.trim())
  return (
    <div className="logic-part">
      <div>
        <Button
          type="button"
          kind="plain"
          size="small"
          disabled={isBlank || keep.isSuccess}
          pending={keep.isPending}
          onClick={() => keep.mutate()}
        >
          {keep.isSuccess ? t('bank.kept') : t('bank.keep')}
        </Button>
        <Refusal error={keep.error} />
      </div>
    </div>
  )
}
