import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sendFile } from '#app/features/media/media.resumable-upload.queries.ts'
import { FileButton } from '#app/ui/admin/file-button.tsx'
import { MAX_PICTURE_BYTES } from '#app/features/media/media.schema.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { AdminIcon } from '#app/ui/admin/admin-icon.tsx'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { ProgressBar } from '#app/ui/progress-bar.tsx'
import { type DocumentDocument, documentsQuery, forgetDocuments } from '../documents.queries.ts'
import { ACCEPTED_ENDINGS } from '../documents.schema.ts'
import { EditDocument } from './EditDocument.tsx'

/** A project's files. Each change takes effect at once, independently of saving the editor. */
export function ProjectDocuments({ project }: { project: string }) {
  const { t } = useTranslation('admin')
  const { t: common } = useTranslation()
  const { t: media } = useTranslation('media')
  const format = useFormat()
  const queryClient = useQueryClient()
  const documents = useQuery(documentsQuery(project))
  const [sending, setSending] = useState<{ name: string; bytes: number; received: number }>()
  const [tooLarge, setTooLarge] = useState<string>()
  const [editing, setEditing] = useState<DocumentDocument>()
  const [leaving, setLeaving] = useState<DocumentDocument>()
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])
  // The button is gone during an upload, so focus has to be returned to it afterwards.
  const adding = useRef<HTMLDivElement>(null)
  const wasSending = useRef(false)
  const isSending = sending !== undefined
  useEffect(() => {
    if (wasSending.current && !isSending && document.activeElement === document.body) adding.current?.querySelector('input')?.focus()
    wasSending.current = isSending
  }, [isSending])
  const showDone = async (text: string) => {
    showToast({ text })
    await forgetDocuments(queryClient, project)
  }
  const send = useMutation({
    mutationFn: async ({ file, replaced }: { file: File; replaced?: string }) => {
      abort.current = new AbortController()
      const showProgress = (received: number) => setSending({ name: file.name, bytes: file.size, received })
      const upload = await sendFile(file, showProgress, abort.current.signal)
      if (replaced) return void (await api.update('project-documents', replaced, { attributes: { upload } }))
      const relationships = { project: { type: 'projects' as const, id: project } }
      await api.create('project-documents', { attributes: { upload }, relationships })
    },
    onSuccess: (_, { replaced }) => showDone(t(replaced ? 'documents.replaced' : 'documents.added')),
    onSettled: () => setSending(undefined),
  })
  const sendFirstFile = (files: readonly File[], replaced?: string) => {
    const [file] = files
    send.reset()
    setTooLarge(undefined)
    if (!file) return
    if (file.size > MAX_PICTURE_BYTES) setTooLarge(file.name)
    else send.mutate({ file, ...(replaced ? { replaced } : {}) })
  }
  const move = useMutation({
    mutationFn: ({ id, position }: { id: string; position: number }) => api.update('project-documents', id, { attributes: { position } }),
    onSettled: () => forgetDocuments(queryClient, project),
  })
  const remove = useMutation({
    mutationFn: (id: string) => api.remove('project-documents', id),
    onSuccess: async () => {
      setLeaving(undefined)
      await showDone(t('documents.removed'))
    },
  })
  const { faults } = useEditorTexts(send.error ?? move.error ?? remove.error)
  const rows = documents.data ?? []
  return (
    <div className="admin-stack">
      <p>{t('documents.about', { size: format.bytes(MAX_PICTURE_BYTES) })}</p>
      {tooLarge && (
        <Notice kind="error" title={`${tooLarge}${format.colon}${media('too-large', { size: format.bytes(MAX_PICTURE_BYTES) })}`} />
      )}
      {faults[0] && <Notice kind="error" title={faults[0].message} />}
      {sending ? (
        <ProgressBar
          label={media('progress', { name: sending.name, share: format.percent(sending.received / sending.bytes) })}
          value={sending.received}
          max={sending.bytes}
        />
      ) : (
        <div ref={adding}>
          <FileButton label={t('documents.add')} accept={ACCEPTED_ENDINGS} onFiles={(files) => sendFirstFile(files)} />
        </div>
      )}
      <DataTable
        caption={t('documents.title')}
        rows={rows}
        rowKey={({ id }) => id}
        state={documents.isError ? 'error' : documents.isPending ? 'loading' : 'ready'}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('documents.none')}>{t('documents.none-text')}</EmptyState>}
        error={<Notice kind="error" title={t('load-failed')} />}
        columns={[
          {
            id: 'name',
            head: t('documents.name'),
            names: true,
            cell: ({ address, title }) => (
              <a href={address} download>
                {title}
              </a>
            ),
          },
          {
            id: 'file',
            head: t('documents.file'),
            secondary: true,
            cell: ({ address, bytes, language }) =>
              [address.split('.').at(-1)?.toUpperCase(), format.bytes(bytes), language && getLanguageName(language)]
                .filter(Boolean)
                .join(', '),
          },
          {
            id: 'do',
            head: <span className="visually-hidden">{t('documents.edit')}</span>,
            cell: (row) => {
              const at = rows.indexOf(row)
              return (
                <span className="row">
                  {(['up', 'down'] as const).map((way) => {
                    const position = way === 'up' ? at - 1 : at + 1
                    return (
                      <button
                        key={way}
                        type="button"
                        className="icon-button"
                        aria-label={t(`documents.${way}`, { name: row.title })}
                        disabled={move.isPending || position < 0 || position >= rows.length}
                        onClick={() => move.mutate({ id: row.id, position })}
                      >
                        <AdminIcon name={`move-${way}`} />
                      </button>
                    )
                  })}
                  <Button kind="plain" size="small" onClick={() => setEditing(row)}>
                    {t('documents.edit')}
                    <span className="visually-hidden"> {row.title}</span>
                  </Button>
                  <Button kind="plain" size="small" onClick={() => setLeaving(row)}>
                    {t('documents.remove')}
                    <span className="visually-hidden"> {row.title}</span>
                  </Button>
                </span>
              )
            },
          },
        ]}
      />
      {editing && (
        <EditDocument
          document={editing}
          onClose={() => setEditing(undefined)}
          onSaved={() => showDone(t('documents.saved'))}
          onReplace={(files) => {
            setEditing(undefined)
            sendFirstFile(files, editing.id)
          }}
        />
      )}
      {leaving && (
        <ConfirmDialog
          title={t('documents.remove-title', { name: leaving.title })}
          isOpen
          danger
          onClose={() => setLeaving(undefined)}
          onConfirm={() => remove.mutateAsync(leaving.id).then(undefined, () => undefined)}
          confirmLabel={t('documents.remove')}
          cancelLabel={t('confirm.cancel')}
        >
          <p>{t('documents.remove-text')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
