import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { FOLLOW_MAILS, type Follows } from '#app/features/follows/follows.schema.ts'
import { getDirection } from '#app/lib/added-languages.ts'
import type { FormState } from '#app/server/request-context.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button } from '#app/ui/button.tsx'
import { Checkbox, RadioGroup } from '#app/ui/choice-group.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { AccountSection } from './AccountForms.tsx'
import type { CompletedAction } from './accounts.search.ts'
import { useSubmittedForm } from './use-submitted-form.ts'

/** Projects and contributions the person follows, and how often they get email about them. Both forms work without JavaScript. */
export function FollowsPage({ follows, form, done }: { follows: Follows; form: FormState | null; done?: CompletedAction | undefined }) {
  const { t } = useTranslation('account')
  const action = useFormAction()
  const { errors, error, typed } = useSubmittedForm(form, { mails: t('follows.label') })
  return (
    <AccountSection title={t('follows.title')} lead={t('follows.text')}>
      {done && !form && <Notice kind="success">{t(`done.${done}`)}</Notice>}
      <ErrorSummary title={t('problem')} errors={errors} />
      <form method="post" action={action} className="form" noValidate>
        <RadioGroup
          name="mails"
          label={t('follows.label')}
          look="plain"
          options={FOLLOW_MAILS.map((value) => ({ value, label: t(`follows.${value}`), hint: t(`follows.${value}-hint`) }))}
          defaultValue={typed('mails') ?? follows.mails}
          error={error('mails')}
        />
        <div className="form-actions">
          <Button type="submit">{t('follows.save')}</Button>
        </div>
      </form>
      {follows.team && (
        <section className="stack mt-6">
          <h2 className="text-step-2">{t('follows.team')}</h2>
          <form method="post" action={action} className="form">
            <input type="hidden" name="team" value="yes" />
            <Checkbox name="mentions" label={t('follows.team-mentions')} defaultChecked={follows.team.mentions} />
            <Checkbox
              name="weekly"
              label={t('follows.team-weekly')}
              hint={t('follows.team-weekly-hint')}
              defaultChecked={follows.team.weekly}
            />
            <div className="form-actions">
              <Button type="submit" kind="secondary">
                {t('follows.team-save')}
              </Button>
            </div>
          </form>
        </section>
      )}
      <section className="stack mt-6">
        <h2 className="text-step-2">{t('follows.projects')}</h2>
        {follows.projects.length === 0 ? (
          <p>
            {t('follows.none')} <Link to="/projects">{t('unfollow.projects')}</Link>
          </p>
        ) : (
          <form method="post" action={action}>
            <ul className="stack">
              {follows.projects.map(({ slug, title }) => (
                <li key={slug} className="row">
                  <Link to="/projects/$slug" params={{ slug }}>
                    {title}
                  </Link>
                  <Button
                    type="submit"
                    kind="secondary"
                    size="small"
                    name="stop"
                    value={slug}
                    aria-label={t('follows.stop-named', { title })}
                  >
                    {t('follows.stop')}
                  </Button>
                </li>
              ))}
            </ul>
          </form>
        )}
      </section>
      {follows.contributions.length > 0 && (
        <section className="stack mt-6">
          <h2 className="text-step-2">{t('follows.contributions')}</h2>
          <p>{t('follows.contributions-text')}</p>
          <form method="post" action={action}>
            <ul className="stack">
              {follows.contributions.map(({ id, number, title, language, activity, project }) => (
                <li key={id} className="row">
                  <Link
                    to="/projects/$slug/$activity/$number"
                    params={{ slug: project, activity, number: String(number) }}
                    lang={language}
                    dir={getDirection(language)}
                  >
                    {title}
                  </Link>
                  <Button
                    type="submit"
                    kind="secondary"
                    size="small"
                    name="contribution"
                    value={id}
                    aria-label={t('follows.stop-named', { title })}
                  >
                    {t('follows.stop')}
                  </Button>
                </li>
              ))}
            </ul>
          </form>
        </section>
      )}
    </AccountSection>
  )
}
