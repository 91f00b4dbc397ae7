import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { STAGE_KINDS } from '#app/lib/vocabulary/contributions.ts'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useMomentTexts } from '#app/shell/use-moment-texts.ts'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { NumberInput, SelectInput } from '#app/ui/admin/inputs.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { forgetContributions } from '../contributions.queries.ts'

export type StageDocument = Resource<'project-stages'>

interface EditStageProps {
  project: string
  /** Undefined for a new one. */
  stage: StageDocument | undefined
  onClose: () => void
}

/** A stage's texts, purpose and times. */
export function EditStage({ project, stage, onClose }: EditStageProps) {
  const { t } = useTranslation('contributions-admin')
  const site = useSite()
  const { words: moment } = useMomentTexts()
  const queryClient = useQueryClient()
  const [fields, setFields] = useState(() => ({
    titleTranslations: stage?.titleTranslations ?? {},
    summaryTranslations: stage?.summaryTranslations ?? {},
    kind: stage?.kind ?? 'listen',
    startsAt: stage?.startsAt ?? new Date().toISOString(),
    endsAt: stage?.endsAt ?? null,
    position: stage?.position,
  }))
  const change = (more: Partial<typeof fields>) => setFields((before) => ({ ...before, ...more }))
  const save = useMutation({
    mutationFn: async () => {
      const { position, ...rest } = fields
      const attributes = { ...rest, ...(position === undefined ? {} : { position }) }
      if (stage) await api.update('project-stages', stage.id, { attributes }, { lockVersion: stage.meta.lockVersion })
      else await api.create('project-stages', { attributes, relationships: { project: { type: 'projects', id: project } } })
    },
    onSuccess: async () => {
      onClose()
      await forgetContributions(queryClient)
    },
  })
  const words = useEditorTexts(save.error)
  return (
    <EditDialog
      title={t(stage ? 'stages.edit' : 'stages.add')}
      saveLabel={t('common.save')}
      save={save}
      faults={words.faults}
      onClose={onClose}
    >
      <TranslatedTexts
        languages={site.contentLanguages}
        source={site.locale}
        fields={[
          { name: 'titleTranslations', label: t('stages.name') },
          { name: 'summaryTranslations', label: t('stages.summary'), rows: 3 },
        ]}
        values={fields}
        onChange={(name, text) => change({ [name]: text })}
        messageOf={words.messageOf}
        words={words.texts}
      />
      <SelectInput
        name="kind"
        label={t('stages.kind')}
        value={fields.kind}
        onChange={(kind) => change({ kind })}
        options={STAGE_KINDS.map((value) => ({ value, label: t(`stage-kinds.${value}`) }))}
      />
      <DateTimeField
        name="startsAt"
        label={t('stages.starts')}
        value={fields.startsAt}
        // A stage needs a start: clearing it makes it missing, not null.
        onChange={(at) => change({ startsAt: at ?? 'T' })}
        error={words.messageOf('startsAt')}
        {...moment}
      />
      <DateTimeField
        name="endsAt"
        label={t('stages.ends')}
        value={fields.endsAt ?? undefined}
        onChange={(at) => change({ endsAt: at ?? null })}
        error={words.messageOf('endsAt')}
        {...moment}
      />
      <NumberInput
        name="position"
        label={t('stages.order')}
        value={fields.position}
        onChange={(position) => change({ position })}
        min={0}
        max={1000}
      />
    </EditDialog>
  )
}
