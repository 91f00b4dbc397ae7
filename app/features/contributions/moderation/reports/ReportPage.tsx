import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { KeptForm, useForgetSent } from '#app/features/participation/keeping/KeptForm.tsx'
import { getDirection } from '#app/lib/added-languages.ts'
import type { FormState } from '#app/server/request-context.ts'
import { useSendWithBrowserToken } from '#app/shell/browser-token.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { getReturnedId } from '#app/shell/returned-form.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { RadioGroup } from '#app/ui/choice-group.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Text } from '#app/ui/text.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { ActivityBreadcrumbs, PlainText } from '../../parts/contribution-parts.tsx'
import { useNoticeFaults } from '../use-notice-faults.ts'
import { MAX_REPORT_WORDS, type OwnReport, type ReportPageView } from './reports.schema.ts'
import { TrapField } from '../../parts/sender-fields.tsx'
import { buildAddressAbout } from '../../parts/writing-address.ts'

interface ReportPageProps {
  page: ReportPageView
  /** The report's, so that sending it twice stores it once. */
  id: string
  form: FormState | null
}

/** Says which rule a text breaks; then, what came of it. */
export function ReportPage({ page, id, form }: ReportPageProps) {
  const { t } = useTranslation('appeals')
  const { activity, number, reply, report } = page
  const title = t(reply ? 'report.title-reply' : 'report.title')
  const faults = useNoticeFaults(form, t('report.words'))
  const address = buildReportAddress(page)
  useForgetSent(report ? address : undefined)
  return (
    <div className="page wrap-narrow">
      <ActivityBreadcrumbs activity={activity} current={title} />
      <PageTitle title={title} eyebrow={t('number', { number })} />
      {report ? (
        <ReportSent page={page} report={report} />
      ) : (
        <>
          <ErrorSummary title={t('problem')} errors={faults.errors} />
          <blockquote className="reported-text">
            {reply ? (
              <PlainText text={reply.body} lang={page.lang ?? undefined} />
            ) : (
              <p lang={page.lang ?? undefined} dir={getDirection(page.lang ?? undefined)}>
                {page.title}
              </p>
            )}
          </blockquote>
          <ReportForm page={page} id={id} faults={faults} address={address} isReturned={form !== null} />
        </>
      )}
      <p className="page-foot">
        <Link
          to="/projects/$slug/$activity/$number"
          params={{ slug: activity.project.slug, activity: activity.slug, number: String(number) }}
        >
          {t('back', { number })}
        </Link>
      </p>
    </div>
  )
}

const buildReportAddress = ({ activity, number, reply }: ReportPageView) =>
  `${buildAddressAbout(activity, number, 'report')}${reply ? `?reply=${reply.id}` : ''}`

interface ReportFormProps {
  page: ReportPageView
  id: string
  faults: ReturnType<typeof useNoticeFaults>
  /** By which what is written is kept. */
  address: string
  isReturned: boolean
}

function ReportForm({ page, id, faults, address, isReturned }: ReportFormProps) {
  const { t } = useTranslation('appeals')
  const action = useFormAction()
  const format = useFormat()
  const { error, typed } = faults
  return (
    <form id={getReturnedId(isReturned)} method="post" action={action} className="form" noValidate onSubmit={useSendWithBrowserToken()}>
      <p>
        {t('report.about')} <a href={toLocalHref('/moderation')}>{t('rules')}</a>
      </p>
      <input type="hidden" name="id" value={id} />
      <RadioGroup
        name="rule"
        label={t('report.rule')}
        look="plain"
        options={page.rules.map(({ code, label, explanation }) => ({
          value: code,
          label: <Text words={label} />,
          hint: <Text words={explanation} />,
        }))}
        defaultValue={typed('rule')}
        error={error('rule')}
        required
      />
      <TextArea
        name="words"
        label={t('report.words')}
        hint={t('report.words-hint')}
        optional={t('optional')}
        rows={4}
        defaultValue={typed('words')}
        error={error('words')}
        count={{
          max: MAX_REPORT_WORDS,
          rule: t('limit', { number: format.number(MAX_REPORT_WORDS) }),
          left: (left) =>
            left >= 0 ? t('left', { count: left, number: format.number(left) }) : t('over', { count: -left, number: format.number(-left) }),
        }}
      />
      <TrapField />
      <p className="form-promise">{t(page.hasAccount ? 'report.told' : 'report.come-back')}</p>
      <div className="form-actions">
        <Button type="submit">{t('report.send')}</Button>
      </div>
      <KeptForm address={address} isReturned={isReturned} />
    </form>
  )
}

function ReportSent({ page, report }: { page: ReportPageView; report: OwnReport }) {
  const { t } = useTranslation('appeals')
  const format = useFormat()
  const { outcome, rule, appeal } = report
  return (
    <>
      <Notice kind={outcome === 'waiting' ? 'success' : 'info'} title={t(`report.outcome.${outcome}`)}>
        {outcome === 'waiting' && <p>{t(page.hasAccount ? 'report.next-told' : 'report.next')}</p>}
      </Notice>
      <p>
        {t('report.sent', { date: format.dateTime(report.at) })}
        {rule && (
          <>
            {' '}
            <Text words={rule} />
          </>
        )}
      </p>
      {appeal && (
        <p>
          <Link reloadDocument to="/appeals/$decision" params={{ decision: appeal }}>
            {t('appeal.open')}
          </Link>
        </p>
      )}
    </>
  )
}
