import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetContributions, notesQuery } from '../contributions.queries.ts'
import { PlainText } from '../parts/contribution-parts.tsx'

type Note = Resource<'contribution-notes'>

/** What the team notes about a contribution, for itself. Needs `notesQuery`. */
export function ContributionNotes({ contribution }: { contribution: string }) {
  const { t } = useTranslation('contributions-admin')
  const notes = useSuspenseQuery(notesQuery(contribution)).data.data
  return (
    <section className="admin-panel admin-stack" aria-labelledby="notes">
      <h2 id="notes">{t('notes.title')}</h2>
      <p>{t('notes.about')}</p>
      <NoteForm
        name="note"
        label={t('notes.new')}
        sendLabel={t('notes.add')}
        save={(body) =>
          api.create('contribution-notes', {
            attributes: { body },
            relationships: { contribution: { type: 'contributions', id: contribution } },
          })
        }
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
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [acting, setActing] = useState<'edit' | 'remove'>()
  const remove = useMutation({
    mutationFn: () => api.remove('contribution-notes', note.id),
    onSuccess: async () => {
      showToast({ text: t('notes.removed') })
      await forgetContributions(queryClient)
    },
  })
  const words = useEditorTexts(remove.error)
  const date = format.dateTime(note.createdAt)
  return (
    <div className="admin-stack">
      <p className="meta">
        {note.authorName ?? t('draft.somebody')} · {date}
        {note.editedAt && ` · ${t('notes.edited', { date: format.dateTime(note.editedAt) })}`}
      </p>
      {acting === 'edit' ? (
        <NoteForm
          name={`note-${note.id}`}
          label={t('notes.change')}
          sendLabel={t('common.save')}
          before={note.body}
          save={(body) => api.update('contribution-notes', note.id, { attributes: { body } }, { lockVersion: note.meta.lockVersion })}
          onDone={() => setActing(undefined)}
        />
      ) : (
        <PlainText text={note.body} />
      )}
      {note.meta.can.update && acting !== 'edit' && (
        <div className="row">
          <Button kind="secondary" size="small" onClick={() => setActing('edit')}>
            {t('common.edit')}
            <span className="visually-hidden">: {date}</span>
          </Button>
          <Button kind="secondary" size="small" onClick={() => setActing('remove')}>
            {t('common.remove')}
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
          confirmLabel={t('common.remove')}
          cancelLabel={t('common.cancel')}
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
  before?: string
  save: (body: string) => Promise<unknown>
  /** After saving, or when it is given up. */
  onDone?: () => void
}

function NoteForm({ name, label, sendLabel, before = '', save, onDone }: NoteFormProps) {
  const { t } = useTranslation('contributions-admin')
  const queryClient = useQueryClient()
  const [body, setBody] = useState(before)
  const send = useMutation({
    mutationFn: () => save(body),
    onSuccess: async () => {
      showToast({ text: t('notes.saved') })
      setBody('')
      onDone?.()
      await forgetContributions(queryClient)
    },
  })
  const words = useEditorTexts(send.error)
  return (
    <div className="admin-form">
      {words.faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <TextAreaInput name={name} label={label} value={body} onChange={setBody} rows={3} />
      <div className="row">
        <Button kind="secondary" pending={send.isPending} disabled={body.trim() === ''} onClick={() => send.mutate()}>
          {sendLabel}
        </Button>
        {onDone && (
          <Button kind="secondary" onClick={onDone}>
            {t('common.cancel')}
          </Button>
        )}
      </div>
    </div>
  )
}
