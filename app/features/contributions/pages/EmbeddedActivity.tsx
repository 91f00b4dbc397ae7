import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { toPathInLanguage } from '#app/shell/language.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { useContentLanguage } from '#app/shell/use-content-language.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import { Meta } from '#app/ui/card.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { useActivityState } from '../parts/contribution-parts.tsx'
import { useReactionCounts } from '../parts/use-reaction-counts.ts'
import type { ContributionListView } from '../record/contributions.schema.ts'

const SHOWN = 5

/** An activity's newest contributions, embedded in another website. Frames are anonymous, so people take part in a new tab. */
export function EmbeddedActivity({ list, now }: { list: ContributionListView; now: string }) {
  const { t } = useTranslation('contributions')
  const { t: embeds } = useTranslation('embeds')
  const site = useSite()
  const format = useFormat()
  const describeState = useActivityState()
  const { activity, entries, total } = list
  const describeReactions = useReactionCounts(activity)
  const path = toPathInLanguage(`/projects/${activity.project.slug}/${activity.slug}`, useContentLanguage())
  const isOpen = activity.state === 'open'
  return (
    <article className="card card-body">
      <Tag kind={isOpen ? 'open' : activity.state === 'closed' ? 'closed' : 'plain'}>{describeState(activity, now)}</Tag>
      <h2 lang={activity.title.lang} dir={getDirection(activity.title.lang)}>
        <a href={path} target="_blank" rel="noopener">
          {activity.title.text}
        </a>
      </h2>
      <p>{t(`kinds.${activity.kind}.count`, { count: total, number: format.number(total) })}</p>
      {entries.length > 0 && (
        <ol className="embedded-contributions">
          {entries.slice(0, SHOWN).map((entry) => (
            <li key={entry.number}>
              <a href={`${path}/${entry.number}`} target="_blank" rel="noopener" lang={entry.lang} dir={getDirection(entry.lang)}>
                {entry.title}
              </a>
              <Meta
                items={[
                  <time key="at" dateTime={entry.publishedAt}>
                    {format.date(entry.publishedAt)}
                  </time>,
                  ...(entry.place ? [entry.place] : []),
                  ...(activity.tools.reactions.length > 0 ? describeReactions(entry) : []),
                ]}
              />
            </li>
          ))}
        </ol>
      )}
      <div className="row">
        <a href={isOpen ? `${path}/new` : path} target="_blank" rel="noopener" className={getButtonClass()}>
          {t(`kinds.${activity.kind}.${isOpen ? 'add' : 'read'}`)}
        </a>
      </div>
      <p className="meta">{embeds('from', { site: site.name })}</p>
    </article>
  )
}
