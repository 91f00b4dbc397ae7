import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ReceiptCode } from '#app/features/participation/ReceiptCode.tsx'
import { ReceiptMail } from '#app/features/participation/ReceiptMail.tsx'
import { getDirection } from '#app/lib/added-languages.ts'
import type { FormState } from '#app/server/request-context.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useViewer } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Icon } from '#app/ui/icon.tsx'
import { MapPoint } from '#app/ui/map-picture.tsx'
import { RichText } from '#app/ui/RichText.tsx'
import { Text } from '#app/ui/text.tsx'
import { FieldAnswers } from '../fields/FieldAnswers.tsx'
import { PlainText, useActivityState, useAuthorName } from '../parts/contribution-parts.tsx'
import { Photos } from '../photos/Photos.tsx'
import { MapPicture, MapShape } from '../places/MapPicture.tsx'
import { useSizeText } from '../places/use-size-text.ts'
import type { AnswerStepView, OwnAppealView, OwnContributionView } from '../record/contributions.schema.ts'

interface OwnProps {
  own: OwnContributionView
}

interface ReceiptCardProps extends OwnProps {
  /** Where receipt codes are looked up. */
  address: string
  /** The receipt was emailed just now. */
  sent: boolean
  form: FormState | null
}

/** What was sent, under its number and with its code. */
export function ReceiptCard({ own, address, sent, form }: ReceiptCardProps) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  const nameAuthor = useAuthorName()
  const describeSize = useSizeText()
  return (
    <article className="receipt" aria-labelledby="own-heading">
      <header className="receipt-head">
        <h2 id="own-heading">
          {t('number', { number: own.number })}
          {own.title && (
            <>
              {format.colon}
              <span lang={own.language} dir={getDirection(own.language)}>
                {own.title}
              </span>
            </>
          )}
        </h2>
        <p className="meta">{t('receipt.sent', { date: format.dateTime(own.submittedAt), name: nameAuthor(own.author) })}</p>
        <ReceiptCode code={own.code} keep={t('receipt.keep')} address={address}>
          {own.state !== 'withdrawn' && own.state !== 'erased' && <ReceiptMail form={form} sent={sent} />}
        </ReceiptCode>
      </header>
      {own.body && <PlainText text={own.body} lang={own.language} />}
      <FieldAnswers answers={own.fields} lang={own.language} />
      <Photos photos={own.photos} lang={own.language} />
      {own.place && <p className="meta">{own.place}</p>}
      {own.map && (
        <MapPicture
          picture={own.map}
          label={[own.map.drawn && describeSize(own.map.drawn), own.place].filter(Boolean).join(', ') || t('places.point')}
        >
          {own.map.drawn && <MapShape drawn={own.map.drawn} />}
          <MapPoint spot={own.map.spot} />
        </MapPicture>
      )}
    </article>
  )
}

/** What happens to it, in order, and by when. */
export function NextSteps({ own }: OwnProps) {
  const { t } = useTranslation('contributions')
  const { t: general } = useTranslation('receipt')
  const format = useFormat()
  const describeState = useActivityState()
  const { activity, next } = own
  return (
    <section aria-labelledby="next" className="receipt-next">
      <h2 id="next">{t('receipt.next')}</h2>
      <ol className="receipt-steps">
        <li>
          <h3>{t('receipt.is-public')}</h3>
          <PublicState own={own} />
        </li>
        {next?.answer && (
          <li>
            <h3>{t('receipt.answer')}</h3>
            <AnswerState answer={next.answer} />
          </li>
        )}
        {next && (
          <li>
            <h3>
              <Text words={activity.title} />
            </h3>
            <p>{describeState(activity, own.now)}</p>
          </li>
        )}
        {next?.stage && (
          <li>
            <h3>
              <Text words={next.stage.title} />
            </h3>
            <p>{t('receipt.stage-begins', { date: format.date(next.stage.startsAt) })}</p>
          </li>
        )}
        {next && (
          <li>
            <h3>{general('outcome')}</h3>
            {next.outcome.text ? <RichText text={next.outcome.text} level={3} lang={next.outcome.lang} /> : <p>{general('no-outcome')}</p>}
          </li>
        )}
      </ol>
    </section>
  )
}

