import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { KeptForm, useForgetSent } from '#app/features/participation/keeping/KeptForm.tsx'
import { getDirection } from '#app/lib/added-languages.ts'
import type { FormState } from '#app/server/request-context.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { getReturnedId } from '#app/shell/returned-form.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Text } from '#app/ui/text.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { PlainText } from '../../parts/contribution-parts.tsx'
import { useNoticeFaults } from '../use-notice-faults.ts'
import { type AppealPageView, type AppealView, type KnownDecision, MAX_APPEAL_WORDS } from './appeals.schema.ts'
import { TrapField } from '../../parts/sender-fields.tsx'

interface AppealPageProps {
  page: AppealPageView
  /** The appeal's, so that sending it twice stores it once. */
  id: string
  form: FormState | null
}

/** What was decided about a text, and asking somebody else to look again. */
export function AppealPage({ page, id, form }: AppealPageProps) {
  const { t } = useTranslation('appeals')
  const { known, decisionId } = page
  const faults = useNoticeFaults(form, t(`appeal.words-${known?.side ?? 'author'}`))
  const address = `/appeals/${decisionId}`
  useForgetSent(known?.appeal ? address : undefined)
  return (
    <div className="page wrap-narrow stack">
      <PageTitle title={t('appeal.title')} {...(known && { eyebrow: t('number', { number: known.number }) })} />
      <ErrorSummary title={t('problem')} errors={faults.errors} />
      {!known?.appealUntil && <UnsentWords words={faults.typed('words') ?? ''} />}
      {known ? (
        <>
          <DecisionFacts known={known} />
          {known.appeal && <AppealSent appeal={known.appeal} />}
          {known.appealUntil && (
            <AppealForm known={known} until={known.appealUntil} id={id} faults={faults} address={address} isReturned={form !== null} />
          )}
          {!known.appeal && !known.appealUntil && <p>{t('appeal.none')}</p>}
          <p>
            <Link
              to="/projects/$slug/$activity/$number"
              params={{ slug: known.activity.project, activity: known.activity.slug, number: String(known.number) }}
            >
              {t('back', { number: known.number })}
            </Link>
          </p>
        </>
      ) : (
        <UnknownReader decisionId={decisionId} faults={faults} />
      )}
    </div>
  )
}

type Faults = ReturnType<typeof useNoticeFaults>

function DecisionFacts({ known }: { known: KnownDecision }) {
  const { t } = useTranslation('appeals')
  const format = useFormat()
  const { decision, rule, words, title, lang, activity } = known
  return (
    <>
      <DefinitionList
        items={[
          {
            term: t('appeal.about'),
            value: (
              <>
                {title && (
                  <>
                    <span lang={lang} dir={getDirection(lang)}>
                      {title}
                    </span>
                    {', '}
                  </>
                )}
                <Text words={activity.title} />
                {known.isReply && ` (${t('appeal.reply')})`}
              </>
            ),
          },
          { term: t('appeal.decision'), value: t(`decisions.${decision}`) },
          { term: t('appeal.decided'), value: format.date(known.decidedAt) },
          ...(rule ? [{ term: t('appeal.rule'), value: <Text words={rule} /> }] : []),
        ]}
      />
      {words && (
        <section aria-labelledby="reason">
          <h2 id="reason">{t('appeal.reason')}</h2>
          <PlainText text={words} />
        </section>
      )}
      <p>
        <a href={toLocalHref('/moderation')}>{t('rules')}</a>
      </p>
    </>
  )
}

function AppealSent({ appeal }: { appeal: AppealView }) {
  const { t } = useTranslation('appeals')
  const format = useFormat()
  return (
    <>
      <Notice kind={appeal.state === 'pending' ? 'success' : 'info'} title={t(`appeal.states.${appeal.state}`)}>
        {appeal.state === 'pending' && <p>{t('appeal.next')}</p>}
      </Notice>
      {appeal.answer && (
        <section aria-labelledby="answer">
          <h2 id="answer">{t('appeal.answer')}</h2>
          <PlainText text={appeal.answer} />
        </section>
      )}
      {appeal.words && (
        <section aria-labelledby="words">
          <h2 id="words">{t('appeal.yours', { date: format.date(appeal.sentAt) })}</h2>
          <PlainText text={appeal.words} />
        </section>
      )}
    </>
  )
}

interface AppealFormProps {
  known: KnownDecision
  until: string
  id: string
  faults: Faults
  /** By which what is written is kept. */
  address: string
  isReturned: boolean
}

function AppealForm({ known, until, id, faults, address, isReturned }: AppealFormProps) {
  const { t } = useTranslation('appeals')
  const action = useFormAction()
  const format = useFormat()
  return (
    <form id={getReturnedId(isReturned)} method="post" action={action} className="form" noValidate>
      <h2>{t('appeal.heading')}</h2>
      <p>{t('appeal.until', { date: format.date(until) })}</p>
      <input type="hidden" name="id" value={id} />
      <TextArea
        name="words"
        label={t(`appeal.words-${known.side}`)}
        hint={t('appeal.words-hint')}
        rows={6}
        defaultValue={faults.typed('words')}
        error={faults.error('words')}
        count={{
          max: MAX_APPEAL_WORDS,
          rule: t('limit', { number: format.number(MAX_APPEAL_WORDS) }),
          left: (left) =>
            left >= 0 ? t('left', { count: left, number: format.number(left) }) : t('over', { count: -left, number: format.number(-left) }),
        }}
        required
      />
      <TrapField />
      <div className="form-actions">
        <Button type="submit">{t('appeal.send')}</Button>
      </div>
      <KeptForm address={address} isReturned={isReturned} />
    </form>
  )
}

/** The text that was not sent because the form has gone, shown so that it can be copied. */
function UnsentWords({ words }: { words: string }) {
  const { t } = useTranslation('appeals')
  const action = useFormAction()
  if (!words.trim()) return null
  return (
    <section aria-labelledby="unsent" className="stack">
      <h2 id="unsent">{t('appeal.unsent')}</h2>
      <PlainText text={words} />
      {/* Other languages bring it along. */}
      <form id={getReturnedId(true)} method="post" action={action}>
        <input type="hidden" name="words" value={words} />
      </form>
    </section>
  )
}

/** Somebody whom nothing recognises: they sign in, or show the code of their receipt. */
function UnknownReader({ decisionId, faults }: { decisionId: string; faults: Faults }) {
  const { t } = useTranslation('appeals')
  const action = useFormAction()
  return (
    <>
      <p>
        {t('appeal.unknown')}{' '}
        <Link to="/sign-in" search={{ next: `/appeals/${decisionId}` }}>
          {t('appeal.sign-in')}
        </Link>
      </p>
      <form id={getReturnedId(faults.typed('form') === 'find')} method="post" action={action} className="form" noValidate>
        <input type="hidden" name="form" value="find" />
        <TextField
          name="code"
          label={t('appeal.code')}
          hint={t('appeal.code-hint')}
          defaultValue={faults.typed('code')}
          error={faults.error('code')}
          autoComplete="off"
          spellCheck={false}
          width={20}
          required
        />
        <div className="form-actions">
          <Button type="submit">{t('appeal.find')}</Button>
        </div>
      </form>
    </>
  )
}
