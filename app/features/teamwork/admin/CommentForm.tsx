import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { RecordChoices } from '#app/shell/admin/record-choice.tsx'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { Target } from '../targets.schema.ts'
import { colleagueSource, forgetTeamwork } from '../teamwork.queries.ts'

interface CommentFormProps {
  target: Target
  /** What is changed; without it, a new one is written. */
  comment?: Resource<'team-comments'>
  /** After saving, or when it is given up. */
  onDone?: () => void
}

/** Writes or changes a comment. What was typed stays until it is saved. */
export function CommentForm({ target, comment, onDone }: CommentFormProps) {
  const { t } = useTranslation('teamwork')
  const queryClient = useQueryClient()
  const [body, setBody] = useState(comment?.body ?? '')
  const [mentionIds, setMentionIds] = useState<string[]>(comment?.mentionIds ?? [])
  const { kind, id } = target
  const source = useMemo(() => colleagueSource({ kind, id }, comment?.mentions), [kind, id, comment?.mentions])
  const send = useMutation({
    mutationFn: (): Promise<unknown> =>
      comment
        ? api.update('team-comments', comment.id, { attributes: { body, mentionIds } }, { lockVersion: comment.meta.lockVersion })
        : api.create('team-comments', { attributes: { targetKind: kind, targetId: id, body, mentionIds } }),
    onSuccess: async () => {
      showToast({ text: t(comment ? 'comments.saved' : 'comments.sent') })
      setBody('')
      setMentionIds([])
      onDone?.()
      await forgetTeamwork(queryClient)
    },
  })
  const { faults, messageOf } = useEditorTexts(send.error)
  const name = comment ? `comment-${comment.id}` : 'comment'
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
        .filter(({ message }) => message !== messageOf('body') && message !== messageOf('mentionIds'))
        .map(({ message }) => (
          <Notice key={message} kind="error" title={message} />
        ))}
      <TextAreaInput
        name={name}
        label={t(comment ? 'comments.change' : 'comments.new')}
        value={body}
        onChange={setBody}
        rows={3}
        error={messageOf('body')}
      />
      <RecordChoices
        name={`${name}-mentions`}
        label={t('comments.mention')}
        hint={t('comments.mention-hint')}
        source={source}
        value={mentionIds}
        onChange={setMentionIds}
        error={messageOf('mentionIds')}
      />
      <div className="row">
        <Button type="submit" pending={send.isPending} disabled={body.trim() === ''}>
          {t(comment ? 'save' : 'comments.send')}
        </Button>
        {onDone && (
          <Button kind="secondary" onClick={onDone}>
            {t('cancel')}
          </Button>
        )}
      </div>
    </form>
  )
}
