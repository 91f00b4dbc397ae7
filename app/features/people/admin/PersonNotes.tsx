import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { NOTE_READERS, type NoteReader } from '#app/lib/vocabulary/accounts.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { SelectInput, TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PERSON_NOTES, personNotesQuery } from '../people.queries.ts'

type Note = Resource<'person-notes'>
type NoteInput = Pick<Note, 'body' | 'readBy'>

/** What the team notes about a person. Needs `personNotesQuery`. */
export function PersonNotes({ id }: { id: string }) {
  const { t } = useTranslation('people')
  const notes = useSuspenseQuery(personNotesQuery(id)).data.data
  return (
    <section className="admin-panel admin-stack" aria-labelledby="notes">
      <h2 id="notes">{t('notes.title')}</h2>
      <NoteForm
        name="note"
        label={t('notes.new')}
        sendLabel={t('notes.add')}
        before={{ body: '', readBy: 'people-managers' }}
        save={(attributes) => api.create('person-notes', { attributes, relationships: { user: { type: 'users', id } } })}
      />
      {notes.length > 0 && (
        <ul className="admin-list">
          {notes.map((note) => (
            <li key={note.id}>
              <ShownNote note={note} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function ShownNote({ note }: { note: Note }) {
  const { t } = useTranslation('people')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [acting, setActing] = useState<'edit' | 'remove'>()
  const remove = useMutation({
    mutationFn: () => api.remove('person-notes', note.id),
    onSuccess: async () => {
      showToast({ text: t('notes.removed') })
      await queryClient.invalidateQueries({ queryKey: PERSON_NOTES })
    },
  })
  const words = useEditorTexts(remove.error)
  const date = format.dateTime(note.createdAt)
  return (
    <div className="admin-stack">
      <p className="meta">
        {note.authorName ?? t('notes.somebody')} · {date}
        {note.editedAt && ` · ${t('notes.edited', { date: format.dateTime(note.editedAt) })}`}
        {` · ${t(`notes.readers.${note.readBy}`)}`}
      </p>
      {acting === 'edit' ? (
        <NoteForm
          name={`note-${note.id}`}
          label={t('notes.change')}
          sendLabel={t('notes.save')}
          before={note}
          save={(attributes) => api.update('person-notes', note.id, { attributes }, { lockVersion: note.meta.lockVersion })}
          onDone={() => setActing(undefined)}
        />
      ) : (
        <p className="keeps-lines">{note.body}</p>
      )}
      {note.meta.can.update && acting !== 'edit' && (
        <div className="row">
          <Button kind="secondary" size="small" onClick={() => setActing('edit')}>
            {t('notes.edit')}
            <span className="visually-hidden">: {date}</span>
          </Button>
          <Button kind="secondary" size="small" onClick={() => setActing('remove')}>
            {t('notes.remove')}
            <span className="visually-hidden">: {date}</span>
          </Button>
        </div>
      )}
      {acting === 'remove' && (
        <ConfirmDialog
          title={t('notes.remove-title')}
          isOpen
          onClose={() => setActing(undefined)}
          onConfirm={() => remove.mutateAsync().then(undefined, () => undefined)}
          confirmLabel={t('notes.remove')}
          cancelLabel={t('notes.cancel')}
          danger
        >
          {words.faults.map(({ message }) => (
            <Notice key={message} kind="error" title={message} />
          ))}
        </ConfirmDialog>
      )}
    </div>
  )
}

interface NoteFormProps {
  name: string
  label: string
  sendLabel: string
  before: NoteInput
  save: (note: NoteInput) => Promise<unknown>
  /** After saving, or when it is given up. */
  onDone?: () => void
}

function NoteForm({ name, label, sendLabel, before, save, onDone }: NoteFormProps) {
  const { t } = useTranslation('people')
  const queryClient = useQueryClient()
  const [body, setBody] = useState(before.body)
  const [readBy, setReadBy] = useState<NoteReader>(before.readBy)
  const send = useMutation({
    mutationFn: () => save({ body, readBy }),
    onSuccess: async () => {
      showToast({ text: t('notes.saved') })
      setBody('')
      onDone?.()
      await queryClient.invalidateQueries({ queryKey: PERSON_NOTES })
    },
  })
  const words = useEditorTexts(send.error)
  return (
    <div className="admin-form">
      {words.faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <TextAreaInput name={name} label={label} hint={t('notes.about')} value={body} onChange={setBody} rows={3} />
      <SelectInput<NoteReader>
        name={`${name}-readers`}
        label={t('notes.readBy')}
        value={readBy}
        onChange={setReadBy}
        options={NOTE_READERS.map((value) => ({ value, label: t(`notes.readers.${value}`) }))}
      />
      <div className="row">
        <Button kind="secondary" pending={send.isPending} disabled={body.trim() === ''} onClick={() => send.mutate()}>
          {sendLabel}
        </Button>
        {onDone && (
          <Button kind="secondary" onClick={onDone}>
            {t('notes.cancel')}
          </Button>
        )}
      </div>
    </div>
  )
}
