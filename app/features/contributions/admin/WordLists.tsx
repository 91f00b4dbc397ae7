import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { forgetContributions, wordListsQuery } from '../contributions.queries.ts'

type WordListDocument = Resource<'moderation-word-lists'>

/** The site's word lists, one for each of its languages; only its administrators see and change them. */
export function WordLists() {
  const { t } = useTranslation('moderation-admin')
  const { t: words } = useTranslation('contributions-admin')
  const format = useFormat()
  const lists = useSuspenseQuery(wordListsQuery).data.data
  const [editing, setEditing] = useState<WordListDocument>()
  if (lists.length === 0) return null
  return (
    <section className="admin-stack" aria-labelledby="words-heading">
      <h2 id="words-heading">{t('words.title')}</h2>
      <p>{t('words.about')}</p>
      <ul className="admin-list">
        {lists.map((list) => (
          <li key={list.id} className="admin-panel">
            <span>
              <strong lang={list.language} dir={getDirection(list.language)}>
                {getLanguageName(list.language)}
              </strong>
              <br />
              {t('words.held-count', { number: format.number(list.held.length) })}
              {' · '}
              {t('words.flagged-count', { number: format.number(list.flagged.length) })}
            </span>
            <Button kind="plain" size="small" onClick={() => setEditing(list)}>
              {words('common.edit')}
              <span className="visually-hidden" lang={list.language} dir={getDirection(list.language)}>
                {' '}
                {getLanguageName(list.language)}
              </span>
            </Button>
          </li>
        ))}
      </ul>
      {editing && <EditWordList list={editing} onClose={() => setEditing(undefined)} />}
    </section>
  )
}

const toLines = (entries: readonly string[]): string => entries.join('\n')
const toEntries = (lines: string): string[] => lines.split('\n').filter((line) => line.trim())

function EditWordList({ list, onClose }: { list: WordListDocument; onClose: () => void }) {
  const { t } = useTranslation('moderation-admin')
  const { t: common } = useTranslation('contributions-admin')
  const queryClient = useQueryClient()
  const [held, setHeld] = useState(toLines(list.held))
  const [flagged, setFlagged] = useState(toLines(list.flagged))
  const save = useMutation({
    mutationFn: () =>
      api.update(
        'moderation-word-lists',
        list.id,
        { attributes: { held: toEntries(held), flagged: toEntries(flagged) } },
        { lockVersion: list.meta.lockVersion },
      ),
    onSuccess: async () => {
      onClose()
      showToast({ text: common('common.saved') })
      await forgetContributions(queryClient)
    },
  })
  const { faults, messageOf } = useEditorTexts(save.error)
  const fields = [
    { name: 'held', value: held, onChange: setHeld },
    { name: 'flagged', value: flagged, onChange: setFlagged },
  ] as const
  return (
    <EditDialog
      title={t('words.edit', { language: getLanguageName(list.language) })}
      saveLabel={common('common.save')}
      save={save}
      faults={faults}
      onClose={onClose}
    >
      <p>{t('words.matching')}</p>
      {fields.map(({ name, value, onChange }) => (
        <TextAreaInput
          key={name}
          // The page has a heading with the id `held`.
          id={`words-${name}`}
          name={name}
          label={t(`words.${name}`)}
          hint={t(`words.${name}-hint`)}
          rows={8}
          language={list.language}
          value={value}
          onChange={onChange}
          error={messageOf(name)}
        />
      ))}
    </EditDialog>
  )
}
