import { Link } from '@tanstack/react-router'
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useForgetSent } from '#app/features/participation/keeping/KeptForm.tsx'
import { getDirection } from '#app/lib/added-languages.ts'
import type { FormState } from '#app/server/request-context.ts'
import { useSendWithBrowserToken } from '#app/shell/browser-token.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { Meta } from '#app/ui/card.tsx'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Text } from '#app/ui/text.tsx'
import { Photos } from '../photos/Photos.tsx'
import { ContributionMap } from '../places/ContributionMap.tsx'
import { useSizeText } from '../places/use-size-text.ts'
import { ActivityBreadcrumbs, PlainText, RefusalText, useAuthorName } from '../parts/contribution-parts.tsx'
import { OfficialAnswer } from './OfficialAnswer.tsx'
import { useReactionCounts } from '../parts/use-reaction-counts.ts'
import type { ActivityView, ContributionView, GoneContribution, OfficialAnswerView, ReplyView } from '../record/contributions.schema.ts'
import type { TranslatableView } from '../record/translations.schema.ts'
import { Translation } from '../translating/Translation.tsx'
import { FieldAnswers } from '../fields/FieldAnswers.tsx'
import { MergedNotice } from '../parts/MergedNotice.tsx'
import type { LinkedContributionView } from '../record/merging.schema.ts'
import { useContributionFaults } from '../parts/use-contribution-faults.ts'
import { buildAddressAbout } from '../parts/writing-address.ts'
import type { FormerVersionsProps } from './FormerVersions.tsx'

/** In the page from the start. Its script is loaded only for what its author changed. */
const FormerVersions: ComponentType<FormerVersionsProps> = import.meta.env.SSR
  ? (await import('./FormerVersions.tsx')).default
  : lazy(() => import('./FormerVersions.tsx'))

interface ContributionPageProps {
  activity: ActivityView
  contribution: ContributionView
  form: FormState | null
  /** What was sent just now. */
  sent: 'reply' | 'held' | undefined
}

/** One contribution: what the team answered, what others say, and support. */
export function ContributionPage({ activity, contribution, form, sent }: ContributionPageProps) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  const nameAuthor = useAuthorName()
  const { errors } = useContributionFaults(form)
  useForgetSent(sent && buildAddressAbout(activity, contribution.number, 'reply'))
  const [latest, ...earlier] = contribution.answers
  const { translations } = contribution
  const translatable = translations[contribution.id]
  const translated = translatable?.shown?.texts
  const showAnswer = (answer: OfficialAnswerView, level: 2 | 3) => (
    <OfficialAnswer key={answer.at} answer={answer} level={level} translations={translations} form={form} />
  )
  return (
    <div className="page wrap-narrow">
      <ActivityBreadcrumbs activity={activity} current={t('number', { number: contribution.number })} />
      {contribution.mergedInto && <ErrorSummary title={t('problem')} errors={errors} />}
      {contribution.mergedInto && <MergedNotice activity={activity} merged={contribution.mergedInto} />}
      {sent && <Notice kind="success" title={t(sent === 'held' ? 'detail.reply-held' : 'detail.reply-sent')} />}
      <article>
        <PageTitle
          title={
            <span lang={translated ? undefined : contribution.lang} dir={getDirection(translated ? undefined : contribution.lang)}>
              {translated?.['title'] ?? contribution.title}
            </span>
          }
          eyebrow={t('number', { number: contribution.number })}
        >
          <Meta
            items={[
              nameAuthor(contribution.author),
              <time key="at" dateTime={contribution.publishedAt}>
                {format.date(contribution.publishedAt)}
              </time>,
              ...(contribution.editedAt ? [t('detail.edited', { date: format.date(contribution.editedAt) })] : []),
            ]}
          />
        </PageTitle>
        <Translation text={translatable} about={t('number', { number: contribution.number })} form={form} />
        {contribution.body && <PlainText text={contribution.body} lang={contribution.lang} translated={translated?.['body']} />}
        <FieldAnswers answers={contribution.fields} lang={contribution.lang} translated={translated} />
        <Photos photos={contribution.photos} lang={contribution.lang} translated={translated} />
        <ContributionFacts contribution={contribution} />
        {contribution.map && <ContributionMap activity={activity} contribution={contribution} map={contribution.map} />}
        {contribution.versions.length > 0 && (
          <Suspense>
            <FormerVersions contribution={contribution} form={form} />
          </Suspense>
        )}
        <ReportLink activity={activity} number={contribution.number} />
      </article>
      {contribution.answered === 'private' && <Notice title={t('question.answered-privately')} />}
      {activity.tools.reactions.length > 0 && !contribution.mergedInto && (
        <ReactionForm activity={activity} contribution={contribution} form={form} />
      )}
      {latest && showAnswer(latest, 2)}
      {earlier.length > 0 && (
        <details className="former" open={form?.values['translate'] !== undefined}>
          <summary>{t('detail.earlier')}</summary>
          {earlier.map((answer) => showAnswer(answer, 3))}
        </details>
      )}
      {activity.tools.replies && <Replies activity={activity} contribution={contribution} form={form} />}
      {activity.tools.answers && !activity.tools.question && !contribution.mergedInto && (
        <FollowForm contribution={contribution} form={form} />
      )}
      <RelatedContributions activity={activity} related={contribution.related} />
      <p className="no-print">
        <Link to="/projects/$slug/$activity" params={{ slug: activity.project.slug, activity: activity.slug }} className="row">
          <Icon name="arrow-left" />
          {t(`kinds.${activity.kind}.back`)}
        </Link>
      </p>
    </div>
  )
}

