import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import type { Translated } from '#app/lib/translated.ts'
import { alwaysNeedsText, type StatusCode } from '#app/lib/vocabulary/contributions.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { MoveButtons } from '#app/ui/admin/move-buttons.tsx'
import { Badge } from '#app/ui/admin/badge.tsx'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { CheckInput } from '#app/ui/admin/inputs.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetContributions, statusesQuery } from '../contributions.queries.ts'

type StatusDocument = Resource<'contribution-statuses'>
type StatusChange = { titleTranslations?: Translated; needsText?: boolean; position?: number; archived?: boolean }

interface ActivityStatusesProps {
  activity: { id: string; title: string }
  onClose: () => void
}

/** The statuses that official answers give. Each change takes effect at once. */
export function ActivityStatuses({ activity, onClose }: ActivityStatusesProps) {
  const { t } = useTranslation('contributions-admin')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const statuses = useQuery(statusesQuery(activity.id))
  const [editing, setEditing] = useState<string>()
  const rows = statuses.data?.data ?? []
  const offered = rows.filter(({ archived }) => !archived)
  const archived = rows.filter((status) => status.archived)
  return (
    <Dialog title={t('statuses.of', { name: activity.title })} isOpen onClose={onClose} closeLabel={admin('nav.close-dialog')} size="large">
      <div className="admin-stack">
        <p>{t('statuses.about')}</p>
        {statuses.isPending && <Skeleton label={common('loading')} lines={3} />}
        {statuses.isError && <Notice kind="error" title={t('common.load-failed')} />}
        <ol className="admin-list">
          {offered.map((status, at) => (
            <li key={status.id} className="admin-panel">
              {editing === status.id ? (
                <EditStatus key={status.meta.lockVersion} status={status} onDone={() => setEditing(undefined)} />
              ) : (
                <StatusRow status={status} at={at} count={offered.length} onEdit={() => setEditing(status.id)} />
              )}
            </li>
          ))}
        </ol>
        {statuses.data && <AddStatus activity={activity.id} />}
        {archived.length > 0 && (
          <section className="admin-stack" aria-labelledby="archived-statuses">
            <h3 id="archived-statuses">{t('statuses.archived')}</h3>
            <p>{t('statuses.archived-about')}</p>
            <ul className="admin-list">
              {archived.map((status) => (
                <ArchivedRow key={status.id} status={status} />
              ))}
            </ul>
          </section>
        )}
      </div>
    </Dialog>
  )
}

function useStatusChange(status: StatusDocument, onSuccess?: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (attributes: StatusChange) =>
      api.update('contribution-statuses', status.id, { attributes }, { lockVersion: status.meta.lockVersion }),
    onSuccess,
    onSettled: () => forgetContributions(queryClient),
  })
}

interface StatusRowProps {
  status: StatusDocument
  at: number
  count: number
  onEdit: () => void
}

