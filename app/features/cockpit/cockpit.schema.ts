import type { CalendarEntry } from '#app/features/calendar/calendar.schema.ts'
import type { WaitingTexts } from '#app/features/contributions/contributions.waiting.server.ts'

/** Figures of a project, each by its one definition: `app/lib/figure-definitions.ts`. */
interface CockpitFigures {
  engaged: number
  answers: number
  contributions: number
  supports: number
  aware: number
  informed: number
}

/** A newsletter or text campaign that did not reach everybody. */
export interface FailedCampaign {
  id: string
  channel: 'email' | 'sms'
  name: string
  /** An ISO timestamp. */
  sentAt: string
  /** Messages that could not be sent, and emails that came back. */
  failed: number
  returned: number
}

/** What a project's team sees first. */
export interface Cockpit {
  /** An ISO timestamp. */
  asOf: string
  /** From the first day with a figure until today, in the site's calendar; null while nothing was counted. */
  period: { from: string; until: string } | null
  figures: CockpitFigures
  /** What was added in the last seven days, today included. */
  week: Pick<CockpitFigures, 'engaged' | 'answers' | 'contributions'>
  /** Contributions that wait before anybody can read them. */
  held: number
  waiting: WaitingTexts
  /** Whether a colleague should agree to a draft of the project's report. */
  reportInReview: boolean
  /** Open tasks of the team about anything in the project, and how many of these are overdue. */
  tasks: { open: number; overdue: number }
  /** Dates of the next two weeks, and what is late. */
  due: CalendarEntry[]
  failed: FailedCampaign[]
}
