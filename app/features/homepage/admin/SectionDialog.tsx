import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { CheckInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { CONTENT_SCHEMA, type HomeBlock } from '../homepage.schema.ts'
import { sectionsQuery } from '../homepage.queries.ts'

interface SectionDialogProps {
  hubId: string | null
  blocks: readonly HomeBlock[]
  selected: string | undefined
  nameOf: (block: HomeBlock) => string
  onClose: () => void
}

/** Saves some blocks of the page under a name. */
export function SectionDialog({ hubId, blocks, selected, nameOf, onClose }: SectionDialogProps) {
  const { t } = useTranslation('editor')
  const { describeError } = useFaultTexts()
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>(selected ? [selected] : [])
  const save = useMutation({
    mutationFn: () =>
      api.create('saved-sections', {
        attributes: { name, content: { schema: CONTENT_SCHEMA, blocks: blocks.filter(({ id }) => chosen.includes(id)) } },
        relationships: hubId ? { hub: { type: 'hubs' as const, id: hubId } } : {},
      }),
    onSuccess: async () => {
      showToast({ text: t('sections.saved', { name }) })
      onClose()
      await queryClient.invalidateQueries({ queryKey: sectionsQuery.queryKey })
    },
  })
  const { error } = save
  return (
    <Dialog
      title={t('sections.title')}
      isOpen
      onClose={onClose}
      closeLabel={t('close')}
      submit={{
        label: t('sections.save'),
        onSubmit: () => save.mutate(),
        pending: save.isPending,
        disabled: !name.trim() || !chosen.length,
      }}
    >
      <TextInput name="section-name" label={t('sections.name')} value={name} onChange={setName} maxLength={80} required />
      <fieldset className="editor-group editor-choices">
        <legend>{t('sections.blocks')}</legend>
        {blocks.map((block) => (
          <CheckInput
            key={block.id}
            name={`section.${block.id}`}
            label={nameOf(block)}
            value={chosen.includes(block.id)}
            onChange={(on) => setChosen(on ? [...chosen, block.id] : chosen.filter((id) => id !== block.id))}
          />
        ))}
      </fieldset>
      {error && <Notice kind="error" title={describeError(error)} />}
    </Dialog>
  )
}
