import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DELIVERY_STATUSES, type DeliveryStatus } from '#app/lib/vocabulary/budgets.ts'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { forgetBudgets } from '../budgets.queries.ts'
import type { OptionDocument } from './EditOption.tsx'
import type { RoundDocument } from './EditRound.tsx'

const NOT_YET = 'none' as const

/** Once ballots rest on an option: withdrawing it with a reason or, after the result, how its delivery stands. */
export function FollowUpOption({ round, option, onClose }: { round: RoundDocument; option: OptionDocument; onClose: () => void }) {
  const { t } = useTranslation('budgets-admin')
  const site = useSite()
  const queryClient = useQueryClient()
  const isDecided = round.phase === 'decided'
  const [withdrawnReasonTranslations, setReason] = useState(option.withdrawnReasonTranslations ?? {})
  const [deliveryNoteTranslations, setNote] = useState(option.deliveryNoteTranslations ?? {})
  const [delivery, setDelivery] = useState<DeliveryStatus | typeof NOT_YET>(option.delivery ?? NOT_YET)
  const save = useMutation({
    mutationFn: () => {
      const attributes = isDecided
        ? { delivery: delivery === NOT_YET ? null : delivery, deliveryNoteTranslations }
        : { withdrawn: true, withdrawnReasonTranslations }
      return api.update('budget-options', option.id, { attributes }, { lockVersion: option.meta.lockVersion })
    },
    onSuccess: async () => {
      onClose()
      await forgetBudgets(queryClient)
    },
  })
  const words = useEditorTexts(save.error)
  const texts = { languages: site.contentLanguages, source: site.locale, messageOf: words.messageOf, words: words.texts }
  return (
    <EditDialog
      title={`${t(isDecided ? 'options.deliver' : 'options.withdraw')}: ${option.title}`}
      saveLabel={t('save')}
      save={save}
      faults={words.faults}
      onClose={onClose}
    >
      {isDecided ? (
        <>
          <SelectInput
            name="delivery"
            label={t('options.delivery')}
            value={delivery}
            onChange={setDelivery}
            options={([NOT_YET, ...DELIVERY_STATUSES] as const).map((value) => ({ value, label: t(`delivery.${value}`) }))}
            error={words.messageOf('delivery')}
          />
          <TranslatedTexts
            {...texts}
            fields={[{ name: 'deliveryNoteTranslations', label: t('options.delivery-note'), rows: 3 }]}
            values={{ deliveryNoteTranslations }}
            onChange={(_, text) => setNote(text)}
          />
        </>
      ) : (
        <>
          <p>{t('options.withdraw-text')}</p>
          <TranslatedTexts
            {...texts}
            fields={[{ name: 'withdrawnReasonTranslations', label: t('options.withdraw-reason'), rows: 3 }]}
            values={{ withdrawnReasonTranslations }}
            onChange={(_, text) => setReason(text)}
          />
        </>
      )}
    </EditDialog>
  )
}
