import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { answerSetsQuery } from '../contributions.queries.ts'
import { AnswerSetDialog } from './AnswerSetDialog.tsx'
import { useSendAnswers } from './use-send-answers.ts'

export type AnswerSet = Awaited<ReturnType<NonNullable<typeof answerSetsQuery.queryFn>>>[number]

/** Answers to many that wait for somebody: a colleague's agreement, the words after they were returned, or the rest of them to be sent. */
export function AnswerSets() {
  const sets = useQuery(answerSetsQuery).data ?? []
  const [open, setOpen] = useState<string>()
  const shown = sets.find(({ id }) => id === open)
  return (
    <>
      {sets.map((set) => (
        <WaitingSet key={set.id} set={set} onOpen={() => setOpen(set.id)} />
      ))}
      {shown && <AnswerSetDialog key={`${shown.id} ${shown.lockVersion}`} set={shown} onClose={() => setOpen(undefined)} />}
    </>
  )
}

function WaitingSet({ set, onOpen }: { set: AnswerSet; onOpen: () => void }) {
  const { t } = useTranslation('contributions-admin')
  const describe = useSetWords()
  const sending = useSendAnswers(useQueryClient())
  return (
    <Notice kind={set.returnReason && set.state === 'draft' ? 'warning' : 'info'} title={describe(set)}>
      <p>{set.projects.map(({ title }) => title).join(', ')}</p>
      <div className="row">
        {set.state === 'sending' ? (
          <Button size="small" pending={sending.isPending} onClick={() => sending.mutate(set)}>
            {t('answer-sets.send-rest')}
          </Button>
        ) : (
          <Button kind="secondary" size="small" onClick={onOpen}>
            {t('answer-sets.open')}
          </Button>
        )}
      </div>
    </Notice>
  )
}

/** @returns what is the matter with an answer to many, in a sentence */
export function useSetWords(): (set: AnswerSet) => string {
  const { t } = useTranslation('contributions-admin')
  const { t: moderation } = useTranslation('moderation-admin')
  const format = useFormat()
  return (set) => {
    const what = moderation('cases.texts', { count: set.count, number: format.number(set.count) })
    const name = (who: string | null) => who ?? t('draft.somebody')
    if (set.state === 'sending') return t('answer-sets.sending', { what, sent: format.number(set.sent) })
    if (set.state === 'draft' && set.returnReason) return t('answer-sets.returned', { what, name: name(set.returnedByName) })
    if (set.state === 'draft') return t('answer-sets.draft', { what, name: name(set.writtenByName) })
    return t(set.canAgree ? 'answer-sets.asked' : 'answer-sets.asked-own', {
      what,
      name: name(set.askedByName),
      date: set.askedAt ? format.dateTime(set.askedAt) : '',
    })
  }
}