function StatusRow({ status, at, count, onEdit }: StatusRowProps) {
  const { t } = useTranslation('contributions-admin')
  const queryClient = useQueryClient()
  const [isLeaving, setLeaving] = useState(false)
  const change = useStatusChange(status)
  const remove = useMutation({
    mutationFn: () => api.remove('contribution-statuses', status.id),
    onSettled: () => forgetContributions(queryClient),
  })
  const { faults } = useEditorTexts(change.error ?? remove.error)
  const name = status.title
  return (
    <>
      <span className="row">
        <strong>{name}</strong>
        {at === 0 && <Badge tone="info">{t('statuses.first')}</Badge>}
        {status.needsText && <Badge hollow>{t('statuses.needs')}</Badge>}
      </span>
      {faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <span className="row row-tools">
        <MoveButtons
          labels={{ up: t('statuses.up', { name }), down: t('statuses.down', { name }) }}
          at={at}
          count={count}
          isPending={change.isPending}
          onMove={(position) => change.mutate({ position })}
        />
        <Button kind="plain" size="small" onClick={onEdit}>
          {t('common.edit')}
          <span className="visually-hidden"> {name}</span>
        </Button>
        {!isLeaving && (
          <Button kind="plain" size="small" onClick={() => setLeaving(true)}>
            {t('common.remove')}
            <span className="visually-hidden"> {name}</span>
          </Button>
        )}
      </span>
      {isLeaving && (
        <div className="admin-stack">
          {status.inUse && <p>{t('statuses.in-use')}</p>}
          <span className="row">
            <Button size="small" pending={remove.isPending} onClick={() => remove.mutate()}>
              {t(status.inUse ? 'statuses.archive-sure' : 'statuses.remove-sure', { name })}
            </Button>
            <Button kind="plain" size="small" onClick={() => setLeaving(false)}>
              {t('common.cancel')}
            </Button>
          </span>
        </div>
      )}
    </>
  )
}

function ArchivedRow({ status }: { status: StatusDocument }) {
  const { t } = useTranslation('contributions-admin')
  const restore = useStatusChange(status)
  const { faults } = useEditorTexts(restore.error)
  return (
    <li className="admin-panel">
      <span>{status.title}</span>
      {faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <span className="row">
        <Button kind="plain" size="small" pending={restore.isPending} onClick={() => restore.mutate({ archived: false })}>
          {t('statuses.restore', { name: status.title })}
        </Button>
      </span>
    </li>
  )
}

interface StatusFieldsProps {
  title: Translated
  onTitle: (title: Translated) => void
  needsText: boolean
  onNeedsText: (needsText: boolean) => void
  code: StatusCode | null
  error: unknown
}

function StatusFields({ title, onTitle, needsText, onNeedsText, code, error }: StatusFieldsProps) {
  const { t } = useTranslation('contributions-admin')
  const site = useSite()
  const words = useEditorTexts(error)
  const isFixed = alwaysNeedsText(code)
  return (
    <>
      {words.faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <TranslatedTexts
        languages={site.contentLanguages}
        source={site.locale}
        fields={[{ name: 'titleTranslations', label: t('statuses.name') }]}
        values={{ titleTranslations: title }}
        onChange={(_, text) => onTitle(text)}
        messageOf={words.messageOf}
        words={words.texts}
      />
      {isFixed ? (
        <p>{t('statuses.always-needs-text')}</p>
      ) : (
        <CheckInput name="needsText" label={t('statuses.needs-text')} value={needsText} onChange={onNeedsText} />
      )}
    </>
  )
}

function EditStatus({ status, onDone }: { status: StatusDocument; onDone: () => void }) {
  const { t } = useTranslation('contributions-admin')
  const [title, setTitle] = useState<Translated>(status.titleTranslations ?? {})
  const [needsText, setNeedsText] = useState(status.needsText)
  const save = useStatusChange(status, onDone)
  return (
    <div className="admin-form">
      <StatusFields
        title={title}
        onTitle={setTitle}
        needsText={needsText}
        onNeedsText={setNeedsText}
        code={status.code}
        error={save.error}
      />
      <span className="row">
        <Button size="small" pending={save.isPending} onClick={() => save.mutate({ titleTranslations: title, needsText })}>
          {t('common.save')}
        </Button>
        <Button kind="plain" size="small" onClick={onDone}>
          {t('common.cancel')}
        </Button>
      </span>
    </div>
  )
}

function AddStatus({ activity }: { activity: string }) {
  const { t } = useTranslation('contributions-admin')
  const queryClient = useQueryClient()
  const [title, setTitle] = useState<Translated>({})
  const [needsText, setNeedsText] = useState(false)
  const add = useMutation({
    mutationFn: () =>
      api.create('contribution-statuses', {
        attributes: { titleTranslations: title, needsText },
        relationships: { activity: { type: 'activities', id: activity } },
      }),
    onSuccess: async () => {
      setTitle({})
      setNeedsText(false)
      await forgetContributions(queryClient)
    },
  })
  return (
    <section className="admin-form" aria-labelledby="add-status">
      <h3 id="add-status">{t('statuses.add')}</h3>
      <StatusFields title={title} onTitle={setTitle} needsText={needsText} onNeedsText={setNeedsText} code={null} error={add.error} />
      <div className="row">
        <Button kind="secondary" pending={add.isPending} onClick={() => add.mutate()}>
          {t('statuses.add')}
        </Button>
      </div>
    </section>
  )
}
