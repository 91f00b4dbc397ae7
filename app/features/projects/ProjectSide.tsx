import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Person } from '#app/ui/avatar.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { type KeyDate, KeyDates } from '#app/ui/key-dates.tsx'
import { Text } from '#app/ui/text.tsx'
import type { ProjectDateView, ProjectView } from './projects.schema.ts'

/** The consultation's timeline: its own key dates, otherwise when it opens and closes. */
export function ProjectKeyDates({ project }: { project: ProjectView }) {
  const { t } = useTranslation('participant')
  const format = useFormat()
  const { now } = project
  const toKeyDates = (at: string | null, title: string): ProjectDateView[] =>
    at ? [{ id: title, title: { text: title }, detail: { text: '' }, happensAt: at, precision: 'day' }] : []
  const dates = project.dates.length
    ? project.dates
    : [...toKeyDates(project.opensAt, t('project.opens')), ...toKeyDates(project.closesAt, t('project.closes'))]
  if (dates.length === 0) return null
  const getDateState = ({ happensAt, precision }: ProjectDateView): KeyDate['state'] => {
    const whole = precision === 'time' ? 'day' : precision
    if (format.precisely(happensAt, whole) === format.precisely(now, whole)) return 'current'
    return happensAt < now ? 'past' : 'upcoming'
  }
  const labels = { past: t('project.date-past'), current: t('project.date-now'), upcoming: undefined }
  return (
    <section aria-labelledby="dates">
      <h2 id="dates">{t('project.dates')}</h2>
      <KeyDates
        dates={dates.map((date) => {
          const state = getDateState(date)
          const label = labels[state]
          return {
            date: date.happensAt,
            shown: format.precisely(date.happensAt, date.precision),
            state,
            ...(label ? { stateLabel: label } : {}),
            label: <DateLabel date={date} />,
          }
        })}
      />
      <p>
        <a href={toLocalHref(`/projects/${project.slug}/dates.ics`)}>{t('project.dates-file')}</a>
      </p>
    </section>
  )
}

const DateLabel = ({ date }: { date: ProjectDateView }) => (
  <>
    <Text words={date.title} />
    {date.detail.text && (
      <span className="key-date-detail" lang={date.detail.lang} dir={getDirection(date.detail.lang)}>
        {date.detail.text}
      </span>
    )}
  </>
)

export function ProjectPlace({ place }: { place: LocalisedText }) {
  const { t } = useTranslation('participant')
  if (!place.text) return null
  return (
    <section aria-labelledby="place">
      <h2 id="place">{t('project.place')}</h2>
      <p className="row row-tight row-beside">
        <Icon name="pin" />
        <Text words={place} />
      </p>
    </section>
  )
}

export function ProjectTeam({ team }: { team: ProjectView['team'] }) {
  const { t } = useTranslation('participant')
  if (team.length === 0) return null
  return (
    <section aria-labelledby="team">
      <h2 id="team">{t('project.team')}</h2>
      <ul className="stack">
        {team.map((member) => (
          <li key={`${member.name} ${member.email ?? ''}`}>
            <Person name={member.name} part={<Text words={member.role} />}>
              {member.email && (
                <>
                  <br />
                  <a href={`mailto:${member.email}`} data-printed={member.email}>
                    {t('project.write-to', { name: member.name })}
                  </a>
                </>
              )}
            </Person>
          </li>
        ))}
      </ul>
    </section>
  )
}

const SHARE_ICONS = { mail: 'mail', text: 'phone', whatsapp: 'speech' } as const

/** Ways to share the address. They are links: nothing of a third party is loaded. */
export function ShareProject({ title, address }: { title: string; address: string }) {
  const { t } = useTranslation('participant')
  const body = encodeURIComponent(`${title}\n${address}`)
  const ways = [
    ['mail', `mailto:?subject=${encodeURIComponent(title)}&body=${body}`],
    ['text', `sms:?&body=${body}`],
    ['whatsapp', `https://wa.me/?text=${body}`],
  ] as const
  return (
    <section aria-labelledby="share" className="no-print">
      <h2 id="share">{t('project.share')}</h2>
      <ul className="share-list">
        {ways.map(([way, href]) => (
          <li key={way}>
            <a href={href}>
              <Icon name={SHARE_ICONS[way]} />
              {t(`project.share-${way}`)}
            </a>
          </li>
        ))}
      </ul>
      <label className="visually-hidden" htmlFor="share-address">
        {t('project.share-address')}
      </label>
      <input
        className="input share-address"
        id="share-address"
        type="text"
        readOnly
        value={address}
        onFocus={(event) => event.currentTarget.select()}
      />
    </section>
  )
}
