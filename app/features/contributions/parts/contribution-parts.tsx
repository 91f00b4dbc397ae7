import type { AccessRefusal } from '#app/features/participation/access.schema.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { ProjectBreadcrumbs } from '#app/shell/project-breadcrumbs.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Notice } from '#app/ui/notice.tsx'
import { Text } from '#app/ui/text.tsx'
import type { ActivityView, AuthorView } from '../record/contributions.schema.ts'

/** Home, the project, and the activity unless it is the page itself. */
export function ActivityBreadcrumbs({ activity, current }: { activity: ActivityView; current?: ReactNode }) {
  return (
    <ProjectBreadcrumbs
      project={activity.project}
      links={
        current
          ? [
              <Link
                key="activity"
                to="/projects/$slug/$activity"
                params={{ slug: activity.project.slug, activity: activity.slug }}
                activeOptions={{ exact: true, includeSearch: false }}
              >
                <Text words={activity.title} />
              </Link>,
            ]
          : []
      }
      current={current ?? <Text words={activity.title} />}
    />
  )
}

export function useAuthorName(): (author: AuthorView) => string {
  const { t } = useTranslation('contributions')
  return ({ name, residentOf }) => {
    if (name) return name
    if (residentOf === undefined) return t('anonymous')
    return residentOf ? t('resident-of', { area: residentOf }) : t('resident')
  }
}

interface PlainTextProps {
  text: string
  lang?: string | undefined
  /** The same in the page's language, if its reader asked for that. */
  translated?: string | undefined
}

/** Text of the public: plain, with its line breaks. Addresses in it are not links. */
export const PlainText = ({ text, lang, translated }: PlainTextProps) => (
  <div className="plain-text" lang={translated ? undefined : lang} dir={getDirection(translated ? undefined : lang)}>
    {(translated || text).split(/\n{2,}/).map((paragraph, at) => (
      <p key={at}>{paragraph}</p>
    ))}
  </div>
)

/** Why somebody may not take part, with the way out if there is one. */
export function RefusalText({ refusal, next }: { refusal: AccessRefusal; next: string }) {
  const { t } = useTranslation('contributions')
  const words = t(`refusals.${refusal}`)
  // The activity's page asks for the code.
  if (refusal === 'invitation')
    return (
      <p>
        <a href={toLocalHref(next.split('/', 4).join('/'))}>{words}</a>
      </p>
    )
  if (refusal === 'verification')
    return (
      <p>
        <Link to="/verify" search={{ next: toLocalHref(next) }}>
          {words}
        </Link>
      </p>
    )
  if (refusal !== 'sign-in') return <p>{words}</p>
  return (
    <p>
      <Link to="/sign-in" search={{ next }}>
        {words}
      </Link>
    </p>
  )
}

/** The same while something is being written: what was typed stays in this tab. */
export function RefusedWhileWriting({ refusal, next }: { refusal: AccessRefusal; next: string }) {
  const { t } = useTranslation('contributions')
  const address = refusal === 'invitation' ? next.split('/', 4).join('/') : `/${refusal === 'verification' ? 'verify' : 'sign-in'}`
  const query = refusal === 'invitation' ? '' : `?${new URLSearchParams({ next: toLocalHref(next) })}`
  return (
    <div className="refused-while-writing">
      <Notice kind="warning" title={t('refused-while-writing.title')}>
        <p>
          <a href={`${toLocalHref(address)}${query}`} target="_blank" rel="noopener">
            {t(`refusals.${refusal}`)}
          </a>
        </p>
        <p>{t('refused-while-writing.text')}</p>
      </Notice>
    </div>
  )
}

/** True if the person can resolve the refusal: by signing in, showing a verification or entering a code. */
export const hasWayOut = (refusal: AccessRefusal): boolean =>
  refusal === 'sign-in' || refusal === 'verification' || refusal === 'invitation'

export function useActivityState(): (activity: Pick<ActivityView, 'state' | 'opensAt' | 'closesAt'>, now: string) => string {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  return ({ state, opensAt, closesAt }, now) => {
    if (state === 'open') return closesAt ? t('state.open-until', { date: format.day(closesAt, now) }) : t('state.open')
    if (state === 'scheduled') return t('state.opens-on', { date: format.day(opensAt ?? now, now) })
    return t(`state.${state}`)
  }
}
