import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { Button } from '#app/ui/button.tsx'
import { COMMENTS_HASH, type Target } from '../targets.schema.ts'
import { commentsQuery } from '../teamwork.queries.ts'
import { CommentList } from './CommentList.tsx'
import { TargetTasks } from './TargetTasks.tsx'

/** What colleagues say to each other about a draft, and their tasks: a button with the number open, and the panel that it opens. */
export function CommentsButton({ kind, id }: Target) {
  const { t } = useTranslation('teamwork')
  const format = useFormat()
  const isAsked = useLocation({ select: ({ hash }) => hash.split('/').includes(COMMENTS_HASH) })
  const [isOpen, setOpen] = useState(isAsked)
  // A notification may lead to the page that is open already.
  const [wasAsked, setWasAsked] = useState(isAsked)
  if (isAsked !== wasAsked) {
    setWasAsked(isAsked)
    if (isAsked) setOpen(true)
  }
  const { data } = useQuery(commentsQuery({ kind, id }))
  const open = Number(data?.meta['open'] ?? 0)
  return (
    <>
      <Button kind="secondary" type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {open > 0 ? t('comments.open-count', { count: open, number: format.number(open) }) : t('comments.open')}
      </Button>
      {isOpen && (
        <Dialog title={t('comments.title')} isOpen onClose={() => setOpen(false)} closeLabel={t('close')} size="side">
          <div className="admin-stack">
            <p className="meta">{t('comments.about')}</p>
            <TargetTasks target={{ kind, id }} />
            <CommentList target={{ kind, id }} />
          </div>
        </Dialog>
      )}
    </>
  )
}
