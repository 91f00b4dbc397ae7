import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { getDirection } from '#app/lib/added-languages.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { EditDialog } from './edit-dialog.tsx'

interface WordList {
  id: string
  language: ContentLanguage
}

interface WordListField<Name extends string> {
  name: Name
  label: string
  hint: string
}

interface WordListsProps<Name extends string, List extends WordList & Record<Name, readonly string[]>> {
  lists: readonly List[]
  describe: (list: List) => string
  canEdit: (list: List) => boolean
  /** What can be written into a list, one word or phrase on each line. */
  fields: readonly WordListField<Name>[]
  words: { edit: string; editTitle: (language: string) => string; about?: string; save: string; saved: string }
  save: (list: List, entries: Record<Name, string[]>) => Promise<unknown>
  /** Reads the lists again. */
  refresh: () => Promise<unknown>
}

/** The site's lists of words, one for each of its languages, with a dialog to change one. */
export function WordLists<Name extends string, List extends WordList & Record<Name, readonly string[]>>(props: WordListsProps<Name, List>) {
  const { lists, describe, canEdit, words } = props
  const [editing, setEditing] = useState<List>()
  return (
    <>
      <ul className="admin-list">
        {lists.map((list) => (
          <li key={list.id} className="admin-panel">
            <span>
              <strong lang={list.language} dir={getDirection(list.language)}>
                {getLanguageName(list.language)}
              </strong>
              <br />
              {describe(list)}
            </span>
            {canEdit(list) && (
              <Button kind="plain" size="small" onClick={() => setEditing(list)}>
                {words.edit}
                <span className="visually-hidden" lang={list.language} dir={getDirection(list.language)}>
                  {' '}
                  {getLanguageName(list.language)}
                </span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {editing && <EditWordList {...props} list={editing} onClose={() => setEditing(undefined)} />}
    </>
  )
}

function EditWordList<Name extends string, List extends WordList & Record<Name, readonly string[]>>({
  list,
  fields,
  words,
  onClose,
  ...props
}: WordListsProps<Name, List> & { list: List; onClose: () => void }) {
  const mapNames = <T,>(read: (name: Name) => T) => Object.fromEntries(fields.map(({ name }) => [name, read(name)])) as Record<Name, T>
  const [lines, setLines] = useState(() => mapNames((name) => list[name].join('\n')))
  const save = useMutation({
    mutationFn: () =>
      props.save(
        list,
        mapNames((name) => lines[name].split('\n').filter((line) => line.trim())),
      ),
    onSuccess: async () => {
      onClose()
      showToast({ text: words.saved })
      await props.refresh()
    },
  })
  const { faults, messageOf } = useEditorTexts(save.error)
  return (
    <EditDialog
      title={words.editTitle(getLanguageName(list.language))}
      saveLabel={words.save}
      save={save}
      faults={faults}
      onClose={onClose}
    >
      {words.about && <p>{words.about}</p>}
      {fields.map(({ name, label, hint }) => (
        <TextAreaInput
          key={name}
          // The page may have a heading with the name as its id.
          id={`words-${name}`}
          name={name}
          label={label}
          hint={hint}
          rows={fields.length > 1 ? 8 : 12}
          language={list.language}
          value={lines[name]}
          onChange={(value) => setLines({ ...lines, [name]: value })}
          error={messageOf(name)}
        />
      ))}
    </EditDialog>
  )
}