/** To the page on which a contribution, or a reply to it, is reported. */
function ReportLink({ activity, number, reply }: { activity: ActivityView; number: number; reply?: string }) {
  const { t } = useTranslation('contributions')
  const address = `/projects/${activity.project.slug}/${activity.slug}/${number}/report`
  return (
    <p className="report-link no-print">
      <a href={toLocalHref(reply ? `${address}?reply=${reply}` : address)} rel="nofollow">
        {t(reply ? 'detail.report-reply' : 'detail.report')}
      </a>
    </p>
  )
}

function ContributionFacts({ contribution }: { contribution: ContributionView }) {
  const { t } = useTranslation('contributions')
  const describeSize = useSizeText()
  const format = useFormat()
  const { place, drawn, categories, status, dueAt } = contribution
  const items = [
    ...(status ? [{ term: t('detail.status'), value: <Text words={status} /> }] : []),
    ...(dueAt ? [{ term: t('question.due-term'), value: <time dateTime={dueAt}>{format.date(dueAt)}</time> }] : []),
    ...(place || drawn ? [{ term: t('detail.place'), value: [drawn && describeSize(drawn), place].filter(Boolean).join(', ') }] : []),
    ...(categories.length > 0 ? [{ term: t('detail.categories'), value: categories.map(({ text }) => text).join(', ') }] : []),
  ]
  return items.length > 0 ? <DefinitionList items={items} /> : null
}

