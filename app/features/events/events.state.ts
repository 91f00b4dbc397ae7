import type { EventPhase, EventStatus } from '#app/lib/vocabulary/events.ts'

interface TimedEvent {
  status: EventStatus
  startsAt: Date | null
  endsAt: Date | null
}

/** Where an event stands. Everything that shows it or takes sign-ups uses this. */
export function getEventPhase(now: Date, { status, startsAt, endsAt }: TimedEvent): EventPhase {
  if (status !== 'published') return status
  if (!startsAt || now < startsAt) return 'upcoming'
  return endsAt && now < endsAt ? 'under-way' : 'over'
}

/** Until it starts, people can sign up and cancel, and those who wait move up. */
export const takesSignUps = (now: Date, event: TimedEvent): boolean => getEventPhase(now, event) === 'upcoming'

/** @returns free places; null without a limit */
export const countFreePlaces = ({ capacity, going }: { capacity: number | null; going: number }): number | null =>
  capacity === null ? null : Math.max(0, capacity - going)

/** People are reminded this long before an event starts. */
export const REMINDED_BEFORE_MS = 24 * 3_600_000

/** When a person who gets a place now counts as reminded: at once if the event starts too soon for a reminder. */
export const findRemindedAt = (now: Date, { startsAt }: Pick<TimedEvent, 'startsAt'>): Date | null =>
  startsAt && startsAt.getTime() - REMINDED_BEFORE_MS <= now.getTime() ? now : null
