import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { Target } from '../targets.schema.ts'
import { commentsQuery, forgetTeamwork } from '../teamwork.queries.ts'
import { CommentForm } from './CommentForm.tsx'

type Comment = Resource<'team-comments'>

/** Comments on one thing, the oldest first, with a form for another. Those resolved are folded away. */
export function CommentList({ target }: { target: Target }) {
  const { t } = useTranslation('teamwork')
  const { t: common } = useTranslation()
  const format = useFormat()
  const { data, isError } = useQuery(commentsQuery(target))
  if (isError) return <Notice kind="error" title={t('comments.load-failed')} />
  if (!data) return <Skeleton label={common('loading')} lines={4} />
  const comments = data.data.toReversed()
  const [open, resolved] = [comments.filter(({ isResolved }) => !isResolved), comments.filter(({ isResolved }) => isResolved)]
  const hidden = data.meta.total - comments.length
  return (
    <section className="admin-stack" aria-labelledby="team-comments">
      <h3 id="team-comments">{t('comments.open')}</h3>
      {hidden > 0 && <p className="meta">{t('comments.more', { count: hidden, number: format.number(hidden) })}</p>}
      {comments.length === 0 && (
        <p className="meta">
          {t('comments.none')}. {t('comments.none-text')}
        </p>
      )}
      {resolved.length > 0 && (
        <details>
          <summary>{t('comments.show-resolved', { count: resolved.length, number: format.number(resolved.length) })}</summary>
          <Comments comments={resolved} target={target} />
        </details>
      )}
      <Comments comments={open} target={target} />
      <CommentForm target={target} />
    </section>
  )
}

const Comments = ({ comments, target }: { comments: readonly Comment[]; target: Target }) =>
  comments.length > 0 && (
    <ul className="team-list">
      {comments.map((comment) => (
        <li key={comment.id}>
          <ShownComment comment={comment} target={target} />
        </li>
      ))}
    </ul>
  )

function ShownComment({ comment, target }: { comment: Comment; target: Target }) {
  const { t } = useTranslation('teamwork')
  const format = useFormat()
  const [isEditing, setEditing] = useState(false)
  const { createdAt, editedAt, deletedAt, resolvedAt, resolvedBy, mentions, former } = comment
  const who = comment.authorName ?? t('comments.gone')
  if (deletedAt)
    return (
      <p className="meta">
        {t('comments.deleted', { who })} · {format.dateTime(deletedAt)}
      </p>
    )
  return (
    <article className="team-comment" aria-label={`${who}, ${format.dateTime(createdAt)}`}>
      <p className="meta">
        <strong>{who}</strong> · {format.dateTime(createdAt)}
        {editedAt && ` · ${t('comments.edited', { when: format.dateTime(editedAt) })}`}
      </p>
      {isEditing ? (
        <CommentForm target={target} comment={comment} onDone={() => setEditing(false)} />
      ) : (
        <p className="team-words">{comment.body}</p>
      )}
      {mentions.length > 0 && !isEditing && (
        <p className="meta">{t('comments.mentioned', { names: mentions.map(({ name }) => `@${name}`).join(', ') })}</p>
      )}
      {former.length > 0 && !isEditing && (
        <details>
          <summary>{t('comments.former')}</summary>
          {former.map(({ body, writtenAt }) => (
            <blockquote key={writtenAt}>
              <p className="team-words">{body}</p>
              <p className="meta">{format.dateTime(writtenAt)}</p>
            </blockquote>
          ))}
        </details>
      )}
      {resolvedAt && (
        <p className="meta">{t('comments.resolved', { who: resolvedBy ?? t('comments.gone'), when: format.dateTime(resolvedAt) })}</p>
      )}
      {!isEditing && <CommentActions comment={comment} onEdit={() => setEditing(true)} />}
    </article>
  )
}

function CommentActions({ comment, onEdit }: { comment: Comment; onEdit: () => void }) {
  const { t } = useTranslation('teamwork')
  const queryClient = useQueryClient()
  const [isRemoving, setRemoving] = useState(false)
  const { id, isResolved, meta } = comment
  const resolve = useMutation({
    mutationFn: () => api.update('team-comments', id, { attributes: { isResolved: !isResolved } }, { lockVersion: meta.lockVersion }),
    onSuccess: () => showToast({ text: t(isResolved ? 'comments.reopened-toast' : 'comments.resolved-toast') }),
    onSettled: () => forgetTeamwork(queryClient),
  })
  const remove = useMutation({
    mutationFn: () => api.remove('team-comments', id),
    onSuccess: () => showToast({ text: t('comments.removed') }),
    onSettled: () => forgetTeamwork(queryClient),
  })
  const hint = <span className="visually-hidden">: {comment.body.slice(0, 60)}</span>
  return (
    <>
      <Refusal error={resolve.error ?? remove.error} />
      <div className="row">
        {meta.can.resolve && (
          <Button kind="secondary" size="small" pending={resolve.isPending} onClick={() => resolve.mutate()}>
            {t(isResolved ? 'comments.reopen' : 'comments.resolve')}
            {hint}
          </Button>
        )}
        {meta.can.update && (
          <>
            <Button kind="plain" size="small" onClick={onEdit}>
              {t('edit')}
              {hint}
            </Button>
            <Button kind="plain" size="small" onClick={() => setRemoving(true)}>
              {t('remove')}
              {hint}
            </Button>
          </>
        )}
      </div>
      {isRemoving && (
        <ConfirmDialog
          title={t('comments.remove-title')}
          isOpen
          onClose={() => setRemoving(false)}
          onConfirm={() => remove.mutateAsync().then(undefined, () => undefined)}
          confirmLabel={t('remove')}
          cancelLabel={t('cancel')}
          danger
        >
          <p>{t('comments.remove-text')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
