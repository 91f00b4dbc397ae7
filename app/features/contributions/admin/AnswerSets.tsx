import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { answerSetsQuery } from '../contributions.queries.ts'
import { AnswerSetDialog } from './AnswerSetDialog.tsx'
import { useSendAnswers } from './use-send-answers.ts'
import { type AnswerSet, useSetWords } from './use-set-words.ts'

/** Answers to several contributions that are not finished: to be agreed to, to be rewritten after they were returned, or sent only in part. */
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
