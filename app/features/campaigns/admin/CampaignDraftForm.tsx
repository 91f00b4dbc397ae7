import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { ContentForm } from '#app/ui/admin/content-form.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { useEditedFields } from '#app/ui/admin/use-edited-fields.ts'
import { invalidateCampaigns } from '../campaigns.queries.ts'
import { type Audience, AUDIENCE_FILTERS, type AudienceNames } from '../campaigns.schema.ts'
import { AudienceFields } from './AudienceFields.tsx'

/** The fields that the drafts of every channel have. */
interface DraftFields {
  name: string
  audience: Audience
}

/** What is typed into a campaign's draft, and its saving. @param send saves the fields that changed */
export function useCampaignDraft<Fields extends DraftFields>(saved: Fields, send: (changed: Partial<Fields>) => Promise<unknown>) {
  const queryClient = useQueryClient()
  const { fields, changed, values, change, reset } = useEditedFields(saved)
  const save = useMutation({
    mutationFn: send,
    onSuccess: async (_, sent) => {
      await invalidateCampaigns(queryClient)
      reset(sent)
    },
    onError: () => invalidateCampaigns(queryClient),
  })
  const texts = useEditorTexts(save.error)
  return {
    fields,
    change,
    texts,
    error: save.error,
    unsaved: changed.length,
    isSaving: save.isPending,
    save: () => save.mutate(values),
  }
}

type CampaignDraft<Fields extends DraftFields> = ReturnType<typeof useCampaignDraft<Fields>>

interface CampaignDraftFormProps {
  draft: Pick<CampaignDraft<DraftFields>, 'fields' | 'texts' | 'unsaved' | 'isSaving' | 'save'> & {
    change: (next: Partial<DraftFields>) => void
  }
  nameHint?: string
  /** Names of the saved audience's filters. */
  chosen: AudienceNames
  /** The message. */
  children: ReactNode
  /** Below the audience. */
  more?: ReactNode
}

/** The form of a campaign's draft: its name, its message, and whom it is for. */
export function CampaignDraftForm({ draft, nameHint, chosen, children, more }: CampaignDraftFormProps) {
  const { t } = useTranslation('sms')
  const { fields, change, texts } = draft
  return (
    <ContentForm
      unsaved={draft.unsaved}
      saving={draft.isSaving}
      faults={texts.faults}
      stale={texts.stale}
      onSave={draft.save}
      words={texts.form}
    >
      <div className="admin-form">
        <TextInput
          name="name"
          label={t('campaigns.name')}
          hint={nameHint}
          value={fields.name}
          onChange={(name) => change({ name })}
          maxLength={120}
          required
        />
      </div>
      {children}
      <div className="admin-form">
        <AudienceFields
          audience={fields.audience}
          chosen={chosen}
          onChange={(audience) => change({ audience })}
          error={['audience', ...AUDIENCE_FILTERS.map((filter) => `audience.${filter}`)].map(texts.messageOf).find(Boolean)}
        />
        {more}
      </div>
    </ContentForm>
  )
}

/** Merge fields as people write them, for hints. */
export const MERGE_FIELDS = { name: '{{name}}', site: '{{site}}', link: '{{link}}' }
