import { useTranslation } from 'react-i18next'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { RadioGroup } from '#app/ui/choice-group.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Text } from '#app/ui/text.tsx'
import { PollFigures } from './PollFigures.tsx'
import type { AnsweredPoll, PollResults, PollView } from './poll.schema.ts'
import { type PollOutcome, usePollForm } from './use-poll-form.ts'

interface QuickPollProps {
  poll: PollView
  /** If the reader has answered it, which the server knows without a script too. */
  answered?: AnsweredPoll | undefined
  /** Shown instead of the form once the poll has closed. */
  results?: PollResults | null
}

/**
 * A question answered where it stands, and not asked again. Without JavaScript the form sends the answer where pressing twice stores one, and
 * otherwise opens the survey's own page with the choice filled in; with it, the answer is sent from here and the results take the form's place.
 */
export function QuickPoll({ poll, answered, results = null }: QuickPollProps) {
  const { t } = useTranslation('participant')
  const { outcome, fault, sending, form, prepare, send } = usePollForm(poll, answered)
  const address = toLocalHref(`/projects/${poll.project}/surveys/${poll.survey}`)
  if (!poll.open) return results && <PollFigures question={poll.question} results={results} />
  if (outcome) return <PollAnswered poll={poll} outcome={outcome} address={address} />
  return (
    <form
      className="stack"
      method={poll.recognises ? 'post' : 'get'}
      action={address}
      noValidate
      ref={form}
      onChange={prepare}
      onSubmit={send}
    >
      {/* Where a survey asks one question at a time, the question and not its introduction. */}
      <input type="hidden" name="step" value={poll.questionId} />
      {poll.recognises && <input type="hidden" name="poll" value="yes" />}
      <RadioGroup
        name="answer"
        id={`poll-${poll.survey}`}
        label={<Text words={poll.question} />}
        labelSize="question"
        {...(poll.help.text ? { hint: <Text words={poll.help} /> } : {})}
        error={fault === 'choose' ? t('poll.choose') : undefined}
        options={poll.options.map(({ id, label }) => ({ value: id, label: <Text words={label} /> }))}
      />
      {fault === 'failed' && (
        <Notice kind="error" title={t('poll.failed')}>
          {t('poll.failed-text')}
        </Notice>
      )}
      <div className="form-actions">
        <Button type="submit" disabled={sending}>
          {t('poll.send')}
        </Button>
      </div>
    </form>
  )
}

function PollAnswered({ poll, outcome, address }: { poll: PollView; outcome: PollOutcome; address: string }) {
  const { t } = useTranslation('participant')
  const { refusal, receipt, counted, results } = outcome
  const isDone = refusal === null || refusal === 'answered' || refusal === 'closed'
  const title = refusal === null ? 'sent' : refusal === 'answered' ? 'answered' : refusal === 'closed' ? 'closed' : 'elsewhere'
  return (
    <div className="stack">
      <Notice kind={refusal === null ? 'success' : refusal === 'answered' ? 'info' : 'warning'} title={t(`poll.${title}`)}>
        {!counted && <p>{t('poll.checked')}</p>}
        {refusal === null && (
          <a href={receipt ? `${address}/receipt` : toLocalHref('/account/answers')}>{t(receipt ? 'poll.receipt' : 'poll.own-answers')}</a>
        )}
        {!isDone && (
          <a className={getButtonClass({ kind: 'secondary' })} href={address}>
            {t('poll.go')}
          </a>
        )}
      </Notice>
      {results ? <PollFigures question={poll.question} results={results} /> : isDone && poll.resultsPublic && <p>{t('poll.few')}</p>}
    </div>
  )
}
