import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import type { Translated } from '#app/lib/translated.ts'
import { STANCES, type Stance } from '#app/lib/vocabulary/heard.ts'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { forgetHeard } from '../heard.queries.ts'

export type Theme = Resource<'themes'>

interface EditThemeProps {
  project: string
  /** A new one if absent. */
  theme?: Theme
  onClose: () => void
}

/** The title, the explanation and the stance of a theme. */
export function EditTheme({ project, theme, onClose }: EditThemeProps) {
  const { t } = useTranslation('heard-admin')
  const { t: admin } = useTranslation('admin')
  const site = useSite()
  const queryClient = useQueryClient()
  const [texts, setTexts] = useState<{ title: Translated; description: Translated }>({
    title: theme?.titleTranslations ?? {},
    description: theme?.descriptionTranslations ?? {},
  })
  const [stance, setStance] = useState<Stance>(theme?.stance ?? 'suggestion')
  const save = useMutation({
    mutationFn: async () => {
      const attributes = { titleTranslations: texts.title, descriptionTranslations: texts.description, stance }
      if (theme) await api.update('themes', theme.id, { attributes }, { lockVersion: theme.meta.lockVersion })
      else await api.create('themes', { attributes, relationships: { project: { type: 'projects', id: project } } })
    },
    onSuccess: async () => {
      await forgetHeard(queryClient)
      onClose()
    },
  })
  const words = useEditorTexts(save.error)
  return (
    <EditDialog
      title={t(theme ? 'themes.edit' : 'themes.new')}
      saveLabel={admin('save.save')}
      save={save}
      faults={words.faults}
      onClose={onClose}
      size="medium"
    >
      <TranslatedTexts
        languages={site.contentLanguages}
        source={site.locale}
        fields={[
          { name: 'title', label: t('themes.name') },
          { name: 'description', label: t('themes.description'), rows: 3 },
        ]}
        values={texts}
        onChange={(name, text) => setTexts((now) => ({ ...now, [name]: text }))}
        messageOf={(name) => words.messageOf(name.replace(/^(title|description)/, '$1Translations'))}
        words={words.texts}
      />
      <SelectInput
        name="stance"
        label={t('themes.stance')}
        value={stance}
        options={STANCES.map((value) => ({ value, label: t(`stances.${value}`) }))}
        onChange={setStance}
      />
    </EditDialog>
  )
}
