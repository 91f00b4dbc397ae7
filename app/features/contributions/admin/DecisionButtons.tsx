import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ContributionState } from '#app/lib/vocabulary/contributions.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetContributions } from '../contributions.queries.ts'
import { RuleAndReason } from './RuleInput.tsx'
import { type MaskableText, MaskPassages } from './MaskPassages.tsx'
import { useFocusOnNext } from './use-focus-on-next.ts'
import { useUndoOffer } from './use-undo-offer.ts'

type WordedDecision = 'decline' | 'remove' | 'hold'

interface DecisionButtonsProps {
  type: 'contributions' | 'replies'
  state: ContributionState
  /** For screen readers: which one the buttons are about. */
  name: string
  /** It was on the site before: it is removed, not declined. */
  wasPublic?: boolean
  /** Also what can be published without some passages. */
  text: MaskableText
}

/** The decisions that are open in this state. All but publishing need a reason in words. */
export function DecisionButtons({ type, state, name, wasPublic = false, text }: DecisionButtonsProps) {
  const { id } = text
  const { t } = useTranslation('contributions-admin')
  const { t: moderation } = useTranslation('moderation-admin')
  const queryClient = useQueryClient()
  const offerUndo = useUndoOffer()
  const { buttons, findNext } = useFocusOnNext()
  const [asking, setAsking] = useState<WordedDecision>()
  const [isMasking, setMasking] = useState(false)
  const [reason, setReason] = useState('')
  const [rule, setRule] = useState('')
  const decide = useMutation({
    mutationFn: (attributes: { decision: 'publish' | WordedDecision; reason?: string; rule?: string }) =>
      api.create('moderation-decisions', {
        attributes,
        relationships: type === 'replies' ? { reply: { type, id } } : { contribution: { type, id } },
      }),
    onSuccess: ({ data }) => {
      setAsking(undefined)
      setReason('')
      setRule('')
      offerUndo(t('queue.decided'), [data.id])
    },
    onSettled: async () => {
      const focusNext = findNext()
      await forgetContributions(queryClient)
      focusNext()
    },
  })
  const { faults } = useEditorTexts(decide.error)
  const buildButton = (decision: WordedDecision) => (
    <Button key={decision} kind="secondary" size="small" onClick={() => setAsking(decision)}>
      {t(`queue.${decision}`)}
      <span className="visually-hidden">: {name}</span>
    </Button>
  )
  return (
    <div className="row" ref={buttons}>
      {!asking && faults[0] && <Notice kind="error" title={faults[0].message} />}
      {state === 'held' && (
        <>
          <Button size="small" pending={decide.isPending} onClick={() => decide.mutate({ decision: 'publish' })}>
            {t('queue.publish')}
            <span className="visually-hidden">: {name}</span>
          </Button>
          {buildButton(wasPublic ? 'remove' : 'decline')}
        </>
      )}
      {state === 'published' && [buildButton('hold'), buildButton('remove')]}
      {['held', 'published', 'merged'].includes(state) && (
        <Button kind="secondary" size="small" onClick={() => setMasking(true)}>
          {moderation('mask.title')}
          <span className="visually-hidden">: {name}</span>
        </Button>
      )}
      {isMasking && <MaskPassages type={type} text={text} findNext={findNext} onClose={() => setMasking(false)} />}
      {asking && (
        <ConfirmDialog
          title={t(`queue.${asking}-title`)}
          isOpen
          onClose={() => setAsking(undefined)}
          onConfirm={() => decide.mutateAsync({ decision: asking, reason, rule }).then(undefined, () => undefined)}
          confirmLabel={t(`queue.${asking}`)}
          cancelLabel={t('common.cancel')}
          confirmDisabled={!reason.trim() || !rule}
        >
          <RuleAndReason rule={rule} onRule={setRule} reason={reason} onReason={setReason} error={faults[0]?.message} />
        </ConfirmDialog>
      )}
    </div>
  )
}
