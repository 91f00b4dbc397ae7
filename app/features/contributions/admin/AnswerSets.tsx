import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { ProgressBar } from '#app/ui/progress-bar.tsx'
import { answerSetsQuery, forgetContributions } from '../contributions.queries.ts'
import type { SENDING_ACTS } from '../desk/desk-search.ts'
import { changeSendingOf } from '../desk/desk.functions.ts'
import { AnswerSetDialog } from './AnswerSetDialog.tsx'
import { type AnswerSet, isBeingSent, useSetWords } from './use-set-words.ts'

/** Answers to several contributions: to be agreed to, to be rewritten after they were returned, being sent, and what became of them. */
export function AnswerSets() {
  const sets = useQuery(answerSetsQuery).data ?? []
  const [open, setOpen] = useState<string>()
  const shown = sets.find(({ id }) => id === open)
  useFreshListAfterSending(sets.filter(isBeingSent).length)
  return (
    <>
      {sets.map((set) =>
        set.state === 'draft' || set.state === 'asked' ? (
          <DraftedSet key={set.id} set={set} onOpen={() => setOpen(set.id)} />
        ) : (
          <SentSet key={set.id} set={set} />
        ),
      )}
      {shown && <AnswerSetDialog key={`${shown.id} ${shown.lockVersion}`} set={shown} onClose={() => setOpen(undefined)} />}
    </>
  )
}

/** The list below shows new statuses once an answer was sent to all. */
function useFreshListAfterSending(count: number) {
  const queryClient = useQueryClient()
  const before = useRef(count)
  useEffect(() => {
    if (count < before.current) void forgetContributions(queryClient)
    before.current = count
  }, [count, queryClient])
}

function DraftedSet({ set, onOpen }: { set: AnswerSet; onOpen: () => void }) {
  const { t } = useTranslation('contributions-admin')
  const describe = useSetWords()
  return (
    <Notice kind={set.returnReason && set.state === 'draft' ? 'warning' : 'info'} title={describe(set)}>
      <p>{set.projects.map(({ title }) => title).join(', ')}</p>
      <div className="row">
        <Button kind="secondary" size="small" onClick={onOpen}>
          {t('answer-sets.open')}
        </Button>
      </div>
    </Notice>
  )
}

const KINDS = { waiting: 'info', running: 'info', done: 'success', failed: 'error', cancelled: 'warning' } as const

function SentSet({ set }: { set: AnswerSet }) {
  const { t } = useTranslation('contributions-admin')
  const { t: admin } = useTranslation('admin')
  const { describeError } = useFaultTexts()
  const describe = useSetWords()
  const format = useFormat()
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (act: (typeof SENDING_ACTS)[number]) => changeSendingOf({ data: { id: set.id, act } }),
    onError: (error) => showToast({ kind: 'error', text: describeError(error) }),
    onSettled: () => forgetContributions(queryClient),
  })
  const handled = set.sent + set.refused
  const kind = set.state === 'draft' || set.state === 'asked' ? 'info' : KINDS[set.state]
  return (
    <Notice kind={set.state === 'done' && set.refused > 0 ? 'warning' : kind} title={describe(set)}>
      <p>{set.projects.map(({ title }) => title).join(', ')}</p>
      {isBeingSent(set) && (
        <ProgressBar
          label={admin('bulk.progress', { at: format.number(handled), of: format.number(set.count) })}
          value={handled}
          max={set.count}
        />
      )}
      <div className="row">
        {isBeingSent(set) ? (
          <Button kind="secondary" size="small" pending={change.isPending} onClick={() => change.mutate('stop')}>
            {t('answer-sets.stop')}
          </Button>
        ) : (
          <Button kind="secondary" size="small" pending={change.isPending} onClick={() => change.mutate('dismiss')}>
            {t('answer-sets.dismiss')}
          </Button>
        )}
        {set.state === 'failed' && (
          <Button size="small" pending={change.isPending} onClick={() => change.mutate('send-rest')}>
            {t('answer-sets.send-rest')}
          </Button>
        )}
        {/* Another shell: outside the administration, so that it needs no JavaScript. */}
        <a href={`/answer-sets/${set.id}`}>{t(set.refused > 0 ? 'answer-sets.why' : 'answer-sets.page')}</a>
      </div>
    </Notice>
  )
}