function RelatedContributions({ activity, related }: { activity: ActivityView; related: readonly LinkedContributionView[] }) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  if (related.length === 0) return null
  return (
    <section aria-labelledby="related">
      <h2 id="related">{t('merging.related')}</h2>
      <ul>
        {related.map(({ number, title, lang }) => (
          <li key={number}>
            <Link
              to="/projects/$slug/$activity/$number"
              params={{ slug: activity.project.slug, activity: activity.slug, number: String(number) }}
            >
              {t('number', { number })}
              {format.colon}
              <span lang={lang} dir={getDirection(lang)}>
                {title}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface ReactionFormProps {
  activity: ActivityView
  contribution: ContributionView
  form: FormState | null
}

/** Why what a button asked for was refused, beside that button; focus moves here. */
function ButtonRefusal({ button, form }: { button: 'reaction' | 'follow'; form: FormState | null }) {
  const { t } = useTranslation('contributions')
  const { errors } = useContributionFaults(form && button in form.values ? form : null)
  return <ErrorSummary title={t('problem')} errors={errors.map(({ message }) => ({ message }))} />
}

/** Support, joining a question, or agreeing and disagreeing; each button takes back what it gave. */
function ReactionForm({ activity, contribution, form }: ReactionFormProps) {
  const { t } = useTranslation('contributions')
  const action = useFormAction()
  const send = useSendWithBrowserToken()
  const describeReactions = useReactionCounts(activity)
  const { reactRefusal } = contribution
  const { question, reactions } = activity.tools
  const isOpen = activity.state === 'open'
  const asksOpinion = reactions.includes('disagree')
  const address = `/projects/${activity.project.slug}/${activity.slug}/${contribution.number}`
  return (
    <section
      className="support"
      id="support"
      aria-label={t(asksOpinion ? 'opinions.title' : question ? 'question.join' : 'detail.support')}
    >
      <ButtonRefusal button="reaction" form={form} />
      <p className="support-count">{describeReactions(contribution).join(' · ')}</p>
      {!contribution.isReactionCounted && <p>{t(asksOpinion ? 'opinions.checked' : 'detail.checked')}</p>}
      {isOpen &&
        (reactRefusal ? (
          <RefusalText refusal={reactRefusal} next={address} />
        ) : (
          <form method="post" action={action} className="row" onSubmit={send}>
            {asksOpinion ? (
              <OpinionButtons contribution={contribution} />
            ) : (
              <SupportButton contribution={contribution} words={question ? JOIN_WORDS : SUPPORT_WORDS} />
            )}
          </form>
        ))}
      {isOpen && !reactRefusal && question && contribution.answered !== 'public' && (
        <JoinHint contribution={contribution} address={address} />
      )}
    </section>
  )
}

const SUPPORT_WORDS = { add: 'detail.support', done: 'detail.supported', remove: 'detail.unsupport' } as const
const JOIN_WORDS = { add: 'question.join', done: 'question.joined-already', remove: 'question.leave' } as const

type ReactionButtonProps = Pick<ReactionFormProps, 'contribution'>

function SupportButton({ contribution: { reaction }, words }: ReactionButtonProps & { words: typeof SUPPORT_WORDS | typeof JOIN_WORDS }) {
  const { t } = useTranslation('contributions')
  return (
    <>
      {reaction && <ReactionDone words={t(words.done)} />}
      <Button type="submit" name="reaction" value={reaction ? 'none' : 'support'} kind={reaction ? 'secondary' : 'primary'}>
        {t(reaction ? words.remove : words.add)}
      </Button>
    </>
  )
}

function OpinionButtons({ contribution: { reaction } }: ReactionButtonProps) {
  const { t } = useTranslation('contributions')
  return (
    <>
      {reaction && <ReactionDone words={t(reaction === 'disagree' ? 'opinions.disagreed' : 'opinions.agreed')} />}
      {(['agree', 'disagree'] as const).map((value) => (
        <Button key={value} type="submit" kind="secondary" name="reaction" value={reaction === value ? 'none' : value}>
          {t(reaction === value ? 'opinions.take-back' : `opinions.${value}`)}
        </Button>
      ))}
    </>
  )
}

const ReactionDone = ({ words }: { words: string }) => (
  <span className="support-done">
    <Icon name="success" />
    {words}
  </span>
)

function FollowForm({ contribution: { following }, form }: Pick<ReactionFormProps, 'contribution' | 'form'>) {
  const { t } = useTranslation('contributions')
  const action = useFormAction()
  return (
    <section id="follow" className="no-print" aria-label={t('follow.follow')}>
      <ButtonRefusal button="follow" form={form} />
      <form method="post" action={action} className="row">
        <Button type="submit" kind="secondary" name="follow" value={following ? 'no' : 'yes'}>
          <Icon name="bell" />
          {t(following ? 'follow.unfollow' : 'follow.follow')}
        </Button>
        <span className="meta">{t(following ? 'follow.following' : 'follow.text')}</span>
      </form>
    </section>
  )
}

/** Whether whoever joins a question is told of its answer. */
function JoinHint({ contribution, address }: { contribution: ContributionView; address: string }) {
  const { t } = useTranslation('contributions')
  if (contribution.hasAccount) return contribution.reaction ? <p className="meta">{t('question.tell')}</p> : null
  return (
    <p>
      <Link to="/sign-in" search={{ next: address }}>
        {t('question.told')}
      </Link>
    </p>
  )
}

function Replies({ activity, contribution, form }: ReactionFormProps) {
  const { t } = useTranslation('contributions')
  const { replyList, postRefusal } = contribution
  const address = `/projects/${activity.project.slug}/${activity.slug}/${contribution.number}`
  return (
    <section aria-labelledby="replies" className="replies">
      <h2 id="replies">{t('detail.replies')}</h2>
      {replyList.length === 0 && <p>{t('detail.no-replies')}</p>}
      <ol className="reply-list">
        {replyList.map((reply) => (
          <li key={reply.id} className={reply.role === 'official' ? 'reply reply-official' : 'reply'}>
            <Reply reply={reply} text={contribution.translations[reply.id]} form={form} />
            <ReportLink activity={activity} number={contribution.number} reply={reply.id} />
          </li>
        ))}
      </ol>
      {activity.state === 'open' &&
        !contribution.mergedInto &&
        (postRefusal ? (
          <RefusalText refusal={postRefusal} next={address} />
        ) : (
          <p className="row">
            <a className={getButtonClass({ kind: 'secondary' })} href={toLocalHref(`${address}/reply`)}>
              {t('detail.reply')}
            </a>
          </p>
        ))}
    </section>
  )
}

function Reply({ reply, text, form }: { reply: ReplyView; text: TranslatableView | undefined; form: FormState | null }) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  const author =
    reply.role === 'official' ? t('detail.team') : reply.role === 'addition' ? t('detail.addition') : reply.author || t('anonymous')
  return (
    <>
      <Meta
        items={[
          <strong key="by">{author}</strong>,
          <time key="at" dateTime={reply.at}>
            {format.dateTime(reply.at)}
          </time>,
        ]}
      />
      <Translation text={text} about={author} form={form} />
      <PlainText text={reply.body} lang={reply.lang} translated={text?.shown?.texts['body']} />
    </>
  )
}

/** What stands where a contribution was: why it is gone, and what the team answered. */
export function GonePage({ activity, gone, children }: { activity: ActivityView; gone: GoneContribution; children?: ReactNode }) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  return (
    <div className="page wrap-narrow">
      <ActivityBreadcrumbs activity={activity} current={t('number', { number: gone.number })} />
      <PageTitle title={t(`gone.${gone.state}`)} eyebrow={t('number', { number: gone.number })} />
      {gone.reason && (
        <>
          <h2>
            {t('gone.reason')}
            {gone.rule && (
              <>
                {format.colon}
                <Text words={gone.rule} />
              </>
            )}
          </h2>
          <PlainText text={gone.reason} />
          <p>
            <a href={toLocalHref('/moderation')}>{t('moderation')}</a>
          </p>
        </>
      )}
      {gone.decision && (
        <p>
          <a href={toLocalHref(`/appeals/${gone.decision}`)} rel="nofollow">
            {t('gone.appeal')}
          </a>
        </p>
      )}
      {gone.answers.map((answer) => (
        <OfficialAnswer key={answer.at} answer={answer} level={2} />
      ))}
      {children}
      <p>
        <Link
          to="/projects/$slug/$activity"
          params={{ slug: activity.project.slug, activity: activity.slug }}
          className={getButtonClass({ kind: 'secondary' })}
        >
          {t(`kinds.${activity.kind}.back`)}
        </Link>
      </p>
    </div>
  )
}
