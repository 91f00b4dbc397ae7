import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { RecordChoice } from '#app/shell/admin/record-choice.tsx'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { buildControlProps, Field } from '#app/ui/field.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { Target } from '../targets.schema.ts'
import { colleagueSource, forgetTeamwork } from '../teamwork.queries.ts'

interface TaskFormProps {
  target: Target
  /** What is changed; without it, a new one is made. */
  task?: Resource<'tasks'>
  onDone: () => void
}

/** Adds or changes a task. */
export function TaskForm({ target: { kind, id }, task, onDone }: TaskFormProps) {
  const { t } = useTranslation('teamwork')
  const queryClient = useQueryClient()
  const [title, setTitle] = useState(task?.title ?? '')
  const [ownerId, setOwnerId] = useState<string | null>(task?.ownerId ?? null)
  const [dueOn, setDueOn] = useState(task?.dueOn ?? '')
  const source = useMemo(
    () => colleagueSource({ kind, id }, task?.ownerId ? [{ id: task.ownerId, name: task.ownerName ?? '' }] : []),
    [kind, id, task],
  )
  const send = useMutation({
    mutationFn: (): Promise<unknown> => {
      const attributes = { title, ownerId, dueOn: dueOn || null }
      return task
        ? api.update('tasks', task.id, { attributes }, { lockVersion: task.meta.lockVersion })
        : api.create('tasks', { attributes: { targetKind: kind, targetId: id, ...attributes } })
    },
    onSuccess: async () => {
      showToast({ text: t(task ? 'tasks.saved' : 'tasks.added') })
      onDone()
      await forgetTeamwork(queryClient)
    },
  })
  const { faults, messageOf } = useEditorTexts(send.error)
  const name = task ? `task-${task.id}` : 'task'
  const fields = ['title', 'ownerId', 'dueOn'] as const
  const day = { name: `${name}-due`, label: t('tasks.due'), error: messageOf('dueOn') }
  return (
    <form
      className="admin-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (!send.isPending) send.mutate()
      }}
    >
      {faults
        .filter(({ message }) => !fields.some((field) => messageOf(field) === message))
        .map(({ message }) => (
          <Notice key={message} kind="error" title={message} />
        ))}
      <TextInput name={`${name}-title`} label={t('tasks.name')} value={title} onChange={setTitle} error={messageOf('title')} />
      <RecordChoice
        name={`${name}-owner`}
        label={t('tasks.owner')}
        source={source}
        value={ownerId}
        onChange={setOwnerId}
        none={t('tasks.nobody')}
        error={messageOf('ownerId')}
      />
      <Field field={day}>
        <input
          {...buildControlProps(day)}
          className="input"
          type="date"
          value={dueOn}
          onChange={(event) => setDueOn(event.currentTarget.value)}
        />
      </Field>
      <div className="row">
        <Button type="submit" pending={send.isPending} disabled={title.trim() === ''}>
          {t(task ? 'save' : 'tasks.add')}
        </Button>
        <Button kind="secondary" onClick={onDone}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}
