import type { Random } from '#app/lib/random.ts'
import type { Calendar } from './calendar.ts'

/** How busy each hour is, site time: lunch breaks, evenings on the sofa, hardly anyone at night. */
const HOUR_WEIGHTS = [2, 1, 1, 0.5, 0.5, 1, 3, 7, 10, 11, 11, 11, 14, 12, 10, 9, 10, 11, 12, 15, 18, 17, 11, 5]
const WEEKEND_WEIGHT = 0.75

/**
 * Times at which `count` people responded while a survey was open: a rush at the opening, after each announcement and before the end, and
 * few on weekends. Never in the future. Sorted.
 */
export function generateAnswerTimes(
  count: number,
  window: { opens: number; closes: number; announced: number[] },
  calendar: Calendar,
  random: Random,
): Date[] {
  const last = Math.min(0, window.closes)
  const length = Math.max(1, window.closes - window.opens)
  const busy: Record<string, number> = {}
  for (let day = window.opens; day <= last; day++) {
    const since = day - window.opens
    const before = window.closes - day
    const rush = 6 * Math.exp(-since / Math.max(2, length * 0.07))
    const end = 3.5 * Math.exp(-before / Math.max(1.5, length * 0.05))
    const spikes = window.announced.filter((at) => at <= day).reduce((sum, at) => sum + 2.5 * Math.exp((at - day) / 2), 0)
    const weekend = calendar.weekday(day) % 6 === 0 ? WEEKEND_WEIGHT : 1
    busy[day] = (1 + rush + end + spikes) * weekend * (0.75 + 0.5 * random.next())
  }
  const hours = Object.fromEntries(HOUR_WEIGHTS.map((weight, hour) => [hour, weight]))
  const dayStarts = new Map(Object.keys(busy).map((day) => [day, calendar.at(Number(day), 0).getTime()]))
  const earliest = calendar.at(window.opens, 9).getTime()
  const latest = Math.min(calendar.now.getTime() - 60_000, calendar.at(window.closes, 23, 30).getTime())
  const times: Date[] = []
  while (times.length < count) {
    const start = dayStarts.get(random.weighted(busy))!
    const time = start + Number(random.weighted(hours)) * 3_600_000 + random.int(0, 3_599_999)
    if (time >= earliest && time <= latest) times.push(new Date(time))
    else if (latest - earliest < 3_600_000) times.push(new Date(Math.max(earliest, latest)))
  }
  return times.sort((a, b) => a.getTime() - b.getTime())
}
