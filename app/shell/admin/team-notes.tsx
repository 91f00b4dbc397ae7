import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'

interface NoteDraft {
  body: string
}

interface Note extends NoteDraft {
  id: string
  /** Null: the account is gone. */
  authorName: string | null
  createdAt: string
  editedAt: string | null
  meta: { can: { update: boolean }; lockVersion: number }
}

interface NotesProps<Draft extends NoteDraft> {
  /** What their authors must know: who reads the notes. */
  about: string
  /** What a new note begins with. */
  blank: Draft
  /** What a note says besides its text, author and date. */
  describe?: (note: Draft) => string
  /** Further fields of a note. @param name of this form, unique on the page */
  renderFields?: (draft: Draft, change: (draft: Draft) => void, name: string) => ReactNode
  /** @param before undefined for a new note */
  save: (draft: Draft, before: Note | undefined) => Promise<unknown>
  remove: (id: string) => Promise<unknown>
  /** Reads the notes again. */
  refresh: () => Promise<unknown>
}

/** What the team notes about a person, a contribution or the like. */
export function TeamNotes<Draft extends NoteDraft>({ notes, ...props }: NotesProps<Draft> & { notes: readonly (Note & Draft)[] }) {
  const { t } = useTranslation('admin')
  return (
    <section className="admin-panel admin-stack" aria-labelledby="notes">
      <h2 id="notes">{t('notes.title')}</h2>
      <NoteForm {...props} name="note" label={t('notes.new')} sendLabel={t('notes.add')} />
      {notes.length > 0 && (
        <ul className="admin-list">
          {notes.map((note) => (
            <li key={note.id}>
              <ShownNote {...props} note={note} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function ShownNote<Draft extends NoteDraft>({ note, ...props }: NotesProps<Draft> & { note: Note & Draft }) {
  const { t } = useTranslation('admin')
  const format = useFormat()
  const [acting, setActing] = useState<'edit' | 'remove'>()
  const remove = useMutation({
    mutationFn: () => props.remove(note.id),
    onSuccess: async () => {
      showToast({ text: t('notes.removed') })
      await props.refresh()
    },
  })
  const words = useEditorTexts(remove.error)
  const date = format.dateTime(note.createdAt)
  return (
    <div className="admin-stack">
      <p className="meta">
        {note.authorName ?? t('notes.former')} · {date}
        {note.editedAt && ` · ${t('notes.edited', { date: format.dateTime(note.editedAt) })}`}
        {props.describe && ` · ${props.describe(note)}`}
      </p>
      {acting === 'edit' ? (
        <NoteForm
          {...props}
          name={`note-${note.id}`}
          label={t('notes.change')}
          sendLabel={t('notes.save')}
          note={note}
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

interface NoteFormProps<Draft extends NoteDraft> extends NotesProps<Draft> {
  name: string
  label: string
  sendLabel: string
  /** Undefined for a new one. */
  note?: Note & Draft
  /** After saving, or when it is given up. */
  onDone?: () => void
}

function NoteForm<Draft extends NoteDraft>({ name, label, sendLabel, note, onDone, ...props }: NoteFormProps<Draft>) {
  const { t } = useTranslation('admin')
  const [draft, setDraft] = useState<Draft>(note ?? props.blank)
  const send = useMutation({
    mutationFn: () => props.save(draft, note),
    onSuccess: async () => {
      showToast({ text: t('notes.saved') })
      setDraft({ ...draft, body: '' })
      onDone?.()
      await props.refresh()
    },
  })
  const words = useEditorTexts(send.error)
  return (
    <div className="admin-form">
      {words.faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <TextAreaInput
        name={name}
        label={label}
        hint={props.about}
        value={draft.body}
        onChange={(body) => setDraft({ ...draft, body })}
        rows={3}
      />
      {props.renderFields?.(draft, setDraft, name)}
      <div className="row">
        <Button kind="secondary" pending={send.isPending} disabled={draft.body.trim() === ''} onClick={() => send.mutate()}>
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
