import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Button, buttonClass } from '#app/ui/button.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { localHref } from '#app/shell/language-rewrite.ts'

/** Where the link in a follower's mail leads. It asks before it does anything: programs that look through mails open links too. */
export function UnfollowPage({ found, token }: { found: { project: string; following: boolean } | null; token: string }) {
  const { t } = useTranslation('account')
  if (found?.following) {
    return (
      <div className="page wrap-narrow stack">
        <PageTitle title={t('unfollow.title')} lead={t('unfollow.ask', { project: found.project })} />
        <form method="post" action={`${localHref('/unfollow')}?token=${encodeURIComponent(token)}`}>
          <Button type="submit">{t('unfollow.button')}</Button>
        </form>
      </div>
    )
  }
  return (
    <div className="page wrap-narrow stack">
      <PageTitle
        title={t(found ? 'unfollow.done' : 'unfollow.title')}
        lead={found ? t('unfollow.done-text', { project: found.project }) : t('unfollow.broken')}
      />
      <p className="form-actions">
        <Link to="/projects" className={buttonClass()}>
          {t('unfollow.projects')}
        </Link>
      </p>
    </div>
  )
}
