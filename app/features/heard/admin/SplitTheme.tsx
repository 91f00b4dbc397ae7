import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { forgetHeard, themePassagesQuery } from '../heard.queries.ts'
import { MAX_THEME } from '../heard.schema.ts'
import type { Theme } from './EditTheme.tsx'

interface SplitThemeProps {
  project: string
  theme: Theme
  themes: readonly Theme[]
  onClose: () => void
}

const NEW = 'new'

/** Moves passages of a theme to another one, or to a new one. */
export function SplitTheme({ project, theme, themes, onClose }: SplitThemeProps) {
  const { t } = useTranslation('heard-admin')
  const { t: common } = useTranslation()
  const language = useLanguage()
  const format = useFormat()
  const queryClient = useQueryClient()
  const { data: found } = useQuery(themePassagesQuery(theme.id))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [into, setInto] = useState(NEW)
  const [name, setName] = useState('')
  const moveAll = async (ids: readonly string[], to: string) => {
    for (const id of ids) await api.update('theme-evidence', id, { attributes: {}, relationships: { theme: { type: 'themes', id: to } } })
    await forgetHeard(queryClient)
  }
  const save = useMutation({
    mutationFn: async () => {
      const to =
        into === NEW
          ? (
              await api.create('themes', {
                attributes: { titleTranslations: { [language]: name }, stance: theme.stance },
                relationships: { project: { type: 'projects', id: project } },
              })
            ).data.id
          : into
      const ids = [...chosen]
      await moveAll(ids, to)
      showToast({
        text: t('themes.was-moved', { count: ids.length, number: format.number(ids.length) }),
        action: { label: t('read.undo'), onAction: () => moveAll(ids, theme.id) },
      })
    },
    onSuccess: onClose,
  })
  const words = useEditorTexts(save.error)
  return (
    <EditDialog
      title={t('themes.split-title', { title: theme.title })}
      saveLabel={t('themes.split-do', { count: chosen.size, number: format.number(chosen.size) })}
      save={{ isPending: save.isPending, mutate: () => chosen.size > 0 && save.mutate() }}
      faults={words.faults}
      onClose={onClose}
    >
      {!found && <Skeleton label={common('loading')} lines={4} />}
      {found && found.meta.total > found.data.length && <p>{t('themes.split-first', { number: format.number(found.data.length) })}</p>}
      <fieldset className="heard-passages">
        <legend>{t('themes.passages')}</legend>
        {found?.data.map(({ id, quote, source }) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={chosen.has(id)}
              onChange={({ currentTarget: { checked } }) =>
                setChosen((now) => new Set(checked ? [...now, id] : [...now].filter((each) => each !== id)))
              }
            />
            <span>{quote || t(`whole.${source}`)}</span>
          </label>
        ))}
      </fieldset>
      <SelectInput
        name="split-into"
        label={t('themes.merge-into')}
        value={into}
        options={[
          { value: NEW, label: t('themes.new') },
          ...themes.filter(({ id }) => id !== theme.id).map(({ id, title }) => ({ value: id, label: title })),
        ]}
        onChange={setInto}
      />
      {into === NEW && (
        <TextInput
          name="titleTranslations"
          label={t('themes.name')}
          language={language}
          value={name}
          onChange={setName}
          maxLength={MAX_THEME.title}
          error={words.messageOf('titleTranslations')}
        />
      )}
    </EditDialog>
  )
}
