import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { forgetBudgets } from '../budgets.queries.ts'
import type { OptionDocument } from './EditOption.tsx'

interface OverrideOptionProps {
  option: OptionDocument
  /** What the count says of it. */
  isFunded: boolean
  onClose: () => void
}

/** Records that a body decided otherwise than the count. */
export function OverrideOption({ option, isFunded, onClose }: OverrideOptionProps) {
  const { t } = useTranslation('budgets-admin')
  const site = useSite()
  const queryClient = useQueryClient()
  const [texts, setTexts] = useState({ bodyTranslations: {}, reasonTranslations: {} })
  const save = useMutation({
    mutationFn: () =>
      api.create('budget-overrides', {
        attributes: { ...texts, isFunded: !isFunded },
        relationships: { option: { type: 'budget-options', id: option.id } },
      }),
    onSuccess: async () => {
      onClose()
      await forgetBudgets(queryClient)
    },
  })
  const words = useEditorTexts(save.error)
  return (
    <EditDialog
      title={`${t('overrides.title')}: ${option.title}`}
      saveLabel={t(isFunded ? 'overrides.drop' : 'overrides.fund')}
      save={save}
      faults={words.faults}
      onClose={onClose}
    >
      <p>{t(isFunded ? 'overrides.text-drop' : 'overrides.text-fund')}</p>
      <TranslatedTexts
        languages={site.contentLanguages}
        source={site.locale}
        fields={[
          { name: 'bodyTranslations', label: t('overrides.body'), hint: t('overrides.body-hint') },
          { name: 'reasonTranslations', label: t('overrides.reason'), rows: 3 },
        ]}
        values={texts}
        onChange={(name, text) => setTexts((before) => ({ ...before, [name]: text }))}
        messageOf={words.messageOf}
        words={words.texts}
      />
    </EditDialog>
  )
}
