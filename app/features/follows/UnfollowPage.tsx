import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { toLocalHref } from '#app/shell/language-rewrite.ts'

/** Target of an email's unsubscribe link. It asks before it acts, because mail scanners open links too. */
export function UnfollowPage({
  found,
  token,
}: {
  found: { kind: 'project' | 'contribution' | 'news' | 'follows' | 'weekly' | 'report'; project?: string; going: boolean } | null
  token: string
}) {
  const { t } = useTranslation('account')
  const project = found?.project
  // Emails about all followed projects, the weekly email of administrators, a report, or newsletters.
  const kind = found?.kind === 'follows' || found?.kind === 'weekly' || found?.kind === 'report' ? found.kind : 'news'
  if (found?.going) {
    return (
      <div className="page wrap-narrow stack">
        <PageTitle
          title={t(project ? 'unfollow.title' : `unfollow.button-${kind}`)}
          lead={project ? t('unfollow.ask', { project }) : t(`unfollow.ask-${kind}`)}
        />
        <form method="post" action={`${toLocalHref('/unfollow')}?token=${encodeURIComponent(token)}`}>
          <Button type="submit">{t(project ? 'unfollow.button' : `unfollow.button-${kind}`)}</Button>
        </form>
      </div>
    )
  }
  return (
    <div className="page wrap-narrow stack">
      <PageTitle
        title={t(
          !found
            ? 'unfollow.title'
            : project
              ? found.kind === 'contribution'
                ? 'unfollow.done-contribution'
                : 'unfollow.done'
              : `unfollow.done-${kind}`,
        )}
        lead={
          !found
            ? t('unfollow.broken')
            : project
              ? t(found.kind === 'contribution' ? 'unfollow.done-contribution-text' : 'unfollow.done-text', { project })
              : t(`unfollow.done-${kind}-text`)
        }
      />
      <p className="form-actions">
        <Link to="/projects" className={getButtonClass()}>
          {t('unfollow.projects')}
        </Link>
      </p>
    </div>
  )
}