/** Whether it is public; if not, by when that is decided or why it was not published. */
function PublicState({ own }: OwnProps) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  const { state, next } = own
  const isAnsweredOnly = state === 'held' && own.answers.some(({ visibility }) => visibility === 'private')
  return (
    <>
      {isAnsweredOnly ? (
        <p>{t('question.held-answered')}</p>
      ) : state === 'held' ? (
        <p>
          {next?.decision
            ? t(next.decision.isLate ? 'receipt.held-late' : 'receipt.held', { date: format.date(next.decision.by) })
            : t('receipt.held-again')}
        </p>
      ) : (
        <p>
          {t(`receipt.${state}`)}
          {state === 'published' && own.activity.moderation === 'after' && ` ${t('receipt.published-after')}`}
        </p>
      )}
      {own.masked.length > 0 && (
        <>
          <p>{t('receipt.masked')}</p>
          <ul>
            {own.masked.map((passage, at) => (
              <li key={`${at}`} lang={own.language} dir={getDirection(own.language)}>
                {passage}
              </li>
            ))}
          </ul>
        </>
      )}
      {own.reason && (
        <>
          <h4>
            {t('gone.reason')}
            {own.rule && (
              <>
                {format.colon}
                <Text words={own.rule} />
              </>
            )}
          </h4>
          <PlainText text={own.reason} />
          <p>
            <a href={toLocalHref('/moderation')}>{t('moderation')}</a>
          </p>
        </>
      )}
      {own.appeal && <AppealOffer appeal={own.appeal} />}
    </>
  )
}

function AnswerState({ answer: { state, by, isAssigned } }: { answer: AnswerStepView }) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  if (state === 'answered') return <p>{t('receipt.answered')}</p>
  return (
    <p>
      {by ? t(state === 'late' ? 'receipt.answer-late' : 'question.due', { date: format.date(by) }) : t('receipt.answer-undated')}
      {isAssigned !== null && ` ${t(isAssigned ? 'receipt.assigned' : 'receipt.unassigned')}`}
    </p>
  )
}

/** Whom the server writes to about it. */
export function Told({ own: { told, next } }: OwnProps) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  const email = useViewer()?.email
  return (
    <section aria-labelledby="told" className="receipt-next">
      <h2 id="told">{t('receipt.told.title')}</h2>
      <ul className="receipt-told">
        <li>
          {told.author === 'viewer' && email
            ? t('receipt.told.viewer', { email })
            : t(`receipt.told.${told.author === 'nobody' ? 'nobody' : 'account'}`)}
        </li>
        {told.moderators && next?.decision && <li>{t('receipt.told.moderators', { date: format.date(next.decision.by) })}</li>}
        {told.answer && <li>{t(`receipt.told.${told.answer}`)}</li>}
        {told.project && <li>{t('receipt.told.project')}</li>}
      </ul>
    </section>
  )
}

/** To where it can be read, and to what others said. */
export function ReceiptLinks({ own: { activity, state, number } }: OwnProps) {
  const { t } = useTranslation('contributions')
  const address = { slug: activity.project.slug, activity: activity.slug }
  return (
    <ul className="receipt-links no-print">
      {(state === 'published' || state === 'merged') && (
        <li>
          <Link to="/projects/$slug/$activity/$number" params={{ ...address, number: String(number) }}>
            <Icon name="arrow-right" />
            {t('receipt.see')}
          </Link>
        </li>
      )}
      <li>
        <Link to="/projects/$slug/$activity" params={address}>
          <Icon name="speech" />
          {t('receipt.others')}
        </Link>
      </li>
    </ul>
  )
}

function AppealOffer({ appeal: { decision, until } }: { appeal: OwnAppealView }) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  return (
    <p>
      {until && `${t('receipt.appeal-until', { date: format.date(until) })} `}
      <a href={toLocalHref(`/appeals/${decision}`)}>{t(until ? 'receipt.appeal' : 'receipt.appeal-sent')}</a>
    </p>
  )
}
