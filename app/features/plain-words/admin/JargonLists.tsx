import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { jargonListsQuery } from '#app/shell/admin/plain-words/jargon-lists.queries.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'

type JargonListDocument = Resource<'jargon-lists'>

/** The words that editors point out in public texts, one list for each language of the site; site administrators change them. */
export function JargonLists() {
  const { t } = useTranslation('plain-words')
  const lists = useSuspenseQuery(jargonListsQuery).data.data
  const [editing, setEditing] = useState<JargonListDocument>()
  return (
    <section className="admin-stack jargon-lists" aria-labelledby="jargon-heading">
      <h2 id="jargon-heading">{t('lists.title')}</h2>
      <p>{t('lists.about')}</p>
      <ul className="admin-list">
        {lists.map((list) => (
          <li key={list.id} className="admin-panel">
            <span>
              <strong lang={list.language} dir={getDirection(list.language)}>
                {getLanguageName(list.language)}
              </strong>
              <br />
              {t('lists.entries', { count: list.entries.length })}
            </span>
            {list.meta.can.update && (
              <Button kind="plain" size="small" onClick={() => setEditing(list)}>
                {t('lists.change')}
                <span className="visually-hidden" lang={list.language} dir={getDirection(list.language)}>
                  {' '}
                  {getLanguageName(list.language)}
                </span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {editing && <EditJargonList list={editing} onClose={() => setEditing(undefined)} />}
    </section>
  )
}

function EditJargonList({ list, onClose }: { list: JargonListDocument; onClose: () => void }) {
  const { t } = useTranslation('plain-words')
  const queryClient = useQueryClient()
  const [lines, setLines] = useState(list.entries.join('\n'))
  const save = useMutation({
    mutationFn: () =>
      api.update(
        'jargon-lists',
        list.id,
        { attributes: { entries: lines.split('\n').filter((line) => line.trim()) } },
        { lockVersion: list.meta.lockVersion },
      ),
    onSuccess: async () => {
      onClose()
      showToast({ text: t('lists.saved') })
      await queryClient.invalidateQueries({ queryKey: jargonListsQuery.queryKey })
    },
  })
  const { faults, messageOf } = useEditorTexts(save.error)
  return (
    <EditDialog
      title={t('lists.edit', { language: getLanguageName(list.language) })}
      saveLabel={t('lists.save')}
      save={save}
      faults={faults}
      onClose={onClose}
    >
      <TextAreaInput
        name="entries"
        label={t('lists.words')}
        hint={t('lists.matching')}
        rows={12}
        language={list.language}
        value={lines}
        onChange={setLines}
        error={messageOf('entries')}
      />
    </EditDialog>
  )
}
