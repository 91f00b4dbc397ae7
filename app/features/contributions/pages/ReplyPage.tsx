import { useTranslation } from 'react-i18next'
import type { FormState } from '#app/server/request-context.ts'
import { KeptForm } from '#app/features/participation/keeping/KeptForm.tsx'
import { useSendWithBrowserToken } from '#app/shell/browser-token.ts'
import { getReturnedId } from '#app/shell/returned-form.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import type { PersonalDataWarning } from '../record/personal-data.schema.ts'
import { PersonalDataNotice } from '../parts/PersonalDataNotice.tsx'
import { ActivityBreadcrumbs, hasWayOut, RefusalText, RefusedWhileWriting } from '../parts/contribution-parts.tsx'
import { type ActivityView, type ContributionView, MAX_REPLY_LENGTH } from '../record/contributions.schema.ts'
import { MergedNotice } from '../parts/MergedNotice.tsx'
import { ClosedActivity, ClosedWhileWriting, isLateForm } from '../parts/ClosedWhileWriting.tsx'
import { useContributionFaults } from '../parts/use-contribution-faults.ts'
import { useCharacterCount } from './WritePage.tsx'
import { ShownNameField, TrapField } from '../parts/sender-fields.tsx'
import { buildAddressAbout } from '../parts/writing-address.ts'

interface ReplyPageProps {
  activity: ActivityView
  contribution: ContributionView
  name: string
  sending: { id: string; sendKey: string }
  personal: PersonalDataWarning | null
  form: FormState | null
}

export function ReplyPage({ activity, contribution, name, sending, personal, form }: ReplyPageProps) {
  const { t } = useTranslation('contributions')
  const action = useFormAction()
  const { mergedInto, postRefusal } = contribution
  const title = t('reply.title', { title: contribution.title })
  const address = `/projects/${activity.project.slug}/${activity.slug}`
  const own = { activity, name, sending, personal, form, kept: buildAddressAbout(activity, contribution.number, 'reply') }
  return (
    <div className="page wrap-narrow">
      <ActivityBreadcrumbs activity={activity} current={title} />
      <PageTitle title={title} />
      {form && isLateForm(activity, form) ? (
        <ClosedWhileWriting activity={activity} sending={sending} form={form} address={own.kept} kind="reply" />
      ) : mergedInto ? (
        <>
          <MergedNotice activity={activity} merged={mergedInto} />
          {/* What was being written meanwhile goes where people reply now. */}
          {form && mergedInto.isPublic && <ReplyForm {...own} action={toLocalHref(`${address}/${mergedInto.number}/reply`)} />}
        </>
      ) : postRefusal && !(form && hasWayOut(postRefusal)) ? (
        <RefusalText refusal={postRefusal} next={`${address}/${contribution.number}/reply`} />
      ) : activity.state === 'closed' && form === null ? (
        <ClosedActivity activity={activity} sending={sending} address={own.kept} kind="reply" />
      ) : (
        <>
          {postRefusal && <RefusedWhileWriting refusal={postRefusal} next={`${address}/${contribution.number}/reply`} />}
          <ReplyForm {...own} action={action} />
        </>
      )}
    </div>
  )
}

interface ReplyFormProps extends Omit<ReplyPageProps, 'contribution'> {
  action: string
  /** By which what is written is kept. */
  kept: string
}

function ReplyForm({ activity, name, sending, personal, form, action, kept }: ReplyFormProps) {
  const { t } = useTranslation('contributions')
  const count = useCharacterCount(MAX_REPLY_LENGTH)
  const { errors, error, typed } = useContributionFaults(form, { body: t('reply.body'), shownName: t('reply.name') })
  return (
    <form id={getReturnedId(form !== null)} method="post" action={action} className="form" noValidate onSubmit={useSendWithBrowserToken()}>
      <ErrorSummary title={t('problem')} errors={errors} />
      {personal && <PersonalDataNotice warning={personal} isHeld={activity.moderation === 'before'} />}
      <input type="hidden" name="id" value={sending.id} />
      <input type="hidden" name="sendKey" value={sending.sendKey} />
      <TextArea name="body" label={t('reply.body')} rows={6} defaultValue={typed('body')} error={error('body')} count={count} required />
      <ShownNameField label={t('reply.name')} hint={t('reply.name-hint')} value={typed('shownName') ?? name} error={error('shownName')} />
      <TrapField />
      <p className="form-promise">{t(`write.${activity.moderation}`, { number: activity.moderationDays })}</p>
      <div className="form-actions">
        <Button type="submit">{t(personal ? `personal.${activity.moderation}` : 'reply.send')}</Button>
      </div>
      <KeptForm address={kept} isReturned={form !== null} />
    </form>
  )
}
