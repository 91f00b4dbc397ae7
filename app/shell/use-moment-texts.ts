import { useTranslation } from 'react-i18next'
import { nameTimeZone } from '#app/lib/time-zones.ts'
import type { MomentTexts } from '#app/ui/admin/date-time-field.tsx'
import { useSite } from './page-state.tsx'
import { useFormat } from './use-format.ts'

/** Texts of a date and time field, in the site's time zone. `opening` and `closing` are for a day without a time. */
export function useMomentTexts() {
  const { t } = useTranslation('admin')
  const { timeZone } = useSite()
  const format = useFormat()
  const words: MomentTexts = {
    zone: timeZone,
    dateLabel: t('moment.date'),
    timeLabel: t('moment.time'),
    describe: (at) => t('moment.full', { day: format.weekday(at), time: format.time(at), zone: nameTimeZone(timeZone) }),
    clearLabel: t('moment.clear'),
    halfError: t('moment.half'),
  }
  return {
    words,
    opening: { ...words, timeIfMissing: '00:00', hint: t('moment.opening') },
    closing: { ...words, timeIfMissing: '23:59', hint: t('moment.closing') },
  }
}
