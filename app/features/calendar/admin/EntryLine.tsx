import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import type { CalendarEntry } from '../calendar.schema.ts'

interface EntryLineProps {
  entry: CalendarEntry
  /** Says the day too; in a list by day its heading does. */
  withDay?: boolean
  withProject?: boolean
}

/** One date: what it is about, as a link to where people work on it, then what happens and when. */
export function EntryLine({ entry, withDay = false, withProject = false }: EntryLineProps) {
  const { t } = useTranslation('calendar')
  const format = useFormat()
  const { kind, event, title, count, project, day, at, precision, path, isLate } = entry
  // Noon, so that the day is the same in the site's time zone.
  const on = `${day}T12:00:00Z`
  const when = at
    ? withDay
      ? format.dateTime(at)
      : format.time(at)
    : withDay || precision !== 'day'
      ? format.precisely(on, precision)
      : null
  const facts = [
    event === 'happens' ? t(`kinds.${kind}`) : `${t(`kinds.${kind}`)}${format.colon}${t(`events.${event}`)}`,
    when,
    withProject && kind !== 'project' && project?.title,
  ].filter((fact) => typeof fact === 'string' && fact !== '')
  return (
    <>
      <a href={path}>
        {count === null
          ? title || t('untitled')
          : t(`due.${kind === 'question' ? 'question' : 'moderation'}`, { count, number: format.number(count) })}
      </a>
      <p className="meta">{facts.join(' · ')}</p>
      {isLate && <p className="calendar-late">{t('late', { when: format.date(on) })}</p>}
    </>
  )
}
