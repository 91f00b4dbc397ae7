import { useTranslation } from 'react-i18next'
import { toTrackingAttributes } from '#app/shell/analytics-events.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'

/** Follows or unfollows a project. A form that works without JavaScript. */
export function FollowButton({ project }: { project: { id: string; slug: string; following: boolean; followers: number } }) {
  const { t } = useTranslation('participant')
  const format = useFormat()
  const { id, slug, following, followers } = project
  return (
    <section aria-labelledby="follow" className="card no-print">
      <form
        className="card-body"
        method="post"
        action={toLocalHref(`/projects/${slug}`)}
        {...toTrackingAttributes(following ? 'Project Unfollowed' : 'Project Followed', { projectId: id })}
      >
        <h2 id="follow">{t('follow.title')}</h2>
        <p>{following ? t('follow.following') : t('follow.text')}</p>
        <Button type="submit" name="following" value={following ? 'no' : 'yes'} kind={following ? 'secondary' : 'primary'}>
          <Icon name="bell" />
          {following ? t('follow.unfollow') : t('follow.follow')}
        </Button>
        {following && (
          <p>
            <a href={toLocalHref('/account/follows')}>{t('follow.how-often')}</a>
          </p>
        )}
        {followers > 0 && <p className="meta">{t('follow.followers', { count: followers, number: format.number(followers) })}</p>}
      </form>
    </section>
  )
}
