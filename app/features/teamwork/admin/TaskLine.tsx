import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { COMMENTS_HASH } from '../targets.schema.ts'
import { forgetTeamwork } from '../teamwork.queries.ts'
import { TaskForm } from './TaskForm.tsx'

interface TaskLineProps {
  task: Resource<'tasks'>
  /** Says what it is about, as a link; not where its page is open. */
  withTarget?: boolean
}

/** One task: what, who, until when, and buttons to finish or change it. */
export function TaskLine({ task, withTarget = false }: TaskLineProps) {
  const { t } = useTranslation('teamwork')
  const format = useFormat()
  const [isEditing, setEditing] = useState(false)
  const { kind, id } = { kind: task.targetKind, id: task.targetId }
  if (isEditing) return <TaskForm target={{ kind, id }} task={task} onDone={() => setEditing(false)} />
  // Noon, so that the day is the same in the site's time zone.
  const when = task.dueOn && format.date(`${task.dueOn}T12:00:00Z`)
  const facts = [task.ownerName ?? t('tasks.nobody'), when && !task.isOverdue && !task.isDone ? t('tasks.due-on', { when }) : ''].filter(
    Boolean,
  )
  return (
    <article className="team-comment" aria-label={task.title}>
      <p className="team-words">
        <strong>{task.title}</strong>
      </p>
      {withTarget && (
        <p>
          {t(`kinds.${kind}`)}
          {format.colon}
          <a href={`${task.targetPath}#${COMMENTS_HASH}`}>{task.targetTitle || t(`kinds.${kind}`)}</a>
        </p>
      )}
      <p className="meta">{facts.join(' · ')}</p>
      {task.isOverdue && when && <p className="team-late">{t('tasks.overdue', { when })}</p>}
      {task.doneAt && (
        <p className="meta">{t('tasks.done-by', { who: task.doneBy ?? t('comments.gone'), when: format.dateTime(task.doneAt) })}</p>
      )}
      <TaskActions task={task} onEdit={() => setEditing(true)} />
    </article>
  )
}

function TaskActions({ task, onEdit }: { task: Resource<'tasks'>; onEdit: () => void }) {
  const { t } = useTranslation('teamwork')
  const queryClient = useQueryClient()
  const [isRemoving, setRemoving] = useState(false)
  const { id, isDone, title, meta } = task
  const finish = useMutation({
    mutationFn: () => api.update('tasks', id, { attributes: { isDone: !isDone } }, { lockVersion: meta.lockVersion }),
    onSuccess: () => showToast({ text: t(isDone ? 'tasks.reopened' : 'tasks.finished') }),
    onSettled: () => forgetTeamwork(queryClient),
  })
  const remove = useMutation({
    mutationFn: () => api.remove('tasks', id),
    onSuccess: () => showToast({ text: t('tasks.removed') }),
    onSettled: () => forgetTeamwork(queryClient),
  })
  const hint = <span className="visually-hidden">: {title}</span>
  return (
    <>
      <Refusal error={finish.error ?? remove.error} />
      <div className="row">
        <Button kind="secondary" size="small" pending={finish.isPending} onClick={() => finish.mutate()}>
          {t(isDone ? 'tasks.undo' : 'tasks.finish')}
          {hint}
        </Button>
        <Button kind="plain" size="small" onClick={onEdit}>
          {t('edit')}
          {hint}
        </Button>
        <Button kind="plain" size="small" onClick={() => setRemoving(true)}>
          {t('remove')}
          {hint}
        </Button>
      </div>
      {isRemoving && (
        <ConfirmDialog
          title={t('tasks.remove-title')}
          isOpen
          onClose={() => setRemoving(false)}
          onConfirm={() => remove.mutateAsync().then(undefined, () => undefined)}
          confirmLabel={t('remove')}
          cancelLabel={t('cancel')}
          danger
        >
          <p>{title}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
